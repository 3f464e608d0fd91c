package import PathModel

extension PortalAddress {
  /// The codes of the options of DHCP: option 114 of RFC 8910, and option 160 of RFC 7710, which it replaces. The one
  /// that wins is first.
  static let options: [UInt8] = [114, 160]

  /// Whether an address is of `https`.
  package static func isSecure(_ address: String) -> Bool { address.lowercased().utf8.starts(with: "https://".utf8) }

  /// Whether the host is an address in numbers that only the local network has, or a name without a domain.
  package static func isLocal(_ address: String) -> Bool {
    let host = host(in: address)
    return number(of: host)?.isLocal ?? !host.contains(".")
  }
}

extension IPAddress {
  private static let localNetworks: [(IPAddress, Int)] = [
    (IPAddress(ipv4: 0x0a00_0000), 8), (IPAddress(ipv4: 0xac10_0000), 12), (IPAddress(ipv4: 0xc0a8_0000), 16),
    (IPAddress(ipv4: 0x6440_0000), 10), (IPAddress(ipv6: 0xfc00_0000_0000_0000, 0), 7),
    (IPAddress(ipv6: 0xfec0_0000_0000_0000, 0), 10),
  ]

  /// Whether no name of the Internet has the address: private (RFC 1918, RFC 4193, formerly RFC 3879), shared
  /// (RFC 6598), link-local, or loopback. The unspecified address is none: filters of advertisements answer it for
  /// blocked names.
  package var isLocal: Bool {
    isLinkLocal || isLoopback || Self.localNetworks.contains { matches($0.0, prefixLength: $0.1) }
  }
}

extension NetworkFactsTable {
  /// The way to have the DHCP client of an interface ask for the address for the sign-in; `nil` if there is an address,
  /// no lease, or a client that asks by itself, as systemd-networkd does.
  package func portalAdvice(for link: LinkFacts) -> String? {
    let leases = leasesByName[link.exactName] ?? []
    guard !leases.isEmpty, leasesByIndex[link.index] == nil, leases.allSatisfy({ $0.portal == nil }) else { return nil }
    return """
      the DHCP lease of \(link.name) names no address for the sign-in; dhclient asks for one with \
      'also request default-url;' in dhclient.conf(5), dhcpcd with the lines 'define 114 string captive_portal_uri' \
      and 'option captive_portal_uri' in dhcpcd.conf(5)
      """
  }
}
