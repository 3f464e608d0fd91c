import KernelPath
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Messages about neighbours that the event filter passes")
struct RouterFilterTests {
  private static let probes = ProbeAddresses.standard

  /// `RTM_NEWNEIGH` or `RTM_DELNEIGH` about a neighbour in a state, `NUD_…`.
  private static func message(
    _ type: UInt16, _ address: IPAddress, state: UInt16, hardwareAddress: [UInt8]? = nil
  ) -> [UInt8] {
    let header =
      [address.family.rawValue, 0, 0, 0] + MessageBuilder.bytes(UInt32(2)) + MessageBuilder.bytes(state) + [0, 1]
    let bytes =
      address.family == .ipv4
      ? networkBytes(address.low << 32, 4) : networkBytes(address.high, 8) + networkBytes(address.low, 8)
    let hardware = hardwareAddress.map { MessageBuilder.attribute(2, $0) } ?? []
    return MessageBuilder.message(type, header + MessageBuilder.attribute(1, bytes) + hardware)
  }

  private static func networkBytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
  }

  private static func filter(
    current: [String] = [], rivals: [String] = [], awaited: [String] = [], tails: [String: UInt32] = [:]
  ) -> FilterInterpreter {
    var routers = RouterWatch()
    routers.current = current.map(IPAddress.literal)
    routers.rivals = rivals.map(IPAddress.literal)
    routers.awaited = awaited.map(IPAddress.literal)
    for (address, tail) in tails { routers.hardwareTails[.literal(address)] = tail }
    return FilterInterpreter(program: CoverFilter.program(for: probes, routers: routers))
  }

  private static let newNeighbour: UInt16 = 28
  private static let deletedNeighbour: UInt16 = 29
  private static let (reachable, stale, probe, failed): (UInt16, UInt16, UInt16, UInt16) = (0x02, 0x04, 0x10, 0x20)
  private static let incomplete: UInt16 = 0x01

  @Test(arguments: ["192.0.2.1", "fe80::1"], [newNeighbour, deletedNeighbour])
  func `without routers to follow no message about a neighbour passes`(address: String, type: UInt16) throws {
    #expect(try !Self.filter().passes(Self.message(type, .literal(address), state: Self.failed)))
  }

  @Test(arguments: ["192.0.2.1", "fe80::1"], [reachable, stale, probe, failed])
  func `every state of a rival passes`(address: String, state: UInt16) throws {
    let filter = Self.filter(rivals: ["198.51.100.1", address])
    #expect(try filter.passes(Self.message(Self.newNeighbour, .literal(address), state: state)))
    #expect(try filter.passes(Self.message(Self.deletedNeighbour, .literal(address), state: state)))
  }

  @Test(arguments: ["192.0.2.1", "fe80::1"], [reachable, stale, probe, failed])
  func `of the current router only the end passes`(address: String, state: UInt16) throws {
    let filter = Self.filter(current: [address])
    #expect(
      try filter.passes(Self.message(Self.newNeighbour, .literal(address), state: state)) == (state == Self.failed))
    #expect(try filter.passes(Self.message(Self.deletedNeighbour, .literal(address), state: state)))
  }

  @Test(arguments: ["192.0.2.1", "fe80::1"], [reachable, stale, probe, incomplete, failed])
  func `of an awaited router each state passes in which its hardware address is known`(
    address: String, state: UInt16
  ) throws {
    let message = Self.message(Self.newNeighbour, .literal(address), state: state)
    let isKnown = state != Self.incomplete && state != Self.failed
    #expect(try Self.filter(awaited: [address]).passes(message) == isKnown)
    #expect(try Self.filter(current: [address], awaited: [address]).passes(message) == (state != Self.incomplete))
    #expect(try !Self.filter(current: ["192.0.2.9"], awaited: ["192.0.2.7", "fe80::7"]).passes(message))
  }

  @Test(arguments: ["192.0.2.1", "fe80::1"], [reachable, stale, probe, incomplete, failed])
  func `of a router that answers, another hardware address passes`(address: String, state: UInt16) throws {
    let tails: [String: UInt32] = ["198.51.100.1": 7, address: 0x0304_0506]
    let filter = Self.filter(current: [address], awaited: ["192.0.2.7"], tails: tails)
    func passes(_ hardwareAddress: [UInt8]?, _ address: String) throws -> Bool {
      try filter.passes(
        Self.message(Self.newNeighbour, .literal(address), state: state, hardwareAddress: hardwareAddress))
    }
    let isFailure = state == Self.failed
    #expect(try passes([2, 0, 3, 4, 5, 6], address) == isFailure)
    #expect(try passes(nil, address) == isFailure)
    #expect(try passes([2, 0, 3, 4, 5, 7], address) == (state != Self.incomplete))
    #expect(try !passes([2, 0, 3, 4, 5, 7], "192.0.2.9"))
  }

  @Test(arguments: ["192.0.2.2", "192.0.3.1", "fe80::2", "fe80::2:1:1"])
  func `messages about other neighbours are dropped`(address: String) throws {
    let filter = Self.filter(current: ["192.0.2.1", "fe80::1"], rivals: ["198.51.100.1", "2001:db8::9"])
    for type in [Self.newNeighbour, Self.deletedNeighbour] {
      #expect(try !filter.passes(Self.message(type, .literal(address), state: Self.failed)))
    }
  }

  @Test func `truncated messages do not lead the program astray`() throws {
    let filter = Self.filter(current: ["192.0.2.1"], rivals: ["fe80::1"])
    for address in ["192.0.2.1", "fe80::1"] {
      let bytes = Self.message(Self.newNeighbour, .literal(address), state: Self.failed)
      for length in bytes.indices { _ = try filter.passes(Array(bytes[..<length])) }
    }
  }

  @Test func `the program stays within the kernel's limit, however many routers there are`() throws {
    let many = (0..<1_000).map { "10.0.\($0 / 256).\($0 % 256)" }
    let tails = Dictionary(uniqueKeysWithValues: many.map { ($0, UInt32(1)) })
    let filter = Self.filter(current: many, rivals: many, awaited: many, tails: tails)
    #expect(filter.program.count < FilterInterpreter.greatestLength)
    #expect(try filter.passes(Self.message(Self.newNeighbour, .literal(many[0]), state: Self.stale)))
  }
}
