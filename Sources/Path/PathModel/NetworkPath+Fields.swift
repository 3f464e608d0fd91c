/// The one description of a path's fields. Equality, the names of changed fields and JSON in both directions walk the
/// cases of ``NetworkPath/Field``, and each of them switches over all cases. Evaluations and restrictions give a path
/// its ``NetworkPath/Traffic`` as a whole.
extension NetworkPath {
  /// The fields of a path, by their JSON keys and in the order of the wire.
  package enum Field: String, CodingKey, CaseIterable, Sendable {
    case status, knowledge, unsatisfiedReason, diagnosis, interfaces, interfaceType, usesTunnel
    case isExpensive, isConstrained, cost
    case supportsIPv4, supportsIPv6, supportsDNS, gateways, gatewayScopes, overrides
    // The place in a stream follows the state, because only the state is encoded once for all copies of a path.
    case sequence, boottimeMicroseconds, changed

    /// All fields. The position of a field in this list is that of its bit in a ``NetworkPath/FieldSet``.
    package static let all = allCases

    /// The number of fields of the state. The place in a stream follows them.
    package static let stateCount = all.prefix { $0 != .sequence }.count
  }

  /// The properties of a path without its place in a stream; see the properties of ``NetworkPath`` for their meanings.
  /// An unsatisfied path can have each of them except traffic.
  package struct State: Sendable {
    package var status: Status
    package var knowledge: Knowledge
    package var unsatisfiedReason: UnsatisfiedReason?
    package var diagnosis: Diagnosis?
    package var interfaces: [NetworkInterface]
    package var traffic: Traffic
    package var gateways: [IPAddress]
    package var overrides: [String]

    /// A state with all properties. None has a default, so that an evaluation cannot leave one out.
    package init(
      status: Status, knowledge: Knowledge, unsatisfiedReason: UnsatisfiedReason?, diagnosis: Diagnosis?,
      interfaces: [NetworkInterface], traffic: Traffic, gateways: [IPAddress], overrides: [String]
    ) {
      (self.status, self.knowledge) = (status, knowledge)
      (self.unsatisfiedReason, self.diagnosis) = (unsatisfiedReason, diagnosis)
      (self.interfaces, self.traffic) = (interfaces, traffic)
      (self.gateways, self.overrides) = (gateways, overrides)
    }

    /// A state of the given status and knowledge, with everything else empty.
    package init(status: Status, knowledge: Knowledge) {
      self.init(
        status: status, knowledge: knowledge, unsatisfiedReason: nil, diagnosis: nil, interfaces: [],
        traffic: Traffic(), gateways: [], overrides: [])
    }
  }

  /// The properties of the traffic, which only a satisfied path has. A path that becomes unsatisfied loses them.
  package struct Traffic: Sendable {
    package var interfaceType: InterfaceType?
    package var usesTunnel: Bool
    package var isExpensive: Bool
    package var isConstrained: Bool
    package var cost: Cost?
    package var supportsIPv4: Bool
    package var supportsIPv6: Bool
    package var supportsDNS: Bool

    /// Traffic with all properties. None has a default, so that an evaluation cannot leave one out.
    package init(
      interfaceType: InterfaceType?, usesTunnel: Bool, isExpensive: Bool, isConstrained: Bool, cost: Cost?,
      supportsIPv4: Bool, supportsIPv6: Bool, supportsDNS: Bool
    ) {
      (self.interfaceType, self.usesTunnel) = (interfaceType, usesTunnel)
      (self.isExpensive, self.isConstrained, self.cost) = (isExpensive, isConstrained, cost)
      (self.supportsIPv4, self.supportsIPv6, self.supportsDNS) = (supportsIPv4, supportsIPv6, supportsDNS)
    }

    /// No traffic.
    package init() {
      self.init(
        interfaceType: nil, usesTunnel: false, isExpensive: false, isConstrained: false, cost: nil,
        supportsIPv4: false, supportsIPv6: false, supportsDNS: false)
    }

    /// The traffic of a socket bound to an interface.
    ///
    /// The kernel's answers concern unbound sockets; of bound ones it is known only that the route is usable. So the
    /// families are those of the interface's addresses, and the name servers are taken to be reachable over it. The
    /// evidence of its cost is left out, because the path does not list it by interface.
    func bound(to interface: NetworkInterface) -> Traffic {
      Traffic(
        interfaceType: interface.type, usesTunnel: false, isExpensive: interface.isExpensive,
        isConstrained: interface.isConstrained, cost: nil, supportsIPv4: interface.hasAddress(of: .ipv4),
        supportsIPv6: interface.hasAddress(of: .ipv6), supportsDNS: supportsDNS)
    }
  }
}

