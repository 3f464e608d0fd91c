/// Paths for any `Encoder`, in the form of the socket and of `pathctl --json`: the same keys and values, and null for
/// an absent value. So `JSONEncoder().encode(path)` gives the object that programs in other languages read.
extension NetworkPath: Encodable {
  /// Encodes all properties, and `nil` as null.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension NetworkInterface: FieldObject {
  /// The fields of an interface, by their JSON keys and in the order of the wire.
  package enum Field: String, CodingKey, CaseIterable, Sendable {
    case name, index, type, isExpensive, isConstrained, underlying, underlyingTypes, mtu, hardwareAddress, addresses
    case driver
  }

  /// Writes the value of a field.
  package func writeValue(of field: Field, to output: inout some FieldOutput) {
    switch field {
    case .name: output.text(name)
    case .index: output.integer(index)
    case .type: output.text(type.rawValue)
    case .isExpensive: output.flag(isExpensive)
    case .isConstrained: output.flag(isConstrained)
    case .underlying: output.texts(underlying)
    case .underlyingTypes: output.texts(underlyingTypes.map(\.rawValue))
    case .mtu: output.integer(mtu)
    case .hardwareAddress: output.text(hardwareAddress)
    case .addresses: output.addresses(addresses)
    case .driver: output.text(driver)
    }
  }

  /// Encodes all properties, and `nil` as null.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension Cost: FieldObject {
  /// The fields of a cost, by their JSON keys and in the order of the wire.
  package enum Field: String, CodingKey, CaseIterable, Sendable {
    case isExpensive, isConstrained, confidence, evidence
  }

  /// Writes the value of a field.
  package func writeValue(of field: Field, to output: inout some FieldOutput) {
    switch field {
    case .isExpensive: output.flag(isExpensive)
    case .isConstrained: output.flag(isConstrained)
    case .confidence: output.text(confidence.rawValue)
    case .evidence: output.evidence(evidence)
    }
  }

  /// Encodes all properties.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension Evidence: FieldObject {
  /// The fields of a piece of evidence, by their JSON keys and in the order of the wire.
  package enum Field: String, CodingKey, CaseIterable, Sendable {
    case source, verdict, confidence, text
  }

  /// Writes the value of a field.
  package func writeValue(of field: Field, to output: inout some FieldOutput) {
    switch field {
    case .source: output.text(source.rawValue)
    case .verdict: output.text(verdict.rawValue)
    case .confidence: output.text(confidence.rawValue)
    case .text: output.text(text)
    }
  }

  /// Encodes all properties.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
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
