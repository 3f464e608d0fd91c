/// The numbers of rtnetlink that we use, by the names of the headers. A test compares each with the header of
/// the machine it runs on.
enum MessageType {
  static let error: UInt16 = 2  // NLMSG_ERROR
  static let done: UInt16 = 3  // NLMSG_DONE
  static let newLink: UInt16 = 16  // RTM_NEWLINK
  static let deleteLink: UInt16 = 17  // RTM_DELLINK
  static let getLink: UInt16 = 18  // RTM_GETLINK
  static let newAddress: UInt16 = 20  // RTM_NEWADDR
  static let deleteAddress: UInt16 = 21  // RTM_DELADDR
  static let getAddress: UInt16 = 22  // RTM_GETADDR
  static let newRoute: UInt16 = 24  // RTM_NEWROUTE
  static let deleteRoute: UInt16 = 25  // RTM_DELROUTE
  static let getRoute: UInt16 = 26  // RTM_GETROUTE
  static let newRule: UInt16 = 32  // RTM_NEWRULE
  static let deleteRule: UInt16 = 33  // RTM_DELRULE
  static let newNeighbour: UInt16 = 28  // RTM_NEWNEIGH
  static let deleteNeighbour: UInt16 = 29  // RTM_DELNEIGH
  static let getNeighbour: UInt16 = 30  // RTM_GETNEIGH
  static let getRule: UInt16 = 34  // RTM_GETRULE
  static let newSettings: UInt16 = 80  // RTM_NEWNETCONF
  static let newNextHop: UInt16 = 104  // RTM_NEWNEXTHOP
  static let getNextHop: UInt16 = 106  // RTM_GETNEXTHOP
  // Of another family of netlink, sock_diag(7):
  static let socketDiagnosis: UInt16 = 20  // SOCK_DIAG_BY_FAMILY
  static let destroySocket: UInt16 = 21  // SOCK_DESTROY
}

enum MessageFlag {
  static let request: UInt16 = 0x1  // NLM_F_REQUEST
  static let dumpInterrupted: UInt16 = 0x10  // NLM_F_DUMP_INTR
  static let dump: UInt16 = 0x300  // NLM_F_DUMP
}

enum LinkAttribute {
  static let address: UInt16 = 1  // IFLA_ADDRESS
  static let name: UInt16 = 3  // IFLA_IFNAME
  static let mtu: UInt16 = 4  // IFLA_MTU
  static let parent: UInt16 = 5  // IFLA_LINK
  static let master: UInt16 = 10  // IFLA_MASTER
  static let wireless: UInt16 = 11  // IFLA_WIRELESS
  static let protocolInformation: UInt16 = 12  // IFLA_PROTINFO
  static let operationalState: UInt16 = 16  // IFLA_OPERSTATE
  static let information: UInt16 = 18  // IFLA_LINKINFO
  static let families: UInt16 = 26  // IFLA_AF_SPEC
  static let extensionMask: UInt16 = 29  // IFLA_EXT_MASK
  static let carrier: UInt16 = 33  // IFLA_CARRIER
  static let parentNamespace: UInt16 = 37  // IFLA_LINK_NETNSID
  static let propertyList: UInt16 = 52  // IFLA_PROP_LIST
  static let alternativeName: UInt16 = 53  // IFLA_ALT_IFNAME
}

