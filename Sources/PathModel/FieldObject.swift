/// A value with named fields, which is an object in JSON and in the interface of the service.
package protocol FieldObject: Encodable, Sendable {
  /// The fields, by their JSON keys and in the order of the wire.
  associatedtype Field: CodingKey, RawRepresentable<String>, CaseIterable, Sendable where Field.AllCases == [Field]

  /// Writes the value of a field.
  func writeValue(of field: Field, to output: inout some FieldOutput)
}

/// A writer of values, by their kinds in JSON. An absent value is null.
package protocol FieldOutput {
  mutating func text(_ text: String?)
  mutating func flag(_ flag: Bool)
  mutating func integer(_ number: Int?)
  mutating func texts(_ texts: [String])
  mutating func addresses(_ addresses: [IPAddress])
  mutating func addresses(_ addresses: [NetworkInterface.Address])
  mutating func interfaces(_ interfaces: [NetworkInterface])
  mutating func cost(_ cost: Cost?)
  mutating func evidence(_ evidence: [Evidence])
  /// Writes the names of fields of a path.
  mutating func changes(_ changes: NetworkPath.Changes)
}

extension FieldObject {
  /// Encodes all fields, and absent values as null.
  func encodeFields(to encoder: any Encoder) throws {
    var output = EncoderOutput(container: encoder.container(keyedBy: Field.self))
    for field in Field.allCases {
      output.field = field
      writeValue(of: field, to: &output)
      if let error = output.error { throw error }
    }
  }
}

/// The fields of one object on their way to an `Encoder`.
private struct EncoderOutput<Field: CodingKey>: FieldOutput {
  var container: KeyedEncodingContainer<Field>
  /// The field of the next value.
  var field: Field?
  /// The error of the encoder.
  var error: (any Error)?

  private mutating func encode(_ value: some Encodable) {
    guard let field else { return }
    do { try container.encode(value, forKey: field) } catch { self.error = error }
  }

  mutating func text(_ text: String?) { encode(text) }
  mutating func flag(_ flag: Bool) { encode(flag) }
  mutating func integer(_ number: Int?) { encode(number) }
  mutating func texts(_ texts: [String]) { encode(texts) }
  mutating func addresses(_ addresses: [IPAddress]) { encode(addresses) }
  mutating func addresses(_ addresses: [NetworkInterface.Address]) { encode(addresses) }
  mutating func interfaces(_ interfaces: [NetworkInterface]) { encode(interfaces) }
  mutating func cost(_ cost: Cost?) { encode(cost) }
  mutating func evidence(_ evidence: [Evidence]) { encode(evidence) }
  mutating func changes(_ changes: NetworkPath.Changes) { encode(changes.names) }
}
