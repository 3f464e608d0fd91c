public import Connectivity

/// Paths as tests need them, complete and known.
extension NetworkPath {
  /// A connected path over one interface.
  ///
  /// - Parameters:
  ///   - type: What carries the traffic.
  ///   - name: The name of the interface; `nil` for a usual one.
  ///   - isExpensive: Whether it costs; `nil` for what is usual for the type.
  ///   - isConstrained: Whether programs are to use little data.
  public static func online(
    over type: InterfaceType = .wiredEthernet, name: String? = nil, isExpensive: Bool? = nil,
    isConstrained: Bool = false
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
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: name ?? usualName, index: index, type: type, isExpensive: isExpensive, isConstrained: isConstrained,
        addresses: ["192.0.2.2/24", "2001:db8::2/64"])
    ]
    path.interfaceType = type
    path.usesTunnel = type == .other
    (path.isExpensive, path.isConstrained) = (isExpensive, isConstrained)
    path.cost = Cost(isExpensive: isExpensive, isConstrained: isConstrained, confidence: "likely", evidence: [])
    (path.supportsIPv4, path.supportsIPv6, path.supportsDNS) = (true, true, true)
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    return path
  }

  /// A path that is not there.
  ///
  /// - Parameter reason: Why.
  public static func offline(because reason: UnsatisfiedReason = .noRoute) -> NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    return path
  }

  /// A path that is not there, for want of a route.
  public static var offline: NetworkPath { offline() }
}