enum LinkInformationAttribute {
  static let kind: UInt16 = 1  // IFLA_INFO_KIND
  static let data: UInt16 = 2  // IFLA_INFO_DATA
  static let portKind: UInt16 = 4  // IFLA_INFO_SLAVE_KIND
  static let portData: UInt16 = 5  // IFLA_INFO_SLAVE_DATA
  static let bondMode: UInt16 = 1  // IFLA_BOND_MODE
  static let bondActivePort: UInt16 = 2  // IFLA_BOND_ACTIVE_SLAVE
  static let bondTargets: UInt16 = 8  // IFLA_BOND_ARP_IP_TARGET
  static let bondLeastPorts: UInt16 = 18  // IFLA_BOND_MIN_LINKS
  static let bridgeVLANFiltering: UInt16 = 7  // IFLA_BR_VLAN_FILTERING
  static let vlan: UInt16 = 1  // IFLA_VLAN_ID
  static let vxlanParent: UInt16 = 3  // IFLA_VXLAN_LINK
  static let vxlanServer: UInt16 = 2  // IFLA_VXLAN_GROUP
  static let vxlanServerIPv6: UInt16 = 16  // IFLA_VXLAN_GROUP6
  static let vxlanSource: UInt16 = 4  // IFLA_VXLAN_LOCAL
  static let vxlanSourceIPv6: UInt16 = 17  // IFLA_VXLAN_LOCAL6
  static let geneveServer: UInt16 = 2  // IFLA_GENEVE_REMOTE
  static let geneveServerIPv6: UInt16 = 7  // IFLA_GENEVE_REMOTE6
  static let greServer: UInt16 = 7  // IFLA_GRE_REMOTE
  static let greSource: UInt16 = 6  // IFLA_GRE_LOCAL
  static let greMark: UInt16 = 20  // IFLA_GRE_FWMARK
  static let ipServer: UInt16 = 3  // IFLA_IPTUN_REMOTE
  static let ipSource: UInt16 = 2  // IFLA_IPTUN_LOCAL
  static let ipMark: UInt16 = 20  // IFLA_IPTUN_FWMARK
  static let vtiServer: UInt16 = 5  // IFLA_VTI_REMOTE
  static let vtiSource: UInt16 = 4  // IFLA_VTI_LOCAL
  static let vtiMark: UInt16 = 6  // IFLA_VTI_FWMARK
}

/// The port of a bridge, in `IFLA_PROTINFO` of messages of the bridge and in `IFLA_INFO_SLAVE_DATA`.
enum BridgePortAttribute {
  static let state: UInt16 = 1  // IFLA_BRPORT_STATE
  static let disabled: UInt8 = 0  // BR_STATE_DISABLED
  static let forwarding: UInt8 = 3  // BR_STATE_FORWARDING
}

/// The VLANs of a bridge and its ports, in `IFLA_AF_SPEC` of messages of the bridge.
enum VLANAttribute {
  static let information: UInt16 = 2  // IFLA_BRIDGE_VLAN_INFO
  static let own: UInt16 = 0x2  // BRIDGE_VLAN_INFO_PVID
  static let rangeBegin: UInt16 = 0x8  // BRIDGE_VLAN_INFO_RANGE_BEGIN
  /// The dump asks for ranges of VLANs.
  static let ranges: UInt32 = 0x4  // RTEXT_FILTER_BRVLAN_COMPRESSED
}

/// The families of messages about links.
enum LinkFamily {
  static let bridge: UInt8 = 7  // AF_BRIDGE
}

/// The settings of a link by family, in `IFLA_AF_SPEC`.
enum LinkSettings {
  static let ipv4: UInt16 = 2  // AF_INET
  static let ipv4Values: UInt16 = 1  // IFLA_INET_CONF
}

enum SettingsAttribute {
  static let interface: UInt16 = 1  // NETCONFA_IFINDEX
  static let forwarding: UInt16 = 2  // NETCONFA_FORWARDING
}

enum InterfaceAddressAttribute {
  static let address: UInt16 = 1  // IFA_ADDRESS
  static let local: UInt16 = 2  // IFA_LOCAL
  static let times: UInt16 = 6  // IFA_CACHEINFO
  static let flags: UInt16 = 8  // IFA_FLAGS
}

/// `IPPROTO_TCP`. The headers of the kernel and of the C library both have it, which hides it from Swift.
let protocolTCP: UInt8 = 6

enum ConnectionAttribute {
  static let program: UInt16 = 1  // INET_DIAG_REQ_BYTECODE
  static let information: UInt16 = 2  // INET_DIAG_INFO
  static let options: UInt16 = 22  // INET_DIAG_SOCKOPT
}

