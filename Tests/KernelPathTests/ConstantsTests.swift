import CNetlink
import PathDecisions
import PathModel
import Testing

@testable import KernelPath

/// Our numbers against the kernel headers of the machine that the tests are built on.
@Suite("Constants equal the kernel headers")
struct ConstantsTests {
  @Test func `message types and flags`() {
    expectEqual([
      (MessageType.error, NLMSG_ERROR), (MessageType.done, NLMSG_DONE), (MessageFlag.request, NLM_F_REQUEST),
      (MessageFlag.dumpInterrupted, NLM_F_DUMP_INTR), (MessageFlag.dump, NLM_F_DUMP),
    ])
    expectEqual([
      (MessageType.newLink, RTM_NEWLINK), (MessageType.deleteLink, RTM_DELLINK), (MessageType.getLink, RTM_GETLINK),
      (MessageType.newAddress, RTM_NEWADDR), (MessageType.deleteAddress, RTM_DELADDR),
      (MessageType.getAddress, RTM_GETADDR), (MessageType.newRoute, RTM_NEWROUTE),
      (MessageType.deleteRoute, RTM_DELROUTE), (MessageType.getRoute, RTM_GETROUTE),
      (MessageType.newRule, RTM_NEWRULE), (MessageType.deleteRule, RTM_DELRULE),
      (MessageType.getRule, RTM_GETRULE), (MessageType.getNeighbour, RTM_GETNEIGH),
      (MessageType.newNeighbour, RTM_NEWNEIGH),
      (MessageType.deleteNeighbour, RTM_DELNEIGH),
      (MessageType.newSettings, RTM_NEWNETCONF), (MessageType.newNextHop, RTM_NEWNEXTHOP),
      (MessageType.getNextHop, RTM_GETNEXTHOP),
    ])
  }

  @Test func `attributes of links`() {
    expectEqual([
      (LinkAttribute.address, IFLA_ADDRESS), (LinkAttribute.name, IFLA_IFNAME), (LinkAttribute.mtu, IFLA_MTU),
      (LinkAttribute.parent, IFLA_LINK), (LinkAttribute.master, IFLA_MASTER), (LinkAttribute.wireless, IFLA_WIRELESS),
      (LinkAttribute.operationalState, IFLA_OPERSTATE), (LinkAttribute.information, IFLA_LINKINFO),
      (LinkAttribute.extensionMask, IFLA_EXT_MASK), (LinkAttribute.carrier, IFLA_CARRIER),
      (LinkAttribute.parentNamespace, IFLA_LINK_NETNSID),
      (LinkAttribute.propertyList, IFLA_PROP_LIST), (LinkAttribute.alternativeName, IFLA_ALT_IFNAME),
      (LinkAttribute.protocolInformation, IFLA_PROTINFO),
    ])
    expectEqual([
      (LinkInformationAttribute.kind, IFLA_INFO_KIND), (LinkInformationAttribute.data, IFLA_INFO_DATA),
      (LinkInformationAttribute.portKind, IFLA_INFO_SLAVE_KIND),
      (LinkInformationAttribute.portData, IFLA_INFO_SLAVE_DATA), (BridgePortAttribute.state, IFLA_BRPORT_STATE),
    ])
    #expect(skipStatistics == UInt32(RTEXT_FILTER_SKIP_STATS))
  }

  @Test func `attributes of the kinds of links that name the link below`() {
    expectEqual([
      (LinkInformationAttribute.bondActivePort, IFLA_BOND_ACTIVE_SLAVE),
      (LinkInformationAttribute.vxlanServer, IFLA_VXLAN_GROUP),
      (LinkInformationAttribute.vxlanServerIPv6, IFLA_VXLAN_GROUP6),
      (LinkInformationAttribute.vxlanSource, IFLA_VXLAN_LOCAL),
      (LinkInformationAttribute.vxlanSourceIPv6, IFLA_VXLAN_LOCAL6),
      (LinkInformationAttribute.vxlanParent, IFLA_VXLAN_LINK),
    ])
  }

