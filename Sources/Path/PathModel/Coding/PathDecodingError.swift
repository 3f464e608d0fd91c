/// The reason why JSON cannot be decoded, and the place.
package struct PathDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key, with those of the objects around it, such as `interfaces[0].name`; empty for the whole value.
  package let key: String
  /// The mistake and the expected value, without a full stop.
  package let message: String

  /// The key and its mistake, in one line.
  package var description: String { key.isEmpty ? "the value \(message)" : "'\(key)' \(message)" }

  /// The same error as the object or array around the value describes it.
  func inside(_ place: String) -> PathDecodingError {
    PathDecodingError(key: key.isEmpty || key.hasPrefix("[") ? place + key : "\(place).\(key)", message: message)
  }

  /// The error for a value of an unexpected type.
  static func wrongType(_ value: JSONValue, expected: String) -> PathDecodingError {
    PathDecodingError(key: "", message: "must be \(expected), not \(value.typeInWords)")
  }

  /// The error for a value that is not allowed.
  package static func notAllowed(_ value: String, allowed: [String]) -> PathDecodingError {
    PathDecodingError(key: "", message: "is \(value.quotedInLine); allowed: \(allowed.joined(separator: ", "))")
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