enum RouteAttribute {
  static let destination: UInt16 = 1  // RTA_DST
  static let source: UInt16 = 2  // RTA_SRC
  static let outputInterface: UInt16 = 4  // RTA_OIF
  static let gateway: UInt16 = 5  // RTA_GATEWAY
  static let priority: UInt16 = 6  // RTA_PRIORITY
  static let preferredSource: UInt16 = 7  // RTA_PREFSRC
  static let multipath: UInt16 = 9  // RTA_MULTIPATH
  static let cacheInformation: UInt16 = 12  // RTA_CACHEINFO
  static let table: UInt16 = 15  // RTA_TABLE
  static let mark: UInt16 = 16  // RTA_MARK
  static let via: UInt16 = 18  // RTA_VIA
  static let preference: UInt16 = 20  // RTA_PREF
  static let user: UInt16 = 25  // RTA_UID
  static let protocolNumber: UInt16 = 27  // RTA_IP_PROTO
  static let nextHopObject: UInt16 = 30  // RTA_NH_ID
}

enum RouteOrigin {
  static let kernel: UInt8 = 2  // RTPROT_KERNEL
}

enum RuleAttribute {
  static let destination: UInt16 = 1  // FRA_DST
  static let source: UInt16 = 2  // FRA_SRC
  static let inputInterface: UInt16 = 3  // FRA_IIFNAME
  static let goTo: UInt16 = 4  // FRA_GOTO
  static let priority: UInt16 = 6  // FRA_PRIORITY
  static let mark: UInt16 = 10  // FRA_FWMARK
  static let suppressedPrefixLength: UInt16 = 14  // FRA_SUPPRESS_PREFIXLEN
  static let table: UInt16 = 15  // FRA_TABLE
  static let markMask: UInt16 = 16  // FRA_FWMASK
  static let outputInterface: UInt16 = 17  // FRA_OIFNAME
  static let routingDomains: UInt16 = 19  // FRA_L3MDEV
  static let userRange: UInt16 = 20  // FRA_UID_RANGE
  static let protocolNumber: UInt16 = 22  // FRA_IP_PROTO
  static let sourcePorts: UInt16 = 23  // FRA_SPORT_RANGE
  static let destinationPorts: UInt16 = 24  // FRA_DPORT_RANGE
}

enum RuleAction {
  static let lookup: UInt8 = 1  // FR_ACT_TO_TBL
  static let goTo: UInt8 = 2  // FR_ACT_GOTO
  static let blackhole: UInt8 = 6  // FR_ACT_BLACKHOLE
  static let unreachable: UInt8 = 7  // FR_ACT_UNREACHABLE
  static let prohibit: UInt8 = 8  // FR_ACT_PROHIBIT
}

enum RuleFlag {
  static let inverted: UInt32 = 0x2  // FIB_RULE_INVERT
}

enum NeighbourAttribute {
  static let destination: UInt16 = 1  // NDA_DST
  static let cacheInfo: UInt16 = 3  // NDA_CACHEINFO
}

enum RouterPreferenceCode {
  static let high: UInt8 = 1  // ICMPV6_ROUTER_PREF_HIGH
  static let low: UInt8 = 3  // ICMPV6_ROUTER_PREF_LOW
}

enum RouteFlag {
  static let cloned: UInt32 = 0x200  // RTM_F_CLONED
  static let lookupTable: UInt32 = 0x1000  // RTM_F_LOOKUP_TABLE
  static let matchedEntry: UInt32 = 0x2000  // RTM_F_FIB_MATCH
}

enum NeighbourFlag {
  static let incomplete: UInt16 = 0x1  // NUD_INCOMPLETE
  static let reachable: UInt16 = 0x2  // NUD_REACHABLE
  static let known: UInt16 = 0xdc  // NUD_STALE, NUD_DELAY, NUD_PROBE, NUD_NOARP and NUD_PERMANENT
  static let failed: UInt16 = 0x20  // NUD_FAILED
}

enum NextHopAttribute {
  static let identifier: UInt16 = 1  // NHA_ID
  static let group: UInt16 = 2  // NHA_GROUP
  static let outputInterface: UInt16 = 5  // NHA_OIF
  static let gateway: UInt16 = 6  // NHA_GATEWAY
}

enum NextHopFlag {
  static let dead: UInt8 = 0x1  // RTNH_F_DEAD
  static let linkDown: UInt8 = 0x10  // RTNH_F_LINKDOWN
}

/// The dump asks the kernel to leave out the counters of each link (`RTEXT_FILTER_SKIP_STATS`).
let skipStatistics: UInt32 = 0x8
