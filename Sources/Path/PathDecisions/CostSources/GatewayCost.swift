internal import PathModel

/// The evidence from the addresses in the interface's network: some phones use the same ones for all their hotspots.
enum GatewayCost {
  /// 172.20.10.1: the router of an iPhone's Personal Hotspot, which always uses 172.20.10.0/28.
  private static let personalHotspotRouter = IPAddress(ipv4: 0xac14_0a01)
  /// 192.168.42.129: the router of older Android phones on a USB cable. Other networks use it as well, so it is
  /// evidence only together with a driver that such phones have.
  private static let cableRouter = IPAddress(ipv4: 0xc0a8_2a81)

  /// The routers that matter to the cost of an interface with these addresses.
  static func relevant(_ routers: [IPAddress], _ addresses: [AddressFacts]) -> [IPAddress] {
    let isInHotspot = isInHotspot(addresses)
    return routers.filter { $0 == cableRouter || isInHotspot }
  }

  private static func isInHotspot(_ addresses: [AddressFacts]) -> Bool {
    addresses.contains { $0.prefixLength == 28 && $0.address.matches(personalHotspotRouter, prefixLength: 28) }
  }

  static func judge(_ candidate: CostCandidate, _ evidence: inout [Evidence]) {
    // While a VPN carries IPv4, only the router of IPv6 may be known.
    let isItsRouter =
      candidate.gateways.contains(personalHotspotRouter)
      || !candidate.gateways.isEmpty && candidate.gateways.allSatisfy { $0.family == .ipv6 }
    if isItsRouter, isInHotspot(candidate.addresses) {
      evidence.append(
        Evidence(
          .gatewayAddress, .expensive, .likely,
          "\(candidate.name) is in 172.20.10.0/28, as behind an iPhone's hotspot"))
    }
    if let driver = candidate.device?.driver, DeviceCost.adapterDrivers.contains(driver),
      candidate.gateways.contains(cableRouter)
    {
      evidence.append(
        Evidence(
          .gatewayAddress, .expensive, .likely,
          "\(candidate.name) (driver \(driver)) has the router 192.168.42.129, as behind an Android phone on a cable"))
    }
  }
}
