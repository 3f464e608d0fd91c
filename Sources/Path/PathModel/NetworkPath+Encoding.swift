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
    case driver, isExpenseUndetermined, alternativeNames
  }

  /// The value of a field.
  package func value(of field: Field) -> FieldValue {
    switch field {
    case .name: .text(name)
    case .index: .integer(index)
    case .type: .text(type.rawValue)
    case .isExpensive: .flag(isExpensive)
    case .isConstrained: .flag(isConstrained)
    case .underlying: .texts(underlying)
    case .underlyingTypes: .texts(underlyingTypes.map(\.rawValue))
    case .mtu: .integer(mtu)
    case .hardwareAddress: .text(hardwareAddress)
    case .addresses: .addressesWithPrefix(addresses)
    case .driver: .text(driver)
    case .isExpenseUndetermined: .flag(isExpenseUndetermined)
    case .alternativeNames: .texts(alternativeNames)
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

  /// The value of a field.
  package func value(of field: Field) -> FieldValue {
    switch field {
    case .isExpensive: .flag(isExpensive)
    case .isConstrained: .flag(isConstrained)
    case .confidence: .text(confidence.rawValue)
    case .evidence: .evidence(evidence)
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

  /// The value of a field.
  package func value(of field: Field) -> FieldValue {
    switch field {
    case .source: .text(source.rawValue)
    case .verdict: .text(verdict.rawValue)
    case .confidence: .text(confidence.rawValue)
    case .text: .text(text)
    }
  }

  /// Encodes all properties.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension Diagnosis: FieldObject {
  /// The fields of a diagnosis, by their JSON keys and in the order of the wire.
  package enum Field: String, CodingKey, CaseIterable, Sendable {
    case code, subject, sentence, circumstances
  }

  /// The value of a field.
  package func value(of field: Field) -> FieldValue {
    switch field {
    case .code: .text(code.rawValue)
    case .subject: .text(subject)
    case .sentence: .text(sentence)
    case .circumstances: .texts(circumstances.map(\.rawValue))
    }
  }

  /// Encodes all properties, and `nil` as null.
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
