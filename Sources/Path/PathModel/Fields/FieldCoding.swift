internal import JSON

/// The spelling of a kind of value: in JSON, in the language of Varlink, and in a line for people.
package struct FieldCoding<Value: Sendable>: Sendable {
  /// The type in the language of Varlink, such as `?string`. Only the interface's description needs it.
  let type: @Sendable () -> String
  /// The value of a key that is missing or null, as from an older service; `nil` if the key must be there.
  var absent: Value?
  var write: @Sendable (Value, inout JSONWriter) -> Void
  /// Reads a value that is not null. Its errors need not name the key.
  let read: @Sendable (JSONValue) throws(PathDecodingError) -> Value
  let differ: @Sendable (Value, Value) -> Bool
  /// The value with its texts in one line each; see ``Swift/String/inOneLine``.
  var inOneLine: @Sendable (Value) -> Value = { $0 }

  /// The same spelling with a value for a key that is missing.
  func or(_ absent: Value) -> Self {
    var coding = self
    coding.absent = absent
    return coding
  }

  /// The same spelling of a key that must be there.
  var required: Self {
    var coding = self
    coding.absent = nil
    return coding
  }
}

extension FieldCoding {
  /// A value or null.
  static func optional<Wrapped>(_ coding: FieldCoding<Wrapped>) -> Self where Value == Wrapped? {
    FieldCoding(
      type: { "?\(coding.type())" }, absent: .some(nil),
      write: { value, writer in if let value { coding.write(value, &writer) } else { writer.null() } },
      read: { json throws(PathDecodingError) in try coding.read(json) },
      differ: { left, right in
        if let left, let right { coding.differ(left, right) } else { (left == nil) != (right == nil) }
      },
      inOneLine: { $0.map(coding.inOneLine) })
  }

  /// An array; empty if the key is missing.
  static func list<Element>(_ coding: FieldCoding<Element>) -> Self where Value == [Element] {
    FieldCoding(
      type: { "[]\(coding.type())" }, absent: [],
      write: { values, writer in writer.array(values) { coding.write($1, &$0) } },
      read: { json throws(PathDecodingError) in try json.elements(coding.read) },
      differ: { left, right in !left.elementsEqual(right) { !coding.differ($0, $1) } },
      inOneLine: { $0.map(coding.inOneLine) })
  }
}

extension FieldCoding where Value == String {
  /// A text, which is compared by its bytes.
  static var text: Self {
    FieldCoding(
      type: { "string" }, write: { $1.string($0) }, read: { json throws(PathDecodingError) in try json.text() },
      differ: { $0.exact != $1.exact }, inOneLine: { $0.inOneLine })
  }
}

extension FieldCoding where Value == Int {
  /// A whole number.
  static var integer: Self {
    FieldCoding(
      type: { "int" }, write: { $1.integer($0) }, read: { json throws(PathDecodingError) in try json.integer() },
      differ: { $0 != $1 })
  }
}

extension FieldCoding where Value == Bool {
  /// A flag; false if the key is missing.
  static var flag: Self {
    FieldCoding(
      type: { "bool" }, absent: false, write: { $1.boolean($0) },
      read: { json throws(PathDecodingError) in try json.boolean() }, differ: { $0 != $1 })
  }
}

extension FieldCoding where Value: RawRepresentable<String> & Equatable {
  /// A word of a list that grows: every text is a value.
  static var word: Self {
    FieldCoding(
      type: { "string" }, write: { $1.string($0.rawValue) },
      read: { json throws(PathDecodingError) in
        guard let value = Value(rawValue: try json.text()) else { throw .notAllowed(json.description, allowed: []) }
        return value
      },
      differ: { $0 != $1 }, inOneLine: { Value(rawValue: $0.rawValue.inOneLine) ?? $0 })
  }
}

extension FieldCoding where Value == InterfaceType {
  /// The type of an interface. New types may come up, so an unknown name stands for some other type.
  static var interfaceType: Self {
    FieldCoding(
      type: { "string" }, write: { $1.string($0.rawValue) },
      read: { json throws(PathDecodingError) in InterfaceType(rawValue: try json.text()) ?? .other },
      differ: { $0 != $1 })
  }
}

extension FieldCoding where Value: RawRepresentable<String> & CaseIterable & Equatable {
  /// A word of a list that never grows.
  static var choice: Self {
    FieldCoding(
      type: { "(\(Value.allCases.map(\.rawValue).joined(separator: ", ")))" }, write: { $1.string($0.rawValue) },
      read: { json throws(PathDecodingError) in try json.choice() }, differ: { $0 != $1 })
  }
}

extension FieldCoding where Value == IPAddress {
  /// An address, with its scope if it has one.
  static var address: Self {
    FieldCoding(
      type: { "string" }, write: { $1.string($0.description) },
      read: { json throws(PathDecodingError) in try IPAddress(json: json) }, differ: { $0 != $1 },
      inOneLine: { $0.scoped(to: $0.scope?.inOneLine) })
  }
}

extension FieldCoding where Value == IPAddress {
  /// An address without its scope, which stands in a field of its own.
  static var unscopedAddress: Self {
    var coding = address
    coding.write = { $1.string($0.scoped(to: nil).description) }
    return coding
  }
}

extension FieldCoding where Value == NetworkInterface.Address {
  /// An address with the length of its prefix.
  static var addressWithPrefix: Self {
    FieldCoding(
      type: { "string" }, write: { $1.string($0.description) },
      read: { json throws(PathDecodingError) in
        try NetworkInterface.Address(json: json, as: "an IP address with a prefix length")
      },
      differ: { $0 != $1 },
      inOneLine: { Value(FieldCoding<IPAddress>.address.inOneLine($0.address), prefixLength: $0.prefixLength) })
  }
}

extension FieldCoding where Value: FieldObject {
  /// An object with a table of its own.
  static var object: Self {
    FieldCoding(
      type: { Value.typeName }, write: { $0.write(to: &$1) },
      read: { json throws(PathDecodingError) in try Value(json: json) }, differ: { $0 != $1 }, inOneLine: { $0.escaped }
    )
  }
}

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
