/// A value with named fields, which is an object in JSON and in the interface of the service.
package protocol FieldObject: Encodable, Sendable {
  /// The fields, by their JSON keys and in the order of the wire.
  associatedtype Field: CodingKey, RawRepresentable<String>, CaseIterable, Sendable where Field.AllCases == [Field]

  /// The value of a field.
  func value(of field: Field) -> FieldValue
}

/// The value of a field, by its kind in JSON. An absent value is null.
package enum FieldValue: Sendable {
  case text(String?)
  case flag(Bool)
  case integer(Int?)
  case texts([String])
  case addresses([IPAddress])
  case addressesWithPrefix([NetworkInterface.Address])
  case interfaces([NetworkInterface])
  case cost(Cost?)
  case evidence([Evidence])
  case diagnosis(Diagnosis?)
  /// The names of fields of a path.
  case changes(NetworkPath.Changes)
}

extension FieldObject {
  /// Encodes all fields, and absent values as null.
  func encodeFields(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Field.self)
    for field in Field.allCases { try container.encode(value(of: field), forKey: field) }
  }
}

extension FieldValue: Encodable {
  /// Encodes the value alone.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    case .flag(let flag): try flag.encode(to: encoder)
    case .integer(let number): try number.encode(to: encoder)
    case .texts(let texts): try texts.encode(to: encoder)
    case .addresses(let addresses): try addresses.encode(to: encoder)
    case .addressesWithPrefix(let addresses): try addresses.encode(to: encoder)
    case .interfaces(let interfaces): try interfaces.encode(to: encoder)
    case .cost(let cost): try cost.encode(to: encoder)
    case .evidence(let evidence): try evidence.encode(to: encoder)
    case .diagnosis(let diagnosis): try diagnosis.encode(to: encoder)
    case .changes(let changes): try changes.names.encode(to: encoder)
    }
  }
}
