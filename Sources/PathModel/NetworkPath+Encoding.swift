/// Paths for any `Encoder`, in the form of the socket and of `pathctl --json`: the same keys and values, and null for
/// an absent value. So `JSONEncoder().encode(path)` gives the object that programs in other languages read.
///
/// The keys here are the ones that `PathCoding` reads and writes.
extension NetworkPath: Encodable {
  /// The keys of a path, in the order of the wire.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case status, knowledge, unsatisfiedReason, interfaces, interfaceType, usesTunnel, isExpensive, isConstrained, cost
    case supportsIPv4, supportsIPv6, supportsDNS, gateways, gatewayScopes, overrides, sequence, boottimeMicroseconds
    case changed
  }

  /// Encodes all properties, and `nil` as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(knowledge, forKey: .knowledge)
    try container.encode(unsatisfiedReason, forKey: .unsatisfiedReason)
    try container.encode(interfaces, forKey: .interfaces)
    try container.encode(interfaceType, forKey: .interfaceType)
    try container.encode(usesTunnel, forKey: .usesTunnel)
    try container.encode(isExpensive, forKey: .isExpensive)
    try container.encode(isConstrained, forKey: .isConstrained)
    try container.encode(cost, forKey: .cost)
    try container.encode(supportsIPv4, forKey: .supportsIPv4)
    try container.encode(supportsIPv6, forKey: .supportsIPv6)
    try container.encode(supportsDNS, forKey: .supportsDNS)
    try container.encode(gateways.map { $0.scoped(to: nil) }, forKey: .gateways)
    try container.encode(gatewayScopes, forKey: .gatewayScopes)
    try container.encode(overrides, forKey: .overrides)
    try container.encode(sequence, forKey: .sequence)
    try container.encode(boottimeMicroseconds, forKey: .boottimeMicroseconds)
    try container.encode(changed, forKey: .changed)
  }
}

extension NetworkPath {
  /// The scope of each gateway, empty where it has none; no element at all if none of them has one. JSON has the scopes
  /// beside the addresses, so that a gateway reads the same whatever its interface is called.
  package var gatewayScopes: [String] {
    gateways.contains { $0.scope != nil } ? gateways.map { $0.scope ?? "" } : []
  }
}

extension NetworkInterface: Encodable {
  /// The keys of an interface, in the order of the wire.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, index, type, isExpensive, isConstrained, underlying, underlyingTypes, mtu, hardwareAddress, addresses
    case driver
  }

  /// Encodes all properties, and `nil` as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(index, forKey: .index)
    try container.encode(type, forKey: .type)
    try container.encode(isExpensive, forKey: .isExpensive)
    try container.encode(isConstrained, forKey: .isConstrained)
    try container.encode(underlying, forKey: .underlying)
    try container.encode(underlyingTypes, forKey: .underlyingTypes)
    try container.encode(mtu, forKey: .mtu)
    try container.encode(hardwareAddress, forKey: .hardwareAddress)
    try container.encode(addresses, forKey: .addresses)
    try container.encode(driver, forKey: .driver)
  }
}

extension Cost: Encodable {
  /// The keys of a cost, in the order of the wire.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case isExpensive, isConstrained, confidence, evidence
  }

  /// Encodes all properties.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isExpensive, forKey: .isExpensive)
    try container.encode(isConstrained, forKey: .isConstrained)
    try container.encode(confidence, forKey: .confidence)
    try container.encode(evidence, forKey: .evidence)
  }
}

extension Evidence: Encodable {
  /// The keys of a piece of evidence, in the order of the wire.
  package enum CodingKeys: String, CodingKey, CaseIterable {
    case source, verdict, confidence, text
  }

  /// Encodes all properties.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(source, forKey: .source)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(confidence, forKey: .confidence)
    try container.encode(text, forKey: .text)
  }
}

// Each of these is encoded as one string.
extension NetworkPath.Status: Encodable {}
extension NetworkPath.Knowledge: Encodable {}
extension UnsatisfiedReason: Encodable {}
extension InterfaceType: Encodable {}
extension Evidence.Source: Encodable {}
extension Evidence.Verdict: Encodable {}
extension Evidence.Confidence: Encodable {}

extension IPAddress: Encodable {
  /// Encodes the text of the address.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension NetworkInterface.Address: Encodable {
  /// Encodes the text of the address with its prefix length.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
