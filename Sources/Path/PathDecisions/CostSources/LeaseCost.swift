internal import PathModel

/// The evidence from the interface's DHCP lease. Android's hotspots send `ANDROID_METERED` in option 43 (RFC 2132,
/// vendor-specific information), also to clients that have not asked for it.
///
/// A lease file outlives its lease: it is evidence only while the interface has the address. A file that cannot be read
/// does not show its address. It may be evidence for any IPv4 address of the interface whose lease is not known from
/// elsewhere: from another file, or from NetworkManager, which judges by the lease as well. If its name does not tell
/// the interface either, it is evidence only for addresses that end some day, as those of leases do.
enum LeaseCost {
  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    let name = candidate.name
    let leases = candidate.network.leases
    let addresses = candidate.addresses.map(\.address).filter { $0.family == .ipv4 }
    for lease in leases where lease.isMetered && addresses.contains(lease.address) {
      evidence.append(
        Evidence(
          .lease, .expensive, .certain,
          "\(name) has a DHCP lease of \(lease.address) with ANDROID_METERED, as from an Android hotspot"))
    }
    guard let unread = candidate.network.unreadLease, candidate.type != .loopback,
      (candidate.network.metered ?? .unknown) == .unknown
    else { return }
    let mayBeLeased = candidate.addresses.contains { address in
      address.address.family == .ipv4 && !leases.contains { $0.address == address.address }
        && (unread.namesInterface || !address.flags.contains(.permanent))
    }
    guard mayBeLeased else { return }
    evidence.append(
      Evidence(
        .lease, .undetermined, .unknown,
        "\(name) may have a DHCP lease with ANDROID_METERED, which is not known: \(unread.reason)"))
  }
}
