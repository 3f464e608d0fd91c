/// A value of a field: its spelling in JSON, in the language of Varlink, and in a line for people.
package protocol FieldValue: Sendable {
  /// The name of the type in the language of Varlink, such as `?string`.
  static var typeName: String { get }
  /// The value of a key that is missing or null, as from an older service; `nil` if the key must be there.
  static var absent: Self? { get }
  /// A value from JSON that is not null. Its errors need not name the key.
  static func read(_ json: JSONValue) throws(PathDecodingError) -> Self
  /// Appends the value.
  func write(to writer: inout JSONWriter)
  /// Whether the value is another one.
  func differs(from other: Self) -> Bool
  /// The value with its texts in one line each; see ``Swift/String/inOneLine``.
  var escaped: Self { get }
}

extension FieldValue {
  package static var absent: Self? { nil }
  package var escaped: Self { self }
}

extension FieldValue where Self: Equatable {
  package func differs(from other: Self) -> Bool { self != other }
}

/// A value or null.
extension Optional: FieldValue where Wrapped: FieldValue {
  package static var typeName: String { "?\(Wrapped.typeName)" }
  package static var absent: Wrapped?? { .some(nil) }
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Wrapped? { try Wrapped.read(json) }
  package func write(to writer: inout JSONWriter) { if let self { self.write(to: &writer) } else { writer.null() } }
  package func differs(from other: Wrapped?) -> Bool {
    if let self, let other { self.differs(from: other) } else { (self == nil) != (other == nil) }
  }
  package var escaped: Wrapped? { map(\.escaped) }
}

/// An array; empty if the key is missing.
extension Array: FieldValue where Element: FieldValue {
  package static var typeName: String { "[]\(Element.typeName)" }
  package static var absent: [Element]? { [] }
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> [Element] {
    try json.elements { json throws(PathDecodingError) in try Element.read(json) }
  }
  package func write(to writer: inout JSONWriter) { writer.array(self) { $1.write(to: &$0) } }
  package func differs(from other: [Element]) -> Bool {
    count != other.count || indices.contains { self[$0].differs(from: other[$0]) }
  }
  package var escaped: [Element] { map(\.escaped) }
}

/// A text, which is compared by its bytes.
extension String: FieldValue {
  package static let typeName = "string"
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> String { try json.text() }
  package func write(to writer: inout JSONWriter) { writer.string(self) }
  package func differs(from other: String) -> Bool { exact != other.exact }
  package var escaped: String { inOneLine }
}

/// A whole number.
extension Int: FieldValue {
  package static let typeName = "int"
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Int { try json.integer() }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

/// A flag; false if the key is missing.
extension Bool: FieldValue {
  package static let typeName = "bool"
  package static var absent: Bool? { false }
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Bool { try json.boolean() }
  package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

/// A word of a list that grows: every text is a value.
extension FieldValue where Self: RawRepresentable<String> {
  package static var typeName: String { String.typeName }
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self {
    guard let value = Self(rawValue: try json.text()) else { throw .notAllowed(json.description, allowed: []) }
    return value
  }
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
  package var escaped: Self { Self(rawValue: rawValue.inOneLine) ?? self }
}

/// A word of a list that never grows.
extension FieldValue where Self: RawRepresentable<String> & CaseIterable {
  package static var typeName: String { "(\(allCases.map(\.rawValue).joined(separator: ", ")))" }
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self { try json.choice() }
  package var escaped: Self { self }
}

/// The type of an interface. New types may come up, so an unknown name stands for some other type.
extension InterfaceType: FieldValue {
  package static let typeName = String.typeName
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self {
    Self(rawValue: try json.text()) ?? .other
  }
}

/// An address, with its scope if it has one.
extension IPAddress: FieldValue {
  package static let typeName = String.typeName
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self { try Self(json: json) }
  package func write(to writer: inout JSONWriter) { writer.string(description) }
  package var escaped: Self { scoped(to: scope?.inOneLine) }
}

/// An address with the length of its prefix.
extension NetworkInterface.Address: FieldValue {
  package static let typeName = String.typeName
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self {
    try Self(json: json, as: "an IP address with a prefix length")
  }
  package func write(to writer: inout JSONWriter) { writer.string(description) }
  package var escaped: Self { Self(address.escaped, prefixLength: prefixLength) }
}

/// An address family by its name.
extension IPAddress.Family: FieldValue {
  package static let typeName = String.typeName
  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self {
    let name = try json.text()
    guard let family = allCases.first(where: { $0.name.exact == name.exact }) else {
      throw .notAllowed(name, allowed: allCases.map(\.name))
    }
    return family
  }
  package func write(to writer: inout JSONWriter) { writer.string(name) }
}

extension NetworkPath.Status: FieldValue {}
extension NetworkPath.Knowledge: FieldValue {}
extension UnsatisfiedReason: FieldValue {}
extension Diagnosis.Code: FieldValue {}
extension Diagnosis.Circumstance: FieldValue {}
extension Evidence.Source: FieldValue {}
extension Evidence.Verdict: FieldValue {}
extension Evidence.Confidence: FieldValue {}
extension PathValidation.State: FieldValue {}
extension PathValidation.Observation.Source: FieldValue {}

extension LosslessStringConvertible {
  /// A value from its text in JSON; `kind` names it in errors, such as "an IP address".
  fileprivate init(json: JSONValue, as kind: String) throws(PathDecodingError) {
    let text = try json.text()
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
