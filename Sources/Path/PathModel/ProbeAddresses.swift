/// The destinations whose routes stand for "the Internet". No packet is ever sent to them.
package struct ProbeAddresses: Hashable, Sendable {
  /// The IPv4 destinations.
  package let ipv4: [IPAddress]
  /// The IPv6 destinations.
  package let ipv6: [IPAddress]

  /// The most probes of a family; it bounds the length of the kernel's event filter.
  package static let limit = 16

  /// Probes of both families in any order. A family without a probe is never supported. Duplicates are dropped.
  package init(_ addresses: [IPAddress]) {
    // There are a handful, so hashing would not pay.
    var different: [IPAddress] = []
    for address in addresses where !different.contains(address) { different.append(address) }
    ipv4 = different.filter { $0.family == .ipv4 }
    ipv6 = different.filter { $0.family == .ipv6 }
  }

  /// The probes of a family.
  package subscript(family: IPAddress.Family) -> [IPAddress] { family == .ipv4 ? ipv4 : ipv6 }

  /// Globally routed addresses, in both halves of IPv4: Apple's network, and anycast root servers. None is a public
  /// resolver, because VPN clients and network managers install host routes of their own to these.
  package static let standard = ProbeAddresses([
    IPAddress(ipv4: 0x11fd_0001),  // 17.253.0.1
    IPAddress(ipv4: 0xc100_0e81),  // 193.0.14.129, k.root-servers.net
    IPAddress(ipv4: 0xca0c_1b21),  // 202.12.27.33, m.root-servers.net
    IPAddress(ipv6: 0x2001_07fd_0000_0000, 1),  // 2001:7fd::1, k.root-servers.net
    IPAddress(ipv6: 0x2001_0dc3_0000_0000, 0x35),  // 2001:dc3::35, m.root-servers.net
    IPAddress(ipv6: 0x2620_0149_0000_0000, 1),  // 2620:149::1
  ])
}
