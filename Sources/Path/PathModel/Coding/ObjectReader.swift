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

  /// A value that `read` decodes, or `nil` when it is missing. The errors of `read` need not name the key.
  package func value<Value>(
    _ key: Key, _ read: (JSONValue) throws(PathDecodingError) -> Value
  ) throws(PathDecodingError) -> Value? {
    guard let value = object[key.rawValue], !value.isNull else { return nil }
    do throws(PathDecodingError) {
      return try read(value)
    } catch {
      throw error.inside(key.rawValue)
    }
  }

  /// The value that was read.
  ///
  /// - Throws: ``PathDecodingError`` when it is missing.
  package func required<Value>(_ key: Key, _ value: Value?) throws(PathDecodingError) -> Value {
    guard let value else { throw PathDecodingError(key: key.rawValue, message: "is missing") }
    return value
  }

  /// The members of an object, or `nil` when it is missing.
  package func object(_ key: Key) throws(PathDecodingError) -> JSONObject? {
    try value(key) { value throws(PathDecodingError) in try value.object() }
  }

  func string(_ key: Key) throws(PathDecodingError) -> String? {
    try value(key) { value throws(PathDecodingError) in try value.text() }
  }

  func integer(_ key: Key) throws(PathDecodingError) -> Int? {
    try value(key) { value throws(PathDecodingError) in try value.integer() }
  }

  /// A value of a closed enumeration.
  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: Key, of type: Value.Type
  ) throws(PathDecodingError) -> Value? {
    try value(key) { value throws(PathDecodingError) in try value.choice() }
  }

  /// The elements of an array; `nil` when it is missing. The errors of `read` need not name the element.
  package func array<Element>(
    _ key: Key, _ read: (JSONValue) throws(PathDecodingError) -> Element
  ) throws(PathDecodingError) -> [Element]? {
    try value(key) { value throws(PathDecodingError) in try value.elements(read) }
  }

  /// The strings of an array; `nil` when it is missing.
  package func strings(_ key: Key) throws(PathDecodingError) -> [String]? {
    try array(key) { value throws(PathDecodingError) in try value.text() }
  }
}

// Each of these gives the value, or names the type that it must have.
extension JSONValue {
  func object() throws(PathDecodingError) -> JSONObject {
    guard let object = objectValue else { throw .wrongType(self, expected: "an object") }
    return object
  }

  func text() throws(PathDecodingError) -> String {
    guard let text = stringValue else { throw .wrongType(self, expected: "a string") }
    return text
  }

  func boolean() throws(PathDecodingError) -> Bool {
    guard let boolean = booleanValue else { throw .wrongType(self, expected: "a Boolean") }
    return boolean
  }

  func integer() throws(PathDecodingError) -> Int {
    guard let integer = integerValue.flatMap({ Int(exactly: $0) }) else {
      throw .wrongType(self, expected: "an integer")
    }
    return integer
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>() throws(PathDecodingError) -> Value {
    let text = try text()
    guard let value = Value(rawValue: text) else {
      throw .notAllowed(text, allowed: Value.allCases.map(\.rawValue))
    }
    return value
  }

  /// The elements of an array. The errors of `read` need not name the element.
  func elements<Element>(
    _ read: (JSONValue) throws(PathDecodingError) -> Element
  ) throws(PathDecodingError) -> [Element] {
    guard let values = arrayValue else { throw .wrongType(self, expected: "an array") }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(PathDecodingError) {
        elements.append(try read(value))
      } catch {
        throw error.inside("[\(index)]")
      }
    }
    return elements
  }
}