extension NetworkPath: FieldObject {
  /// The value of a field.
  package func value(of field: Field) -> FieldValue {
    switch field {
    case .status: .text(status.rawValue)
    case .knowledge: .text(knowledge.rawValue)
    case .unsatisfiedReason: .text(unsatisfiedReason?.rawValue)
    case .diagnosis: .diagnosis(knownDiagnosis)
    case .interfaces: .interfaces(interfaces)
    case .interfaceType: .text(interfaceType?.rawValue)
    case .usesTunnel: .flag(usesTunnel)
    case .isExpensive: .flag(isExpensive)
    case .isConstrained: .flag(isConstrained)
    case .cost: .cost(cost)
    case .supportsIPv4: .flag(supportsIPv4)
    case .supportsIPv6: .flag(supportsIPv6)
    case .supportsDNS: .flag(supportsDNS)
    case .gateways: .addresses(gateways.map { $0.scoped(to: nil) })
    // JSON has the scopes beside the addresses, so that a gateway reads the same whatever its interface is called.
    case .gatewayScopes: .texts(Self.scopes(of: gateways))
    case .overrides: .texts(overrides)
    case .sequence: .integer(sequence)
    case .boottimeMicroseconds: .integer(boottimeMicroseconds)
    case .changed: .changes(changes)
    }
  }

  /// The scope of each gateway, empty where it has none; no element at all if none of them has one.
  fileprivate static func scopes(of gateways: [IPAddress]) -> [String] {
    gateways.contains { $0.scope != nil } ? gateways.map { $0.scope ?? "" } : []
  }
}

extension NetworkPath.State: Equatable {
  /// Equality of all fields, without the texts of evidence and the sentence of the diagnosis.
  package static func == (left: Self, right: Self) -> Bool {
    for field in NetworkPath.Field.all where left.differs(from: right, in: field) { return false }
    return true
  }

  /// The fields in which two states differ.
  func differences(from other: Self) -> NetworkPath.FieldSet {
    var fields = NetworkPath.FieldSet()
    for (position, field) in NetworkPath.Field.all.enumerated() where differs(from: other, in: field) {
      fields.insert(NetworkPath.FieldSet(position: position))
    }
    return fields
  }

  /// Whether two states differ in a field. Every published path passes through here: it is a switch, not
  /// a table, and inlined, which saves 1 % of the instructions of a change (row `route`).
  @inline(__always)
  private func differs(from other: Self, in field: NetworkPath.Field) -> Bool {
    switch field {
    case .status: status != other.status
    case .knowledge: knowledge != other.knowledge
    case .unsatisfiedReason: unsatisfiedReason != other.unsatisfiedReason
    case .diagnosis: diagnosis?.differs(from: other.diagnosis) ?? (other.diagnosis != nil)
    case .interfaces: interfaces != other.interfaces
    case .interfaceType: traffic.interfaceType != other.traffic.interfaceType
    case .usesTunnel: traffic.usesTunnel != other.traffic.usesTunnel
    case .isExpensive: traffic.isExpensive != other.traffic.isExpensive
    case .isConstrained: traffic.isConstrained != other.traffic.isConstrained
    case .cost: traffic.cost != other.traffic.cost
    case .supportsIPv4: traffic.supportsIPv4 != other.traffic.supportsIPv4
    case .supportsIPv6: traffic.supportsIPv6 != other.traffic.supportsIPv6
    case .supportsDNS: traffic.supportsDNS != other.traffic.supportsDNS
    case .gateways: gateways != other.gateways
    // A scope is a part of its gateway: paths with equal gateways have equal scopes.
    case .gatewayScopes:
      gateways != other.gateways && NetworkPath.scopes(of: gateways) != NetworkPath.scopes(of: other.gateways)
    case .overrides: !overrides.elementsEqual(other.overrides) { $0.exact == $1.exact }
    // The place in a stream is no part of the state.
    case .sequence, .boottimeMicroseconds, .changed: false
    }
  }
}
