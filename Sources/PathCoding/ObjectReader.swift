import JSON

/// Reads the members of a JSON object one by one, and names the one that is wrong.
///
/// A member that is null is treated as missing. Members that are not read are ignored, so that a newer writer may add
/// some.
struct ObjectReader<Key: RawRepresentable<String>> {
  private let object: JSONObject
  /// The key of the object itself with a dot after it, or nothing.
  private let prefix: String

  init(_ value: JSONValue, at key: String = "") throws(PathDecodingError) {
    guard let object = value.objectValue else { throw .wrongType(value, expected: "an object", key: key) }
    self.object = object
    prefix = key.isEmpty ? "" : key + "."
  }

  /// The full key, as errors name it.
  func path(_ key: Key) -> String { prefix + key.rawValue }

  /// Any value, or `nil` when it is missing.
  func value(_ key: Key) -> JSONValue? {
    guard let value = object[key.rawValue], !value.isNull else { return nil }
    return value
  }

  /// The value that was read.
  ///
  /// - Throws: ``PathDecodingError`` when it is missing.
  func required<Value>(_ key: Key, _ value: Value?) throws(PathDecodingError) -> Value {
    guard let value else { throw PathDecodingError(key: path(key), message: "is missing") }
    return value
  }

  func string(_ key: Key) throws(PathDecodingError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.stringValue else { throw .wrongType(value, expected: "a string", key: path(key)) }
    return text
  }

  func boolean(_ key: Key) throws(PathDecodingError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let boolean = value.booleanValue else { throw .wrongType(value, expected: "a Boolean", key: path(key)) }
    return boolean
  }

  func integer(_ key: Key) throws(PathDecodingError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let integer = value.integerValue.flatMap({ Int(exactly: $0) }) else {
      throw .wrongType(value, expected: "an integer", key: path(key))
    }
    return integer
  }

  /// A value of a closed enumeration.
  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: Key, of type: Value.Type
  ) throws(PathDecodingError) -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = Value(rawValue: text) else {
      throw .notAllowed(text, allowed: Value.allCases.map(\.rawValue), key: path(key))
    }
    return value
  }

  /// The elements of an array; `nil` when it is missing. The errors of `read` need not name the element.
  func array<Element>(
    _ key: Key, _ read: (JSONValue) throws(PathDecodingError) -> Element
  ) throws(PathDecodingError) -> [Element]? {
    guard let value = value(key) else { return nil }
    guard let values = value.arrayValue else { throw .wrongType(value, expected: "an array", key: path(key)) }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(PathDecodingError) {
        elements.append(try read(value))
      } catch {
        throw error.inside("\(path(key))[\(index)]")
      }
    }
    return elements
  }

  func strings(_ key: Key) throws(PathDecodingError) -> [String]? {
    try array(key) { value throws(PathDecodingError) in
      guard let text = value.stringValue else { throw .wrongType(value, expected: "a string", key: "") }
      return text
    }
  }
}
