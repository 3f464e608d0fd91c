package import PathModel

extension NetworkPath {
  /// A path with a value in each field: it has no null, empty array, false or zero, and each field differs from that of
  /// ``NetworkPath/unknown``.
  package static let full: NetworkPath = {
    var path = NetworkPath.unknown
    for field in Field.allCases { field.fill(&path) }
    return path
  }()
}

extension NetworkPath.Field {
  /// Gives the field of a path a value that no new path has.
  package func fill(_ path: inout NetworkPath) {
    switch self {
    case .status: path.status = .satisfied
    case .knowledge: path.knowledge = .stale
    case .unsatisfiedReason: path.unsatisfiedReason = UnsatisfiedReason(rawValue: "brandNew")
    case .interfaces: path.interfaces = [.full]
    case .interfaceType: path.interfaceType = .wifi
    case .usesTunnel: path.usesTunnel = true
    case .isExpensive: path.isExpensive = true
    case .isConstrained: path.isConstrained = true
    case .cost: path.cost = .full
    case .supportsIPv4: path.supportsIPv4 = true
    case .supportsIPv6: path.supportsIPv6 = true
    case .supportsDNS: path.supportsDNS = true
    case .gateways: path.gateways = ["192.0.2.1", "fe80::1"].compactMap { IPAddress($0) }
    case .gatewayScopes: path.gateways = ["192.0.2.1", "fe80::1%wlan0"].compactMap { IPAddress($0) }
    case .overrides: path.overrides = ["expensive, says \"root\"\n"]
    case .sequence: path.sequence = 7
    case .boottimeMicroseconds: path.boottimeMicroseconds = 9_007_199_254_740_993
    case .changed: path.changed = ["status", "interfaces"]
    }
  }
}

extension NetworkInterface {
  /// An interface with a value in each field.
  package static let full = NetworkInterface(
    name: "wlan0", index: 3, type: .wifi, isExpensive: true, isConstrained: true, underlying: ["eth0"],
    underlyingTypes: [.wiredEthernet], mtu: 1_500, hardwareAddress: "02:00:00:00:00:03",
    addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { Address($0) }, driver: "iwlwifi")
}

extension Cost {
  /// A cost with a value in each field.
  package static let full = Cost(
    isExpensive: true, isConstrained: true, confidence: .likely,
    evidence: [Evidence(source: .gatewayAddress, verdict: .expensive, confidence: .likely, text: "a phone's")])
}
