import KernelPath
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Messages about neighbours")
struct NeighbourMessageTests {
  @Test func `the kernel's states are told apart, and one who has never answered is older than a minute`() throws {
    func entry(
      _ address: String, _ state: RoutingFacts.NeighbourState, confirmedAgo: Int = 0, _ hardwareAddress: [UInt8] = []
    ) -> NeighbourFacts {
      NeighbourFacts(
        .init(.literal(address), on: 2), state, confirmedAgo: confirmedAgo, hardwareAddress: hardwareAddress)
    }
    let router: [UInt8] = [0x5A, 0xAA, 0xB4, 0xC0, 0x09, 0x86]
    #expect(CapturedMessage.neighbourReachable.neighbour == entry("192.0.2.1", .reachable, router))
    #expect(CapturedMessage.neighbourReachableIPv6.neighbour == entry("2001:db8::1", .reachable, router))
    #expect(CapturedMessage.neighbourFailed.neighbour == entry("192.0.2.77", .failed, confirmedAgo: 60_160_000))
    #expect(CapturedMessage.neighbourPermanent.neighbour == entry("192.0.2.9", .stale, [2, 0, 0, 0, 0, 9]))
  }

  @Test(
    arguments: [
      (UInt16(0x01), RoutingFacts.NeighbourState.incomplete), (0x02, .reachable), (0x04, .stale), (0x08, .stale),
      (0x10, .stale), (0x20, .failed), (0x40, .stale), (0x80, .stale), (0, nil),
    ] as [(UInt16, RoutingFacts.NeighbourState?)])
  func `each state of the kernel has a meaning`(flags: UInt16, state: RoutingFacts.NeighbourState?) {
    var bytes = CapturedMessage.neighbourReachable.bytes
    bytes.replaceSubrange(24..<26, with: MessageBuilder.bytes(flags))
    #expect(CapturedMessage(bytes: bytes).neighbour?.state == state)
  }

  @Test func `an entry of another family is none, such as that of a bridge`() {
    var bytes = CapturedMessage.neighbourReachable.bytes
    bytes[16] = 7
    #expect(CapturedMessage(bytes: bytes).neighbour == nil)
  }
}
