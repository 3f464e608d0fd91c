import CNetlink

/// Groups of rtnetlink as bits, by the headers of the machine.
enum NetlinkGroups {
  /// Everything that a path depends on, bit 0 for group 1.
  static let ofPathEvents = [
    RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV4_RULE,
    RTNLGRP_IPV6_RULE, RTNLGRP_NEXTHOP, RTNLGRP_IPV4_NETCONF, RTNLGRP_IPV6_NETCONF,
  ].reduce(UInt32(0)) { $0 | 1 << ($1.rawValue - 1) }
}
