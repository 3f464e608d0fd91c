/// The members of a JSON object, in the order of the text.
///
/// Each key occurs once. Setting the value of an existing key keeps the key's place. Of duplicate keys in a text, the
/// object therefore has the last value at the place of the first one. Keys are the same when their UTF-8 is the same:
/// unlike Swift strings, `é` as one scalar and `é` as two are different keys (RFC 8259, section 8.3).
///
/// Two objects are equal when they have equal members in the same order.
package struct JSONObject: Sendable {
  /// A key and its value.
  package struct Member: Equatable, Sendable {
    /// The name of the member.
    package let key: String

    /// The value of the member.
    package fileprivate(set) var value: JSONValue

    /// The number of bytes of the key, in which most keys of an object differ already.
    fileprivate let keyLength: Int

    fileprivate init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
      keyLength = key.utf8.count
    }
  }

  /// All members, in order.
  package private(set) var members: [Member] = []

  /// The position of each key in `members`; empty while the members are few enough for a linear search.
  private var positions: [KeyBytes: Int] = [:]

  /// The largest number of members for which a comparison with each key in turn is faster than hashing. Most keys
  /// differ in length, and a path has fewer members.
  private static let searchedLinearly = 32

  /// An object without members.
  package init() {}

  /// The number of members.
  package var count: Int { members.count }

  /// Whether there are no members.
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a key, or `nil` when the object does not have it (a JSON `null` is ``JSONValue/null``).
  ///
  /// Setting a new key appends it; setting `nil` removes the member, in time proportional to the number of members.
  package subscript(key: String) -> JSONValue? {
    get {
      position(of: key).map { members[$0].value }
    }
    set {
      if let newValue {
        set(newValue, forKey: key)
      } else {
        remove(key)
      }
    }
  }

  mutating func set(_ value: JSONValue, forKey key: String) {
    if let position = position(of: key) {
      members[position].value = value
      return
    }
    members.append(Member(key: key, value: value))
    if members.count == Self.searchedLinearly + 1 {
      indexAllKeys()
    } else if members.count > Self.searchedLinearly {
      positions[KeyBytes(key)] = members.count - 1
    }
  }

  private mutating func remove(_ key: String) {
    guard let position = position(of: key) else { return }
    members.remove(at: position)
    positions = [:]
    if members.count > Self.searchedLinearly { indexAllKeys() }
  }

  private mutating func indexAllKeys() {
    for (position, member) in members.enumerated() {
      positions[KeyBytes(member.key)] = position
    }
  }

  private func position(of key: String) -> Int? {
    guard members.count <= Self.searchedLinearly else { return positions[KeyBytes(key)] }
    let (members, length) = (members.span, key.utf8.count)
    for position in members.indices
    where members[position].keyLength == length && KeyBytes(members[position].key) == KeyBytes(key) {
      return position
    }
    return nil
  }
}

extension JSONObject: Equatable {
  /// Whether both have equal members in the same order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members == right.members
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members of a literal. Of duplicate keys the last value is kept.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (key, value) in elements { set(value, forKey: key) }
  }
}

/// A key that is equal and hashes by its UTF-8.
///
/// Hashing the string itself would give the same hash to all canonically equivalent strings. A hostile peer can make 2ⁿ
/// of them, and every look-up would walk over all of them.
private struct KeyBytes: Hashable {
  private let key: String

  init(_ key: String) {
    self.key = key
  }

  static func == (left: KeyBytes, right: KeyBytes) -> Bool {
    let (leftKey, rightKey) = (left.key.utf8, right.key.utf8)
    guard leftKey.count == rightKey.count else { return false }
    let (leftSpan, rightSpan) = (leftKey.span, rightKey.span)
    for index in leftSpan.indices where leftSpan[index] != rightSpan[index] { return false }
    return true
  }

  func hash(into hasher: inout Hasher) {
    let utf8 = key.utf8
    let span = utf8.span
    // Eight bytes at a time: the hasher's cost is per call.
    var word: UInt64 = 0
    for index in span.indices {
      word = word << 8 | UInt64(span[index])
      if index & 7 == 7 {
        hasher.combine(word)
        word = 0
      }
    }
    hasher.combine(word)
    hasher.combine(span.count)
  }
}
