import PathDecisions
import PathModel
import Testing

@testable import KernelPath

@Suite("Messages about connections")
struct ConnectionMessageTests {
  /// `struct inet_diag_msg` of an established connection from 192.0.2.7:40000 to 198.51.100.1:22.
  private static func header(
    family: UInt8 = 2, state: UInt8 = 1, local: [UInt8] = [192, 0, 2, 7], remote: [UInt8] = [198, 51, 100, 1]
  ) -> [UInt8] {
    func address(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: 16 - bytes.count) }
    let ports: [UInt8] = [0x9c, 0x40, 0, 22]
    let identity = ports + address(local) + address(remote) + MessageBuilder.bytes(UInt32(3))
    let numbers = [UInt32(0x0102_0304), 0x0506_0708, 0, 9, 77, 1_000, 4_711]
    return [family, state, 0, 0] + identity + numbers.flatMap { MessageBuilder.bytes($0) }
  }

  private static func decode(_ payload: [UInt8]) throws(NetlinkDecodingError) -> ConnectionFacts? {
    try MessageBuilder.decode(MessageBuilder.message(20, payload)) { (message) throws(NetlinkDecodingError) in
      try ConnectionFacts(message)
    }[0]
  }

  private static let (local, remote) = (
    ConnectionFacts.Endpoint(IPAddress(ipv4: 0xc000_0207), 40_000),
    ConnectionFacts.Endpoint(IPAddress(ipv4: 0xc633_6401), 22)
  )

  @Test func `a connection has its ends, its user, its bytes and its identity`() throws {
    #expect(
      try Self.decode(Self.header())
        == ConnectionFacts(
          local: Self.local, remote: Self.remote, interfaceIndex: 3, cookie: 0x0506_0708_0102_0304, user: 1_000,
          inode: 4_711, unacknowledgedBytes: 77))
  }

  @Test func `IPv4 addresses of a socket of IPv6 are IPv4 addresses`() throws {
    let mapping = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
    let mapped = try #require(
      try Self.decode(
        Self.header(family: 10, local: mapping + [192, 0, 2, 7], remote: mapping + [198, 51, 100, 1])))
    #expect(mapped.local == Self.local && mapped.remote == Self.remote && mapped.socketFamily == .ipv6)
    #expect(mapped.local.address.socketBytes(of: .ipv6) == mapping + [192, 0, 2, 7])
    #expect("\(mapped.local)" == "192.0.2.7:40000")
    let own = [UInt8](0x20..<0x30)
    let ipv6 = try #require(try Self.decode(Self.header(family: 10, local: own, remote: own)))
    #expect(ipv6.local.address.socketBytes(of: .ipv6) == own && "\(ipv6.local)".hasPrefix("[2021:"))
  }

  @Test func `the time without data and the options are read where the kernel sends them`() throws {
    var information = [UInt8](repeating: 0, count: 104)
    information.replaceSubrange(52..<56, with: MessageBuilder.bytes(UInt32(61_000)))
    let attributes = attribute(2, information) + attribute(22, [0x22, 0])
    let connection = try #require(try Self.decode(Self.header() + attributes))
    #expect(connection.silence == 61_000 && connection.isTransparent)
    let calling = try #require(try Self.decode(Self.header(state: 2) + attributes))
    #expect(calling.silence == nil, "there is no such time before the connection")
    let short = attribute(2, [UInt8](repeating: 1, count: 20)) + attribute(22, [0x02, 0])
    let older = try #require(try Self.decode(Self.header() + short))
    #expect(older.silence == nil && !older.isTransparent)
  }

  @Test(arguments: [UInt8(0), 3, 6, 7, 10, 12, 13, 255])
  func `a state in which nothing can be lost is no connection`(state: UInt8) throws {
    #expect(try Self.decode(Self.header(state: state)) == nil)
    #expect(ConnectionFacts.State.mask & 1 << UInt32(min(state, 31)) == 0)
  }

  @Test func `every truncation throws or decodes, and another family is none`() throws {
    #expect(try Self.decode(Self.header(family: 1)) == nil)
    let whole = Self.header() + attribute(22, [0x20, 0])
    for length in 0..<72 {
      #expect(throws: NetlinkDecodingError.self, "\(length)") { try Self.decode(Array(whole[..<length])) }
    }
  }
}
