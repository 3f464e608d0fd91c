import CNetlink
import PathDecisions
import PathModel
import Testing

@testable import KernelPath

/// The numbers of decisions, which know no kernel headers, against the headers of the machine that builds the tests.
@Suite("Constants equal the kernel headers")
struct ConstantsTests {
  @Test func `lengths of structures`() {
    #expect(MemoryLayout<genlmsghdr>.size == NetlinkMessage.genericHeaderLength)
    #expect(MemoryLayout<inet_diag_msg>.size == 72 && MemoryLayout<inet_diag_req_v2>.size == 56)
    #expect(MemoryLayout<inet_diag_hostcond>.size == 8 && MemoryLayout<inet_diag_bc_op>.size == 4)
    #expect(MemoryLayout<fib_rule_hdr>.size == 12 && MemoryLayout<fib_rule_uid_range>.size == 8)
  }

  @Test func `flags and states of links and addresses, hardware types, families and types of routes`() {
    let flags: [(LinkFlags, net_device_flags)] = [
      (.up, IFF_UP), (.loopback, IFF_LOOPBACK), (.pointToPoint, IFF_POINTOPOINT), (.running, IFF_RUNNING),
      (.lowerUp, IFF_LOWER_UP),
    ]
    for (ours, theirs) in flags { #expect(ours.rawValue == theirs.rawValue) }
    expectEqual(
      [OperationalState.unknown, .notPresent, .down, .lowerLayerDown, .testing, .dormant, .up].map(\.rawValue),
      [
        IF_OPER_UNKNOWN, IF_OPER_NOTPRESENT, IF_OPER_DOWN, IF_OPER_LOWERLAYERDOWN, IF_OPER_TESTING, IF_OPER_DORMANT,
        IF_OPER_UP,
      ])
    expectEqual(
      [
        HardwareType.ethernet, HardwareType.infiniband, HardwareType.slip, HardwareType.ppp, HardwareType.rawIP,
        HardwareType.loopback, HardwareType.wirelessMonitor.lowerBound, HardwareType.wirelessMonitor.upperBound,
        HardwareType.phonetPipe, HardwareType.none,
      ],
      [
        ARPHRD_ETHER, ARPHRD_INFINIBAND, ARPHRD_SLIP, ARPHRD_PPP, ARPHRD_RAWIP, ARPHRD_LOOPBACK, ARPHRD_IEEE80211,
        ARPHRD_IEEE80211_RADIOTAP, ARPHRD_PHONET_PIPE, ARPHRD_NONE,
      ])
    expectEqual(
      Array(HardwareType.withoutIP),
      [ARPHRD_CAN, ARPHRD_MCTP, ARPHRD_IEEE802154, ARPHRD_IEEE802154_MONITOR, ARPHRD_PHONET])
    expectEqual(
      Array(HardwareType.plainTunnels), [ARPHRD_TUNNEL, ARPHRD_TUNNEL6, ARPHRD_SIT, ARPHRD_IPGRE, ARPHRD_IP6GRE])
    expectEqual(
      [AddressFlags.optimistic, .duplicate, .deprecated, .tentative].map(\.rawValue),
      [IFA_F_OPTIMISTIC, IFA_F_DADFAILED, IFA_F_DEPRECATED, IFA_F_TENTATIVE])
    expectEqual(IPAddress.Family.allCases.map(\.rawValue), [AF_INET, AF_INET6])
    expectEqual(
      [
        RouteType.unicast, RouteType.local, RouteType.blackhole, RouteType.unreachable, RouteType.prohibit,
        RouteType.throw,
      ], [RTN_UNICAST, RTN_LOCAL, RTN_BLACKHOLE, RTN_UNREACHABLE, RTN_PROHIBIT, RTN_THROW])
    #expect(RouteType.name(UInt8(RTN_XRESOLVE)) == "xresolve")
  }

  @Test func `an instruction has the layout of the structure`() {
    let instruction = CoverFilter.Instruction(code: 0x0102, ifTrue: 3, ifFalse: 4, operand: 0x0506_0708)
    let structure = unsafe unsafeBitCast(instruction.encoded, to: sock_filter.self)
    #expect(structure.code == instruction.code)
    #expect(structure.jt == instruction.ifTrue)
    #expect(structure.jf == instruction.ifFalse)
    #expect(structure.k == instruction.operand)
  }

  private func expectEqual(
    _ ours: [some BinaryInteger], _ theirs: [some BinaryInteger], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(ours.map { Int($0) } == theirs.map { Int($0) }, sourceLocation: sourceLocation)
  }
}
