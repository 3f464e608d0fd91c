package import JSON

/// Reads the output of `write(to:)`, also that of older and newer versions. Unknown keys are ignored. A missing
/// optional key stands for `nil`, `false`, 0 or an empty array.
extension NetworkPath {
  /// A path from its JSON object, which must have ``status``, ``knowledge`` and ``interfaces``.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Field>(json)
    var state = State(status: .requiresConnection, knowledge: .unknown)
    var (sequence, boottimeMicroseconds, changed) = (0, 0, [] as [String])
    for field in Field.all {
      switch field {
      case .status: state.status = try reader.required(field, try reader.choice(field, of: Status.self))
      case .knowledge: state.knowledge = try reader.required(field, try reader.choice(field, of: Knowledge.self))
      case .unsatisfiedReason:
        state.unsatisfiedReason = try reader.string(field).map { UnsatisfiedReason(rawValue: $0) }
      case .diagnosis: state.diagnosis = try reader.value(field, Diagnosis.init(json:))
      case .interfaces:
        let interfaces = try reader.array(field, NetworkInterface.init(json:))
        state.interfaces = try reader.required(field, interfaces)
      case .interfaceType: state.traffic.interfaceType = try reader.string(field).map { InterfaceType(openName: $0) }
      case .usesTunnel: state.traffic.usesTunnel = try reader.boolean(field) ?? false
      case .isExpensive: state.traffic.isExpensive = try reader.boolean(field) ?? false
      case .isConstrained: state.traffic.isConstrained = try reader.boolean(field) ?? false
      case .cost:
        state.traffic.cost = try reader.value(field, Cost.init(json:))
      case .supportsIPv4: state.traffic.supportsIPv4 = try reader.boolean(field) ?? false
      case .supportsIPv6: state.traffic.supportsIPv6 = try reader.boolean(field) ?? false
      case .supportsDNS: state.traffic.supportsDNS = try reader.boolean(field) ?? false
      // The scopes stand beside the gateways.
      case .gateways: state.gateways = try Self.gateways(reader)
      case .gatewayScopes: break
      case .overrides: state.overrides = try reader.strings(field) ?? []
      case .sequence: sequence = try reader.integer(field) ?? 0
      case .boottimeMicroseconds: boottimeMicroseconds = try reader.integer(field) ?? 0
      case .changed: changed = try reader.strings(field) ?? []
      }
    }
    self.init(state)
    (self.sequence, self.boottimeMicroseconds, self.changed) = (sequence, boottimeMicroseconds, changed)
  }
}

extension NetworkPath {
  /// The gateways with their scopes, if there is one for each.
  private static func gateways(_ reader: ObjectReader<Field>) throws(PathDecodingError) -> [IPAddress] {
    let gateways = try reader.array(.gateways, IPAddress.init(json:))
    guard let gateways else { return [] }
    let scopes = try reader.strings(.gatewayScopes) ?? []
    if scopes.isEmpty { return gateways }
    guard scopes.count == gateways.count else {
      throw PathDecodingError(
        key: Field.gatewayScopes.rawValue,
        message:
          "has \(scopes.count) elements and 'gateways' has \(gateways.count): there must be one for each, or none")
    }
    var scoped: [IPAddress] = []
    for (index, scope) in scopes.enumerated() {
      guard scope.isEmpty || InterfaceName.problem(with: scope) == nil else {
        throw PathDecodingError(
          key: "\(Field.gatewayScopes.rawValue)[\(index)]",
          message: "is not the name of an interface: \(scope.quotedInLine)")
      }
      scoped.append(scope.isEmpty ? gateways[index] : gateways[index].scoped(to: scope))
    }
    return scoped
  }
}

extension NetworkInterface {
  /// An interface from its JSON object, which must have ``name``, ``index`` and ``type``.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Field>(json)
    self.init(
      name: try reader.required(.name, try reader.string(.name)),
      index: try reader.required(.index, try reader.integer(.index)),
      type: InterfaceType(openName: try reader.required(.type, try reader.string(.type))),
      isExpensive: try reader.boolean(.isExpensive) ?? false,
      isConstrained: try reader.boolean(.isConstrained) ?? false,
      underlying: try reader.strings(.underlying) ?? [],
      underlyingTypes: try reader.strings(.underlyingTypes)?.map { InterfaceType(openName: $0) } ?? [],
      mtu: try reader.integer(.mtu),
      hardwareAddress: try reader.string(.hardwareAddress),
      addresses: try reader.array(.addresses, Address.init(json:)) ?? [],
      driver: try reader.string(.driver),
      isExpenseUndetermined: try reader.boolean(.isExpenseUndetermined) ?? false,
      alternativeNames: try reader.strings(.alternativeNames) ?? [])
  }
}

extension Cost {
  /// A cost from its JSON object.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Field>(json)
    self.init(
      isExpensive: try reader.boolean(.isExpensive) ?? false,
      isConstrained: try reader.boolean(.isConstrained) ?? false,
      confidence: try reader.string(.confidence).map { Evidence.Confidence(rawValue: $0) } ?? .unknown,
      evidence: try reader.array(.evidence, Evidence.init(json:)) ?? [])
  }
}

extension Evidence {
  /// A piece of evidence from its JSON object; all but the text must be there.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    let reader = try ObjectReader<Field>(json)
    self.init(
      source: Source(rawValue: try reader.required(.source, try reader.string(.source))),
      verdict: Verdict(rawValue: try reader.required(.verdict, try reader.string(.verdict))),
      confidence: Confidence(rawValue: try reader.required(.confidence, try reader.string(.confidence))),
      text: try reader.string(.text) ?? "")
  }
}

extension InterfaceType {
  /// The type with this name in JSON. New types may come up, so an unknown name stands for some other type.
  fileprivate init(openName name: String) {
    self = InterfaceType(rawValue: name) ?? .other
  }
}

extension LosslessStringConvertible {
  /// A value from its text in JSON; `kind` names it in errors, such as "an IP address".
  fileprivate init(json: JSONValue, as kind: String) throws(PathDecodingError) {
    guard let text = json.stringValue else { throw .wrongType(json, expected: "a string", key: "") }
    guard let value = Self(text) else {
      throw PathDecodingError(key: "", message: "is not \(kind): \(text.quotedInLine)")
    }
    self = value
  }
}

extension IPAddress {
  /// An address from its text in JSON.
  init(json: JSONValue) throws(PathDecodingError) {
    try self.init(json: json, as: "an IP address")
  }
}

extension NetworkInterface.Address {
  fileprivate init(json: JSONValue) throws(PathDecodingError) {
    try self.init(json: json, as: "an IP address with a prefix length")
  }
}
