/// A field of an object, a row of the object's table.
///
/// Equality, the names of changed fields, JSON in both directions and the escape for people follow from the table.
/// Tests compare it with the properties, the description of the interface and the manual. It is an object, because all
/// comparing and writing walks through its table.
package final class Field<Object: Sendable>: Sendable {
  /// The key in JSON, which is the name of the property.
  package let key: String
  /// The key as it is written: quoting it anew took a fifth of the time of a reply (row `service-calls`).
  let quotedKey: [UInt8]
  /// The type in the language of Varlink, such as `?string`.
  package var type: String { typeText() }
  /// The meaning in sentences, as the manual has it.
  package var meaning: String { sentences() }
  private let (typeText, sentences): (@Sendable () -> String, @Sendable () -> String)
  /// Appends the value.
  let write: @Sendable (Object, inout JSONWriter) -> Void
  /// Gives the object the value of the key; `nil` if that is missing or null.
  let read: @Sendable (inout Object, JSONValue?) throws(PathDecodingError) -> Void
  /// Whether two objects differ in the field.
  let differs: @Sendable (Object, Object) -> Bool
  /// Puts all texts of the field in one line each.
  let escape: @Sendable (inout Object) -> Void

  /// A field that is no property of its own.
  init(
    key: String, type: @escaping @autoclosure @Sendable () -> String,
    meaning: @escaping @autoclosure @Sendable () -> String,
    write: @escaping @Sendable (Object, inout JSONWriter) -> Void,
    read: @escaping @Sendable (inout Object, JSONValue?) throws(PathDecodingError) -> Void,
    differs: @escaping @Sendable (Object, Object) -> Bool,
    escape: @escaping @Sendable (inout Object) -> Void = { _ in }
  ) {
    (self.key, typeText, sentences) = (key, type, meaning)
    quotedKey = JSONWriter.quotedKey(key)
    (self.write, self.read, self.differs, self.escape) = (write, read, differs, escape)
  }

  /// The field of a property. It is inlined, so that each row has code for its own types (row `fresh`).
  ///
  /// - Parameters:
  ///   - value: The property as a function. A key path would take twice the time in each comparison. The key paths of
  ///     all tables took a quarter of the instructions of `pathctl status`.
  ///   - set: Sets the property.
  ///   - absent: The value if the key is missing; `nil` if it must be there.
  ///   - write: Appends the value, where it is written in a way of its own.
  ///   - differ: Whether two values differ, where these are compared in a way of their own.
  @inline(__always)
  convenience init<Value: FieldValue>(
    _ key: String, _ value: @escaping @Sendable (Object) -> Value,
    _ set: @escaping @Sendable (inout Object, Value) -> Void, absent: Value? = Value.absent,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void = { $0.write(to: &$1) },
    differ: @escaping @Sendable (Value, Value) -> Bool = { $0.differs(from: $1) },
    _ meaning: @escaping @autoclosure @Sendable () -> String
  ) {
    self.init(
      key: key, type: Value.typeName, meaning: meaning(), write: { write(value($0), &$1) },
      read: { object, json throws(PathDecodingError) in set(&object, try Value.read(json, of: key, absent: absent)) },
      differs: { differ(value($0), value($1)) }, escape: { set(&$0, value($0).escaped) })
  }
}

extension FieldValue {
  /// The value of a key.
  ///
  /// - Parameter absent: The value if the key is missing; `nil` if it must be there.
  static func read(_ json: JSONValue?, of key: String, absent: Self? = absent) throws(PathDecodingError) -> Self {
    guard let json else {
      guard let absent else { throw PathDecodingError(key: key, message: "is missing") }
      return absent
    }
    do throws(PathDecodingError) {
      return try read(json)
    } catch {
      throw error.inside(key)
    }
  }
}

extension Array {
  /// Appends the members of an object, which are the fields of this table.
  ///
  /// - Parameter omitted: The key of a field that is left out, for an object with a value of its own in its place.
  func write<Object: Sendable>(
    _ object: Object, except omitted: String? = nil, to writer: inout JSONWriter
  ) where Element == Field<Object> {
    for field in self where field.key != omitted {
      writer.key(quoted: field.quotedKey)
      field.write(object, &writer)
    }
  }

  /// Gives an object the values of the fields of this table. Unknown keys are ignored, and null is a missing key.
  func read<Object: Sendable>(_ json: JSONObject, into object: inout Object) throws(PathDecodingError)
  where Element == Field<Object> {
    for field in self {
      let value = json[field.key]
      try field.read(&object, value == .null ? nil : value)
    }
  }
}

/// A value with a table of its fields, which is an object in JSON and in the interface of the service.
package protocol FieldObject: FieldValue, Equatable {
  /// The fields, in the order of the wire.
  static var fields: [Field<Self>] { get }
  /// An object to be filled with the values of its fields.
  static var blank: Self { get }
}

extension FieldObject {
  /// An object from JSON, also of an older or newer writer: a missing optional key stands for `nil`, `false`, 0 or an
  /// empty array.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    self = .blank
    try Self.fields.read(try json.object(), into: &self)
  }

  package static func read(_ json: JSONValue) throws(PathDecodingError) -> Self { try Self(json: json) }

  /// Appends the object. A field without a value is null, never left out.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  /// Appends the members of the object.
  package func writeMembers(to writer: inout JSONWriter) { Self.fields.write(self, to: &writer) }

  /// The object with all its texts in one line each; see ``Swift/String/inOneLine``.
  package var escaped: Self {
    var escaped = self
    for field in Self.fields { field.escape(&escaped) }
    return escaped
  }

  /// Whether no field differs.
  func hasFields(of other: Self) -> Bool { !Self.fields.contains { $0.differs(self, other) } }

  /// Encodes the object as it is written in JSON.
  func encodeFields(to encoder: any Encoder) throws { try JSONValue(written: { write(to: &$0) }).encode(to: encoder) }
}
