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
  /// A value of a field that no new path has, and the JSON of both.
  package struct Example {
    /// The JSON of the field in ``NetworkPath/unknown``.
    package let unknownJSON: String
    /// The JSON of the field in ``NetworkPath/full``.
    package let fullJSON: String
    fileprivate let fill: (inout NetworkPath) -> Void

    fileprivate init(_ unknownJSON: String, _ fullJSON: String, _ fill: @escaping (inout NetworkPath) -> Void) {
      (self.unknownJSON, self.fullJSON, self.fill) = (unknownJSON, fullJSON, fill)
    }
  }

  /// The example of the field.
  package var example: Example {
    switch self {
    case .status: Example(#""requiresConnection""#, #""satisfied""#) { $0.status = .satisfied }
    case .knowledge: Example(#""unknown""#, #""stale""#) { $0.knowledge = .stale }
    case .unsatisfiedReason:
      Example("null", #""brandNew""#) { $0.unsatisfiedReason = UnsatisfiedReason(rawValue: "brandNew") }
    case .diagnosis:
      Example(
        "null",
        #"{"code":"noCarrier","subject":"eth0","sentence":"eth0 has no carrier","circumstances":["isPair"]}"#
      ) {
        var cause = Diagnosis(code: .noCarrier, subject: "eth0", sentence: "eth0 has no carrier")
        cause.circumstances = [.isPair]
        $0.diagnosis = cause
      }
    case .interfaces: Example("[]", "[\(NetworkInterface.fullJSON)]") { $0.interfaces = [.full] }
    case .interfaceType: Example("null", #""wifi""#) { $0.interfaceType = .wifi }
    case .usesTunnel: Example("false", "true") { $0.usesTunnel = true }
    case .isExpensive: Example("false", "true") { $0.isExpensive = true }
    case .isConstrained: Example("false", "true") { $0.isConstrained = true }
    case .cost: Example("null", Cost.fullJSON) { $0.cost = .full }
    case .supportsIPv4: Example("false", "true") { $0.supportsIPv4 = true }
    case .supportsIPv6: Example("false", "true") { $0.supportsIPv6 = true }
    case .supportsDNS: Example("false", "true") { $0.supportsDNS = true }
    case .gateways:
      Example("[]", #"["192.0.2.1","fe80::1"]"#) {
        $0.gateways = ["192.0.2.1", "fe80::1"].compactMap { IPAddress($0) }
      }
    case .gatewayScopes:
      Example("[]", #"["","wlan0"]"#) { $0.gateways = ["192.0.2.1", "fe80::1%wlan0"].compactMap { IPAddress($0) } }
    case .overrides:
      Example("[]", #"["expensive, says \"root\"\n"]"#) { $0.overrides = ["expensive, says \"root\"\n"] }
    case .sequence: Example("0", "7") { $0.sequence = 7 }
    case .boottimeMicroseconds:
      Example("0", "9007199254740993") { $0.boottimeMicroseconds = 9_007_199_254_740_993 }
    case .changed: Example("[]", #"["status","interfaces"]"#) { $0.changed = ["status", "interfaces"] }
    }
  }

  /// Gives the field of a path a value that no new path has.
  package func fill(_ path: inout NetworkPath) { example.fill(&path) }
}

extension NetworkInterface {
  /// An interface with a value in each field.
  package static let full = NetworkInterface(
    name: "wlan0", index: 3, type: .wifi, isExpensive: true, isConstrained: true, underlying: ["eth0"],
    underlyingTypes: [.wiredEthernet], mtu: 1_500, hardwareAddress: "02:00:00:00:00:03",
    addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { Address($0) }, driver: "iwlwifi",
    isExpenseUndetermined: true, alternativeNames: ["radio"])

  /// The JSON of this interface.
  fileprivate static let fullJSON = #"""
    {"name":"wlan0","index":3,"type":"wifi","isExpensive":true,"isConstrained":true,"underlying":["eth0"],\#
    "underlyingTypes":["wiredEthernet"],"mtu":1500,"hardwareAddress":"02:00:00:00:00:03",\#
    "addresses":["192.0.2.2/24","2001:db8::2/64"],"driver":"iwlwifi","isExpenseUndetermined":true,\#
    "alternativeNames":["radio"]}
    """#
}

extension Cost {
  /// A cost with a value in each field.
  package static let full = Cost(
    isExpensive: true, isConstrained: true, confidence: .likely,
    evidence: [Evidence(source: .gatewayAddress, verdict: .expensive, confidence: .likely, text: "a phone's")])

  /// The JSON of this cost.
  fileprivate static let fullJSON = #"""
    {"isExpensive":true,"isConstrained":true,"confidence":"likely","evidence":[{"source":"gatewayAddress",\#
    "verdict":"expensive","confidence":"likely","text":"a phone's"}]}
    """#
}
