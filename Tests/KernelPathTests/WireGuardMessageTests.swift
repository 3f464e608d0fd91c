import CNetlink
import PathModel
import Testing

@testable import KernelPath

@Suite("Messages of WireGuard")
struct WireGuardMessageTests {
  private static let ipv4: [UInt8] = [2, 0, 0xca, 0x6c, 203, 0, 113, 5, 0, 0, 0, 0, 0, 0, 0, 0]
  private static let ipv6: [UInt8] =
    [10, 0, 0xca, 0x6c, 0, 0, 0, 0, 0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1, 7, 0, 0, 0]

  /// A peer with its end and the networks that it is allowed to have.
  private static func peer(_ endpoint: [UInt8]?, key: UInt8 = 0x11, _ networks: ([UInt8], UInt8)...) -> [UInt8] {
    var peer = attribute(1, [UInt8](repeating: key, count: 32))
    peer += attribute(2, [UInt8](repeating: 0x22, count: 32))
    if let endpoint { peer += attribute(4, endpoint) }
    let allowed = networks.flatMap { address, length in
      attribute(
        0x8000,
        attribute(1, [UInt8(address.count == 4 ? 2 : 10), 0]) + attribute(2, address)
          + attribute(3, [length]))
    }
    peer += attribute(5, [25, 0]) + attribute(9 | 0x8000, allowed)
    return attribute(0x8000, peer)
  }

  private static let all: ([UInt8], UInt8) = ([0, 0, 0, 0], 0)

  /// An answer to WG_CMD_GET_DEVICE, as a kernel 6.1 gives it to root.
  private static func answer(_ peers: [UInt8]...) -> [UInt8] {
    let attributes = [
      attribute(6, [0x6c, 0xca]), attribute(7, 51_820), attribute(1, 4), attribute(2, "wg0"),
      attribute(3, [UInt8](repeating: 0x33, count: 32)), attribute(4, [UInt8](repeating: 0x44, count: 32)),
      attribute(8 | 0x8000, peers.flatMap(\.self)),
    ]
    return MessageBuilder.message(29, flags: 2, [0, 1, 0, 0] + attributes.flatMap(\.self))
  }

  /// The facts for packets to 192.0.2.7, and to 2001:db8::7.
  private static func decode(_ answers: [UInt8]...) throws -> WireGuardMessage {
    var decoded = WireGuardMessage(for: ["192.0.2.7", "2001:db8::7"].compactMap { IPAddress($0) })
    for bytes in answers {
      _ = try MessageBuilder.decode(bytes) { (message) throws(NetlinkDecodingError) in try decoded.add(message) }
    }
    return decoded
  }

  private static let allIPv6: ([UInt8], UInt8) = ([UInt8](repeating: 0, count: 16), 0)

  @Test func `the port, the mark and the ends of the peers for the destinations are read`() throws {
    let tunnel = try Self.decode(
      Self.answer(Self.peer(Self.ipv4, Self.all), Self.peer(Self.ipv6, key: 0x12, Self.allIPv6)))
    #expect(tunnel.port == 51_820)
    #expect(tunnel.mark == 51_820)
    #expect(tunnel.endpoints.map(\.address) == [IPAddress("203.0.113.5"), IPAddress("fe80::1")])
    #expect(tunnel.endpoints.map(\.interfaceIndex) == [0, 7])
  }

  @Test func `packets go to the peer with the longest network that holds the destination`() throws {
    let lan: ([UInt8], UInt8) = ([192, 0, 2, 0], 24)
    for peers in [
      [Self.peer(Self.ipv4, Self.all), Self.peer(Self.ipv6, key: 0x12, lan)],
      [Self.peer(Self.ipv6, key: 0x12, lan), Self.peer(Self.ipv4, Self.all)],
    ] {
      #expect(try Self.decode(Self.answer(peers[0], peers[1])).endpoints.map(\.address) == [IPAddress("fe80::1")])
    }
    let other: ([UInt8], UInt8) = ([10, 77, 0, 0], 24)
    let tunnel = try Self.decode(Self.answer(Self.peer(Self.ipv4, Self.all), Self.peer(Self.ipv6, key: 0x12, other)))
    #expect(tunnel.endpoints.map(\.address) == [IPAddress("203.0.113.5")])
  }

  @Test func `the peers of several answers add up, and so do the networks of one peer`() throws {
    func rest(_ peer: [UInt8]) -> [UInt8] {
      MessageBuilder.message(29, flags: 2, [0, 1, 0, 0] + attribute(8 | 0x8000, peer))
    }
    let two = try Self.decode(
      Self.answer(Self.peer(Self.ipv4, Self.all)), rest(Self.peer(Self.ipv6, key: 0x12, Self.allIPv6)))
    #expect(two.port == 51_820)
    #expect(two.endpoints.count == 2)
    let one = try Self.decode(Self.answer(Self.peer(Self.ipv4)), rest(Self.peer(nil, Self.all)))
    #expect(one.endpoints.map(\.address) == [IPAddress("203.0.113.5")])
  }

  @Test func `a peer for other destinations, without an end, or with one of another family, has none`() throws {
    #expect(try Self.decode(Self.answer()).endpoints.isEmpty)
    #expect(try Self.decode(Self.answer(Self.peer(nil, Self.all))).endpoints.isEmpty)
    #expect(try Self.decode(Self.answer(Self.peer(Self.ipv4))).endpoints.isEmpty)
    #expect(try Self.decode(Self.answer(Self.peer(Self.ipv4, ([10, 0, 0, 0], 8)))).endpoints.isEmpty)
    let other = [1, 0] + [UInt8](repeating: 0x2f, count: 30)
    #expect(try Self.decode(Self.answer(Self.peer(other, Self.all))).endpoints.isEmpty)
  }

  @Test(arguments: [ipv4, ipv6])
  func `an end that is cut off throws`(endpoint: [UInt8]) throws {
    for length in 0..<(endpoint.count == 16 ? 8 : 28) {
      #expect(throws: NetlinkDecodingError.self) {
        try Self.decode(Self.answer(Self.peer(Array(endpoint.prefix(length)), Self.all)))
      }
    }
  }

  @Test func `every truncation throws or lacks the end`() throws {
    let peer = Self.peer(Self.ipv6, Self.allIPv6)
    let whole = Self.answer(peer)
    let end = whole.count - peer.count + 4 + 36 + 36 + 4 + 28
    for length in 16..<end {
      let cut = MessageBuilder.bytes(UInt32(length)) + whole[4..<length]
      #expect((try? Self.decode(cut))?.endpoints.isEmpty ?? true)
    }
  }
}