  @Test func `lists of connections`() {
    expectEqual([
      (MessageType.socketDiagnosis, Int(SOCK_DIAG_BY_FAMILY)), (MessageType.destroySocket, Int(SOCK_DESTROY)),
      (ConnectionAttribute.program, INET_DIAG_REQ_BYTECODE), (ConnectionAttribute.information, INET_DIAG_INFO),
      (ConnectionAttribute.options, INET_DIAG_SOCKOPT),
    ])
    #expect(MemoryLayout<inet_diag_msg>.size == 72 && MemoryLayout<inet_diag_req_v2>.size == 56)
    #expect(MemoryLayout<inet_diag_hostcond>.size == 8 && MemoryLayout<inet_diag_bc_op>.size == 4)
  }

  @Test func `settings of links`() {
    expectEqual([(LinkAttribute.families, IFLA_AF_SPEC), (LinkSettings.ipv4Values, IFLA_INET_CONF)])
    expectEqual([
      (SettingsAttribute.interface, NETCONFA_IFINDEX), (SettingsAttribute.forwarding, NETCONFA_FORWARDING),
    ])
  }

  @Test func `the origin of a route`() { #expect(Int(RouteOrigin.kernel) == Int(RTPROT_KERNEL)) }

  @Test func `attributes of addresses`() {
    expectEqual([
      (InterfaceAddressAttribute.address, IFA_ADDRESS), (InterfaceAddressAttribute.local, IFA_LOCAL),
      (InterfaceAddressAttribute.flags, IFA_FLAGS),
    ])
  }

  @Test func `attributes and flags of routes`() {
    let attributes = [
      (RouteAttribute.destination, RTA_DST), (RouteAttribute.outputInterface, RTA_OIF),
      (RouteAttribute.gateway, RTA_GATEWAY), (RouteAttribute.priority, RTA_PRIORITY),
      (RouteAttribute.preferredSource, RTA_PREFSRC), (RouteAttribute.multipath, RTA_MULTIPATH),
      (RouteAttribute.cacheInformation, RTA_CACHEINFO), (RouteAttribute.table, RTA_TABLE),
      (RouteAttribute.via, RTA_VIA),
      (RouteAttribute.user, RTA_UID), (RouteAttribute.mark, RTA_MARK), (RouteAttribute.source, RTA_SRC),
      (RouteAttribute.protocolNumber, RTA_IP_PROTO), (RouteAttribute.preference, RTA_PREF),
    ]
    for (ours, theirs) in attributes { #expect(UInt32(ours) == theirs.rawValue) }
    expectEqual([
      (RouteFlag.cloned, RTM_F_CLONED), (RouteFlag.lookupTable, RTM_F_LOOKUP_TABLE),
      (RouteFlag.matchedEntry, RTM_F_FIB_MATCH),
    ])
    expectEqual([(NextHopFlag.dead, RTNH_F_DEAD), (NextHopFlag.linkDown, RTNH_F_LINKDOWN)])
    expectEqual([
      (RouterPreferenceCode.high, ICMPV6_ROUTER_PREF_HIGH), (RouterPreferenceCode.low, ICMPV6_ROUTER_PREF_LOW),
    ])
    expectEqual([(NeighbourFlag.failed, NUD_FAILED), (NeighbourFlag.incomplete, NUD_INCOMPLETE)])
  }

  @Test func `attributes of rules`() {
    expectEqual([
      (RuleAttribute.destination, FRA_DST), (RuleAttribute.source, FRA_SRC),
      (RuleAttribute.inputInterface, FRA_IIFNAME),
      (RuleAttribute.goTo, FRA_GOTO), (RuleAttribute.priority, FRA_PRIORITY), (RuleAttribute.mark, FRA_FWMARK),
      (RuleAttribute.suppressedPrefixLength, FRA_SUPPRESS_PREFIXLEN), (RuleAttribute.table, FRA_TABLE),
      (RuleAttribute.markMask, FRA_FWMASK), (RuleAttribute.outputInterface, FRA_OIFNAME),
      (RuleAttribute.routingDomains, FRA_L3MDEV), (RuleAttribute.userRange, FRA_UID_RANGE),
      (RuleAttribute.protocolNumber, FRA_IP_PROTO), (RuleAttribute.sourcePorts, FRA_SPORT_RANGE),
      (RuleAttribute.destinationPorts, FRA_DPORT_RANGE),
    ])
    expectEqual([
      (RuleAction.lookup, FR_ACT_TO_TBL), (RuleAction.goTo, FR_ACT_GOTO), (RuleAction.blackhole, FR_ACT_BLACKHOLE),
      (RuleAction.unreachable, FR_ACT_UNREACHABLE), (RuleAction.prohibit, FR_ACT_PROHIBIT),
    ])
    expectEqual([(RuleFlag.inverted, FIB_RULE_INVERT)])
    expectEqual([(NeighbourAttribute.destination, NDA_DST)])
    #expect(MemoryLayout<fib_rule_hdr>.size == 12)
    #expect(MemoryLayout<fib_rule_uid_range>.size == 8)
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

  @Test func `numbers of bonds, of VLANs and of MACsec`() {
    typealias Known = LinkInformationAttribute
    expectEqual([
      (Known.bondMode, IFLA_BOND_MODE), (Known.bondTargets, IFLA_BOND_ARP_IP_TARGET),
      (Known.bondLeastPorts, IFLA_BOND_MIN_LINKS),
    ])
    expectEqual([(Known.bridgeVLANFiltering, IFLA_BR_VLAN_FILTERING)])
    expectEqual([(Known.vlan, IFLA_VLAN_ID)])
    expectEqual([
      (VLANAttribute.information, IFLA_BRIDGE_VLAN_INFO), (VLANAttribute.own, Int(BRIDGE_VLAN_INFO_PVID)),
      (VLANAttribute.rangeBegin, Int(BRIDGE_VLAN_INFO_RANGE_BEGIN)),
    ])
    expectEqual([(VLANAttribute.ranges, RTEXT_FILTER_BRVLAN_COMPRESSED)])
    expectEqual([
      (MACsecAttribute.interfaceIndex, MACSEC_ATTR_IFINDEX.rawValue),
      (MACsecAttribute.entity, MACSEC_ATTR_SECY.rawValue),
      (MACsecAttribute.associations, MACSEC_ATTR_TXSA_LIST.rawValue),
      (MACsecAttribute.sendingAssociation, MACSEC_SECY_ATTR_ENCODING_SA.rawValue),
      (MACsecAttribute.protects, MACSEC_SECY_ATTR_PROTECT.rawValue),
      (MACsecAttribute.number, MACSEC_SA_ATTR_AN.rawValue),
      (MACsecAttribute.isActive, MACSEC_SA_ATTR_ACTIVE.rawValue),
    ])
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

  @Test func `operations of the event filter`() {
    typealias Operation = CoverFilter.Operation
    expectEqual([
      (Operation.loadByte, BPF_LD | BPF_B | BPF_ABS), (Operation.loadHalf, BPF_LD | BPF_H | BPF_ABS),
      (Operation.loadWord, BPF_LD | BPF_W | BPF_ABS), (Operation.loadWordAtIndex, BPF_LD | BPF_W | BPF_IND),
      (Operation.loadConstant, BPF_LD | BPF_IMM), (Operation.loadIndexConstant, BPF_LDX | BPF_IMM),
      (Operation.loadMemory, BPF_LD | BPF_MEM), (Operation.loadIndexMemory, BPF_LDX | BPF_MEM),
      (Operation.store, BPF_ST), (Operation.copyToIndex, BPF_MISC | BPF_TAX),
      (Operation.add, BPF_ALU | BPF_ADD | BPF_K), (Operation.subtractIndex, BPF_ALU | BPF_SUB | BPF_X),
      (Operation.exclusiveOr, BPF_ALU | BPF_XOR | BPF_K), (Operation.shiftRightByIndex, BPF_ALU | BPF_RSH | BPF_X),
      (Operation.jumpIfEqual, BPF_JMP | BPF_JEQ | BPF_K), (Operation.jumpIfAtLeast, BPF_JMP | BPF_JGE | BPF_K),
      (Operation.jump, BPF_JMP | BPF_JA), (Operation.return, BPF_RET | BPF_K),
    ])
    #expect(CoverFilter.findAttribute == UInt32(bitPattern: SKF_AD_OFF + SKF_AD_NLATTR))
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
