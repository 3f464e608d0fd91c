/// What an interface costs by its DHCP lease: Android's hotspots say `ANDROID_METERED` in option 43 (RFC 2132,
/// vendor-specific information), also to clients that have not asked.
enum LeaseCost {
  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    for lease in candidate.network.leases where lease.isMetered {
      // A lease file outlives its lease: it counts as long as the interface has the address.
      guard candidate.addresses.contains(where: { $0.address == lease.address }) else { continue }
      evidence.append(
        Evidence(
          .lease, .expensive, .certain,
          "\(candidate.name) has a DHCP lease of \(lease.address) with ANDROID_METERED, as from an Android hotspot"))
    }
  }
}
