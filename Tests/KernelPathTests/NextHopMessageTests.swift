import CNetlink
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("Messages about next-hop objects")
struct NextHopMessageTests {
  private func decode(_ attributes: [UInt8], flags: UInt32 = 0) throws -> NextHopMessage {
    // struct nhmsg: family, scope, protocol, reserved, flags.
    let bytes = MessageBuilder.message(RTM_NEWNEXTHOP, [2, 0, 4, 0] + MessageBuilder.bytes(flags) + attributes)
    return try MessageBuilder.decode(bytes) { (message) throws(NetlinkDecodingError) in try NextHopMessage(message) }[0]
  }

  @Test func `an object has an interface, and a router where there is one`() throws {
    let direct = try decode(attribute(1, UInt32(7)) + attribute(5, UInt32(10)))
    #expect(direct.leg == RouteLeg(interfaceIndex: 10))
    #expect(direct.members.isEmpty)
    let routed = try decode(attribute(5, UInt32(10)) + attribute(6, [192, 0, 2, 1]))
    #expect(routed.leg == RouteLeg(interfaceIndex: 10, gateway: .literal("192.0.2.1")))
  }

  @Test func `a group has members and no interface, and a blackhole has neither`() throws {
    let rest: [UInt8] = [0, 0, 0, 0]
    let entries = MessageBuilder.bytes(UInt32(7)) + rest + MessageBuilder.bytes(UInt32(8)) + rest
    let group = try decode(attribute(2, entries))
    #expect(group.leg == nil && group.members == [7, 8])
    let torn = try decode(attribute(2, Array(entries.dropLast(3))))
    #expect(torn.members == [7])
    let blackhole = try decode(attribute(4, [UInt8]()))
    #expect(blackhole.leg == nil && blackhole.members.isEmpty)
  }

  @Test func `an object on a link that is down is marked`() throws {
    let interface = attribute(5, UInt32(10))
    #expect(try decode(interface, flags: 0x10).leg?.isLinkDown == true)
    #expect(try decode(interface, flags: 0x1).leg?.isDead == true)
  }
}
