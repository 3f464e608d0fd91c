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

  @Test func `flags and states of links`() {
    let flags: [(LinkFlags, net_device_flags)] = [
      (.up, IFF_UP), (.loopback, IFF_LOOPBACK), (.pointToPoint, IFF_POINTOPOINT), (.running, IFF_RUNNING),
      (.lowerUp, IFF_LOWER_UP),
    ]
    for (ours, theirs) in flags { #expect(ours.rawValue == theirs.rawValue) }
    expectEqual([
      (OperationalState.unknown.rawValue, IF_OPER_UNKNOWN), (OperationalState.notPresent.rawValue, IF_OPER_NOTPRESENT),
      (OperationalState.down.rawValue, IF_OPER_DOWN),
      (OperationalState.lowerLayerDown.rawValue, IF_OPER_LOWERLAYERDOWN),
      (OperationalState.testing.rawValue, IF_OPER_TESTING), (OperationalState.dormant.rawValue, IF_OPER_DORMANT),
      (OperationalState.up.rawValue, IF_OPER_UP),
    ])
  }

  @Test func `hardware types`() {
    expectEqual([
      (HardwareType.ethernet, ARPHRD_ETHER), (HardwareType.infiniband, ARPHRD_INFINIBAND),
      (HardwareType.slip, ARPHRD_SLIP), (HardwareType.ppp, ARPHRD_PPP), (HardwareType.rawIP, ARPHRD_RAWIP),
      (HardwareType.loopback, ARPHRD_LOOPBACK), (HardwareType.wirelessMonitor.lowerBound, ARPHRD_IEEE80211),
      (HardwareType.wirelessMonitor.upperBound, ARPHRD_IEEE80211_RADIOTAP),
      (HardwareType.phonetPipe, ARPHRD_PHONET_PIPE),
      (HardwareType.none, ARPHRD_NONE),
    ])
    #expect(
      HardwareType.withoutIP.map(Int32.init)
        == [ARPHRD_CAN, ARPHRD_MCTP, ARPHRD_IEEE802154, ARPHRD_IEEE802154_MONITOR, ARPHRD_PHONET])
    #expect(
      HardwareType.plainTunnels.map(Int32.init)
        == [ARPHRD_TUNNEL, ARPHRD_TUNNEL6, ARPHRD_SIT, ARPHRD_IPGRE, ARPHRD_IP6GRE])
  }

  @Test func `flags of addresses`() {
    expectEqual([
      (AddressFlags.optimistic.rawValue, IFA_F_OPTIMISTIC), (AddressFlags.duplicate.rawValue, IFA_F_DADFAILED),
      (AddressFlags.deprecated.rawValue, IFA_F_DEPRECATED), (AddressFlags.tentative.rawValue, IFA_F_TENTATIVE),
    ])
  }

  @Test func `families and types of routes`() {
    expectEqual([(IPAddress.Family.ipv4.rawValue, AF_INET), (IPAddress.Family.ipv6.rawValue, AF_INET6)])
    expectEqual([
      (RouteType.unicast, RTN_UNICAST), (RouteType.local, RTN_LOCAL), (RouteType.blackhole, RTN_BLACKHOLE),
      (RouteType.unreachable, RTN_UNREACHABLE), (RouteType.prohibit, RTN_PROHIBIT), (RouteType.throw, RTN_THROW),
    ])
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
    _ pairs: [(some BinaryInteger, some BinaryInteger)], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (position, (ours, theirs)) in pairs.enumerated() {
      #expect(Int(ours) == Int(theirs), "number \(position) of the list", sourceLocation: sourceLocation)
    }
  }
}
