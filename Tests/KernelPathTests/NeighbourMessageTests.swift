import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("Messages about neighbours")
struct NeighbourMessageTests {
  @Test func `an entry has its address, its hardware address and the time since its answer`() throws {
    #expect(
      CapturedMessage.neighbourReachableIPv6.neighbour
        == NeighbourFacts(
          .init(.literal("2001:db8::1"), on: 2), .reachable, confirmedAgo: 0,
          hardwareAddress: [0x5A, 0xAA, 0xB4, 0xC0, 0x09, 0x86]))
    #expect(
      CapturedMessage.neighbourFailed.neighbour
        == NeighbourFacts(.init(.literal("192.0.2.77"), on: 2), .failed, confirmedAgo: 60_160_000))
  }

  @Test(
    arguments: [
      (UInt16(0x01), RoutingFacts.NeighbourState.incomplete), (0x02, .reachable), (0x04, .stale), (0x08, .stale),
      (0x10, .stale), (0x20, .failed), (0x40, .stale), (0x80, .stale), (0, nil),
    ] as [(UInt16, RoutingFacts.NeighbourState?)])
  func `each state of the kernel has a meaning`(flags: UInt16, state: RoutingFacts.NeighbourState?) {
    var bytes = CapturedMessage.neighbourReachableIPv6.bytes
    bytes.replaceSubrange(24..<26, with: MessageBuilder.bytes(flags))
    #expect(CapturedMessage(bytes: bytes).neighbour?.state == state)
  }

  @Test func `an entry of another family is none, such as that of a bridge`() {
    var bytes = CapturedMessage.neighbourReachableIPv6.bytes
    bytes[16] = 7
    #expect(CapturedMessage(bytes: bytes).neighbour == nil)
  }
}
