/// The members of a JSON object, in the order of the text.
///
/// Of duplicate keys in a text, all members are kept and the last value counts. Keys are the same when their UTF-8 is
/// the same: unlike Swift strings, `é` as one scalar and `é` as two are different keys (RFC 8259, section 8.3).
///
/// A look-up compares each key in turn. The objects of our interfaces are small, and a text is read without a look-up:
/// a hostile one with many members costs a reader only as much as its length.
///
/// Two objects are equal when they have equal members in the same order.
package struct JSONObject: Equatable, Sendable {
  /// A key and its value.
  package struct Member: Equatable, Sendable {
    /// The name of the member.
    package let key: String

    /// The value of the member.
    package fileprivate(set) var value: JSONValue

    fileprivate func isCalled(_ key: String) -> Bool {
      self.key.utf8.count == key.utf8.count && self.key.utf8.elementsEqual(key.utf8)
    }
  }

  /// All members, in order.
  package private(set) var members: [Member] = []

  /// An object without members.
  package init() {}

  /// The number of members.
  package var count: Int { members.count }

  /// Whether there are no members.
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a key, or `nil` when the object does not have it (a JSON `null` is ``JSONValue/null``).
  ///
  /// Setting a new key appends it, and setting an existing one keeps its place; setting `nil` removes the member.
  package subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (_?, nil): members.removeAll { $0.isCalled(key) }
      case (nil, let value?): append(value, forKey: key)
      case (nil, nil): break
      }
    }
  }

  /// Appends a member without a look for its key, which makes a text of many members cheap to read.
  mutating func append(_ value: JSONValue, forKey key: String) {
    members.append(Member(key: key, value: value))
  }

  private func position(of key: String) -> Int? { members.lastIndex { $0.isCalled(key) } }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members of a literal. Of duplicate keys the last value is kept.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (key, value) in elements { self[key] = value }
  }
}
