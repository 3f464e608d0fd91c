package import JSON

/// Reads the members of a JSON object one by one, and names the one that is wrong.
///
/// A member that is null is treated as missing. Members that are not read are ignored, so that a newer writer may add
/// some.
package struct ObjectReader<Key: RawRepresentable<String>> {
  private let object: JSONObject

  /// A reader of an object.
  package init(_ object: JSONObject) {
    self.object = object
  }

  /// A reader of a value that must be an object.
  init(_ value: JSONValue) throws(PathDecodingError) {
    self.init(try value.object())
  }

  /// Any value, or `nil` when it is missing.
  private func value(_ key: Key) -> JSONValue? {
    guard let value = object[key.rawValue], !value.isNull else { return nil }
    return value
  }

  /// A value that `read` decodes, or `nil` when it is missing. The errors of `read` need not name the key.
  package func value<Value>(
    _ key: Key, _ read: (JSONValue) throws(PathDecodingError) -> Value
  ) throws(PathDecodingError) -> Value? {
    guard let value = value(key) else { return nil }
    do throws(PathDecodingError) {
      return try read(value)
    } catch {
      throw error.inside(key.rawValue)
    }
  }

  /// The members of an object, or `nil` when it is missing.
  package func object(_ key: Key) throws(PathDecodingError) -> JSONObject? {
    try value(key) { value throws(PathDecodingError) in try value.object() }
  }

  /// The value that was read.
  ///
  /// - Throws: ``PathDecodingError`` when it is missing.
  package func required<Value>(_ key: Key, _ value: Value?) throws(PathDecodingError) -> Value {
    guard let value else { throw PathDecodingError(key: key.rawValue, message: "is missing") }
    return value
  }

  /// A string, or `nil` when it is missing.
  func string(_ key: Key) throws(PathDecodingError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.stringValue else { throw .wrongType(value, expected: "a string", key: key.rawValue) }
    return text
  }

  func boolean(_ key: Key) throws(PathDecodingError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let boolean = value.booleanValue else { throw .wrongType(value, expected: "a Boolean", key: key.rawValue) }
    return boolean
  }

  func integer(_ key: Key) throws(PathDecodingError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let integer = value.integerValue.flatMap({ Int(exactly: $0) }) else {
      throw .wrongType(value, expected: "an integer", key: key.rawValue)
    }
    return integer
  }

  /// A value of a closed enumeration.
  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: Key, of type: Value.Type
  ) throws(PathDecodingError) -> Value? {
    guard let text = try string(key) else { return nil }
    guard let value = Value(rawValue: text) else {
      throw .notAllowed(text, allowed: Value.allCases.map(\.rawValue), key: key.rawValue)
    }
    return value
  }

  /// The elements of an array; `nil` when it is missing. The errors of `read` need not name the element.
  package func array<Element>(
    _ key: Key, _ read: (JSONValue) throws(PathDecodingError) -> Element
  ) throws(PathDecodingError) -> [Element]? {
    guard let value = value(key) else { return nil }
    guard let values = value.arrayValue else { throw .wrongType(value, expected: "an array", key: key.rawValue) }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(PathDecodingError) {
        elements.append(try read(value))
      } catch {
        throw error.inside("\(key.rawValue)[\(index)]")
      }
    }
    return elements
  }

  /// The strings of an array; `nil` when it is missing.
  package func strings(_ key: Key) throws(PathDecodingError) -> [String]? {
    try array(key) { value throws(PathDecodingError) in
      guard let text = value.stringValue else { throw .wrongType(value, expected: "a string", key: "") }
      return text
    }
  }
}

extension JSONValue {
  /// The object that this value must be.
  func object() throws(PathDecodingError) -> JSONObject {
    guard let object = objectValue else { throw .wrongType(self, expected: "an object", key: "") }
    return object
  }
}
