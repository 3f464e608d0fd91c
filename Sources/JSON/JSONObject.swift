/// The members of a JSON object, in the order of the text.
///
/// Each key occurs once. Giving a value to a key that is there already replaces the value and keeps its place, so of
/// duplicate keys in a text the last value counts, at the first one's place. Keys are the same when their UTF-8 is the
/// same: unlike Swift strings, `é` as one scalar and `é` as two are different keys (RFC 8259, section 8.3).
///
/// Two objects are equal when they have equal members in the same order.
package struct JSONObject: Sendable {
  /// A key and its value.
  package struct Member: Equatable, Sendable {
    /// The name of the member.
    package let key: String

    /// What the object holds under the key.
    package fileprivate(set) var value: JSONValue
  }

  /// All members, in order.
  package private(set) var members: [Member] = []

  /// Where each key stands in `members`; empty while there are few enough to look at each.
  private var positions: [KeyBytes: Int] = [:]

  /// Up to this many members, comparing with each key in turn is faster than hashing.
  private static let searchedLinearly = 16

  /// An object without members.
  package init() {}

  /// How many members there are.
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
    return members.firstIndex { KeyBytes($0.key) == KeyBytes(key) }
  }
}

extension JSONObject: Equatable {
  /// Whether both have equal members in the same order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members == right.members
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members of a literal; of duplicate keys the last value counts.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (key, value) in elements { set(value, forKey: key) }
  }
}

/// A key that is equal and hashes by its UTF-8.
///
/// Hashing the string itself would give one hash to all canonically equivalent strings, of which a hostile peer can
/// make 2ⁿ, and every look-up would walk over all of them.
private struct KeyBytes: Hashable {
  private let key: String

  init(_ key: String) {
    self.key = key
  }

  static func == (left: KeyBytes, right: KeyBytes) -> Bool {
    let leftKey = left.key.utf8
    let rightKey = right.key.utf8
    guard leftKey.count == rightKey.count else { return false }
    let leftSpan = leftKey.span
    let rightSpan = rightKey.span
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
