package import PathModel

/// Paths for tests and simulations, complete and known.
extension NetworkPath {
  /// A connected path over one interface.
  package static func example(
    over type: InterfaceType, name: String?, isExpensive: Bool?, isConstrained: Bool
  ) -> NetworkPath {
    let (index, usualName) =
      switch type {
      case .wiredEthernet: (2, "eth0")
      case .wifi: (3, "wlan0")
      case .cellular: (4, "wwan0")
      case .loopback: (1, "lo")
      case .other: (5, "tun0")
      }
    let isExpensive = isExpensive ?? (type == .cellular)
    // Each kind of network gives addresses of its own.
    let addresses = [
      NetworkInterface.Address(IPAddress(ipv4: 0xc000_0200 | UInt32(index)), prefixLength: 24),
      NetworkInterface.Address(IPAddress(ipv6: 0x2001_0db8 << 32, UInt64(index)), prefixLength: 64),
    ]
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: name ?? usualName, index: index, type: type, isExpensive: isExpensive, isConstrained: isConstrained,
        addresses: addresses)
    ]
    path.interfaceType = type
    path.usesTunnel = type == .other
    (path.isExpensive, path.isConstrained) = (isExpensive, isConstrained)
    path.cost = Cost(isExpensive: isExpensive, isConstrained: isConstrained, confidence: .likely, evidence: [])
    (path.supportsIPv4, path.supportsIPv6, path.supportsDNS) = (true, true, true)
    path.sourceAddresses = addresses.map(\.address)
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    return path
  }
}
