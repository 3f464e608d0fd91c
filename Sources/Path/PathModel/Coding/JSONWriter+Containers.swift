extension JSONWriter {
  /// Appends an object with each of the keys, in their order.
  ///
  /// - Parameter value: Appends the value of a key.
  mutating func object<Key: CaseIterable & RawRepresentable<String>>(
    of keys: Key.Type, _ value: (Key, inout JSONWriter) -> Void
  ) {
    beginObject()
    members(of: keys, value)
    endObject()
  }

  /// Appends a member for each of the keys, in their order.
  ///
  /// - Parameter value: Appends the value of a key.
  mutating func members<Key: CaseIterable & RawRepresentable<String>>(
    of keys: Key.Type, _ value: (Key, inout JSONWriter) -> Void
  ) {
    for key in keys.allCases {
      self.key(key.rawValue)
      value(key, &self)
    }
  }

  /// Appends a text, or null.
  mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  /// Appends a number, or null.
  mutating func optional(_ number: Int?) {
    if let number { integer(number) } else { null() }
  }

  /// Appends an array. `write` appends each element.
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}
