import JSON
import PathModel

/// Why JSON is not what it should be, and where.
package struct PathDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key, with those of the objects around it, such as `interfaces[0].name`; empty for the whole value.
  package let key: String
  /// What is wrong, with what is expected, without a full stop.
  package let message: String

  /// An error as given.
  package init(key: String, message: String) {
    self.key = key
    self.message = message
  }

  /// The key and what is wrong with it in one line.
  package var description: String { key.isEmpty ? "the value \(message)" : "'\(key)' \(message)" }

  /// A value of another type than the expected one.
  static func wrongType(_ value: JSONValue, expected: String, key: String) -> PathDecodingError {
    PathDecodingError(key: key, message: "must be \(expected), not \(value.typeInWords)")
  }

  /// A value that is not among those that there are.
  static func notAllowed(_ value: String, allowed: [String], key: String) -> PathDecodingError {
    PathDecodingError(key: key, message: "is \(value.quotedInLine); allowed: \(allowed.joined(separator: ", "))")
  }
}

extension JSONValue {
  fileprivate var typeInWords: String {
    switch self {
    case .null: "null"
    case .boolean: "a Boolean"
    case .integer: "an integer"
    case .number: "a number with a fraction or out of range"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
