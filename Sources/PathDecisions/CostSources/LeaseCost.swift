internal import PathModel

/// The evidence from the interface's DHCP lease. Android's hotspots send `ANDROID_METERED` in option 43 (RFC 2132,
/// vendor-specific information), also to clients that have not asked for it.
enum LeaseCost {
  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    for lease in candidate.network.leases where lease.isMetered {
      // A lease file outlives its lease: it is evidence only while the interface has the address.
      guard candidate.addresses.contains(where: { $0.address == lease.address }) else { continue }
      evidence.append(
        Evidence(
          .lease, .expensive, .certain,
          "\(candidate.name) has a DHCP lease of \(lease.address) with ANDROID_METERED, as from an Android hotspot"))
    }
  }
}
