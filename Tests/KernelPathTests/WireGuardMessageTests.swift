import CNetlink
import PathModel
import Testing

@testable import KernelPath

@Suite("Messages of WireGuard")
struct WireGuardMessageTests {
  private static let ipv4: [UInt8] = [2, 0, 0xca, 0x6c, 203, 0, 113, 5, 0, 0, 0, 0, 0, 0, 0, 0]
  private static let ipv6: [UInt8] =
    [10, 0, 0xca, 0x6c, 0, 0, 0, 0, 0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1, 7, 0, 0, 0]

  private static func peer(_ endpoint: [UInt8]?) -> [UInt8] {
    var peer = MessageBuilder.attribute(1, [UInt8](repeating: 0x11, count: 32))
    peer += MessageBuilder.attribute(2, [UInt8](repeating: 0x22, count: 32))
    if let endpoint { peer += MessageBuilder.attribute(4, endpoint) }
    peer += MessageBuilder.attribute(5, [25, 0]) + MessageBuilder.attribute(9 | 0x8000, [])
    return MessageBuilder.attribute(0x8000, peer)
  }

  /// An answer to WG_CMD_GET_DEVICE, as a kernel 6.1 gives it to root.
  private static func answer(_ peers: [[UInt8]?]) -> [UInt8] {
    var payload: [UInt8] = [0, 1, 0, 0]
    payload += MessageBuilder.attribute(6, [0x6c, 0xca])
    payload += MessageBuilder.attribute(7, UInt32(51_820))
    payload += MessageBuilder.attribute(1, UInt32(4))
    payload += MessageBuilder.attribute(2, "wg0")
    payload += MessageBuilder.attribute(3, [UInt8](repeating: 0x33, count: 32))
    payload += MessageBuilder.attribute(4, [UInt8](repeating: 0x44, count: 32))
    payload += MessageBuilder.attribute(8 | 0x8000, peers.flatMap(peer))
    return MessageBuilder.message(29, flags: 2, payload)
  }

  private static func decode(_ answers: [UInt8]...) throws -> WireGuardMessage {
    var decoded = WireGuardMessage()
    for bytes in answers {
      var messages = NetlinkMessages(bytes.span)
      while let message = try messages.next() { try decoded.add(message) }
    }
    return decoded
  }

  @Test func `the port, the mark and the ends of the peers are read`() throws {
    let tunnel = try Self.decode(Self.answer([Self.ipv4, nil, Self.ipv6]))
    #expect(tunnel.port == 51_820)
    #expect(tunnel.mark == 51_820)
    #expect(tunnel.endpoints.map(\.address) == [IPAddress("203.0.113.5"), IPAddress("fe80::1")])
    #expect(tunnel.endpoints.map(\.interfaceIndex) == [0, 7])
  }

  @Test func `the peers of several answers add up`() throws {
    let rest = MessageBuilder.message(
      29, flags: 2, [0, 1, 0, 0] + MessageBuilder.attribute(8 | 0x8000, Self.peer(Self.ipv6)))
    let tunnel = try Self.decode(Self.answer([Self.ipv4]), rest)
    #expect(tunnel.port == 51_820)
    #expect(tunnel.endpoints.count == 2)
  }

  @Test func `a peer without an end, or with one of another family, has none`() throws {
    #expect(try Self.decode(Self.answer([])).endpoints.isEmpty)
    #expect(try Self.decode(Self.answer([nil])).endpoints.isEmpty)
    #expect(try Self.decode(Self.answer([[1, 0] + [UInt8](repeating: 0x2f, count: 30)])).endpoints.isEmpty)
  }

  @Test(arguments: [ipv4, ipv6])
  func `an end that is cut off throws`(endpoint: [UInt8]) throws {
    for length in 0..<(endpoint.count == 16 ? 8 : 28) {
      #expect(throws: NetlinkDecodingError.self) { try Self.decode(Self.answer([Array(endpoint.prefix(length))])) }
    }
  }

  @Test func `every truncation throws or lacks the end`() throws {
    let whole = Self.answer([Self.ipv6])
    let end = whole.count - Self.peer(Self.ipv6).count + 4 + 36 + 36 + 4 + 28
    for length in 16..<end {
      let cut = MessageBuilder.bytes(UInt32(length)) + whole[4..<length]
      #expect((try? Self.decode(cut))?.endpoints.isEmpty ?? true)
    }
  }

  @Test func `our numbers are those of the headers`() {
    #expect(UInt32(WireGuardRequest.getDevice) == WG_CMD_GET_DEVICE.rawValue)
    #expect(UInt32(WireGuardAttribute.interfaceIndex) == WGDEVICE_A_IFINDEX.rawValue)
    #expect(UInt32(WireGuardAttribute.port) == WGDEVICE_A_LISTEN_PORT.rawValue)
    #expect(UInt32(WireGuardAttribute.mark) == WGDEVICE_A_FWMARK.rawValue)
    #expect(UInt32(WireGuardAttribute.peers) == WGDEVICE_A_PEERS.rawValue)
    #expect(UInt32(WireGuardAttribute.endpoint) == WGPEER_A_ENDPOINT.rawValue)
  }
}
