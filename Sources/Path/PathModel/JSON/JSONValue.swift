/// Any JSON value.
///
/// Strings are equal as Swift strings are: by canonical equivalence.
package enum JSONValue: Equatable, Sendable {
  /// `null`.
  case null

  /// `true` or `false`.
  case boolean(Bool)

  /// A number written without fraction and exponent that fits `Int64`.
  case integer(Int64)

  /// Every other number, rounded to the nearest `Double`.
  case number(Double)

  /// A string, its escapes resolved.
  case string(String)

  /// The elements of an array.
  case array([JSONValue])

  /// The members of an object, in order.
  case object(JSONObject)
}

extension JSONValue {
  /// The value of a key, or `nil` when this is not an object or does not have the key.
  package subscript(key: String) -> JSONValue? { objectValue?[key] }

  /// Whether this is `null`.
  package var isNull: Bool { self == .null }

  /// The Boolean, or `nil` when this is anything else.
  package var booleanValue: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  /// The integer, or `nil` when this is anything else, `1.0` and `1e3` included.
  package var integerValue: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The string, or `nil` when this is anything else.
  package var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, or `nil` when this is not an array.
  package var arrayValue: [JSONValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The members, or `nil` when this is not an object.
  package var objectValue: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }
}

extension JSONValue {
  /// Appends this value to a text; numbers that are not finite become `null`.
  ///
  /// Calls itself for nested values, so a value nested many thousands deep, which only code can make and no text,
  /// exhausts the stack.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .boolean(let value): writer.boolean(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let object):
      writer.beginObject()
      for member in object.members {
        writer.key(member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON text.
  package var description: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`, from `nil`.
  package init(nilLiteral: ()) {
    self = .null
  }

  /// A Boolean.
  package init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }

  /// An integer.
  package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// A number, also when it is whole: `1.0` is not an integer.
  package init(floatLiteral value: Double) {
    self = .number(value)
  }

  /// A string.
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  /// An array of the elements.
  package init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// An object with the members in order; of duplicate keys the last value counts.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
