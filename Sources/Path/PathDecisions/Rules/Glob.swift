/// A pattern as shells use it for file names: `*` is any text, `?` any character, `[a-z]` one of several and `[!a-z]`
/// none of them; `\` makes the next character literal.
package struct Glob: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case byte(UInt8)
    case anyCharacter
    case anyText
    case oneOf([ClosedRange<UInt8>], isInverted: Bool)
  }

  /// The longest pattern in bytes.
  package static let longest = 256

  /// The pattern as it was written.
  package let text: String
  private let pieces: [Piece]
  private let foldsCase: Bool

  /// A mistake in a pattern.
  package struct PatternError: Error, Hashable, Sendable {
    /// The mistake in words, without a full stop.
    package let reason: String
  }

  /// A pattern.
  ///
  /// - Parameter foldsCase: Whether ASCII letters match in either case.
  package init(_ text: String, foldsCase: Bool = false) throws(PatternError) {
    guard text.utf8.count <= Self.longest else {
      throw PatternError(reason: "the pattern is longer than \(Self.longest) bytes")
    }
    self.text = text
    self.foldsCase = foldsCase
    var rest = Array(text.utf8)[...]
    var pieces: [Piece] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): if pieces.last != .anyText { pieces.append(.anyText) }
      case UInt8(ascii: "?"): pieces.append(.anyCharacter)
      case UInt8(ascii: "["): pieces.append(try Self.set(&rest, foldsCase))
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst() else { throw PatternError(reason: "nothing follows the last '\\'") }
        pieces.append(.byte(Self.folded(next, foldsCase)))
      default: pieces.append(.byte(Self.folded(byte, foldsCase)))
      }
    }
    self.pieces = pieces
  }

  private static func set(_ rest: inout ArraySlice<UInt8>, _ foldsCase: Bool) throws(PatternError) -> Piece {
    var ranges: [ClosedRange<UInt8>] = []
    var isInverted = false
    if let first = rest.first, first == UInt8(ascii: "!") || first == UInt8(ascii: "^") {
      isInverted = true
      rest = rest.dropFirst()
    }
    while let low = rest.popFirst() {
      // A bracket that comes first is one of the characters, as in fnmatch(3).
      if low == UInt8(ascii: "]"), !ranges.isEmpty { return .oneOf(ranges, isInverted: isInverted) }
      var high = low
      if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first, end != UInt8(ascii: "]") {
        rest = rest.dropFirst(2)
        high = end
      }
      guard low < 0x80, high < 0x80 else {
        throw PatternError(reason: "between '[' and ']' only ASCII characters can stand")
      }
      guard folded(low, foldsCase) <= folded(high, foldsCase) else {
        throw PatternError(reason: "a range between '[' and ']' runs backwards")
      }
      ranges.append(folded(low, foldsCase)...folded(high, foldsCase))
    }
    throw PatternError(reason: "']' is missing behind '['")
  }

  private static func folded(_ byte: UInt8, _ foldsCase: Bool) -> UInt8 {
    foldsCase && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// Whether the whole text fits the pattern.
  package func matches(_ text: String) -> Bool {
    // The first byte usually decides, and comparing it costs less than copying all bytes of the text.
    if case .byte(let expected)? = pieces.first, text.utf8.first.map({ Self.folded($0, foldsCase) }) != expected {
      return false
    }
    return matches(Array(text.utf8))
  }

  /// Whether all the bytes fit the pattern.
  package func matches(_ bytes: [UInt8]) -> Bool {
    var (position, piece) = (0, 0)
    // The place to go on after a mismatch: behind the last `*`, with one more character for it.
    var retry: (position: Int, piece: Int)?
    while position < bytes.count {
      if piece < pieces.count, pieces[piece] == .anyText {
        retry = (position, piece)
        piece += 1
      } else if piece < pieces.count, let length = length(of: pieces[piece], in: bytes, at: position) {
        position += length
        piece += 1
      } else if let last = retry {
        retry = (last.position + 1, last.piece)
        (position, piece) = (last.position + 1, last.piece + 1)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .anyText }
  }

  /// How many bytes the piece takes at the position; `nil` when it does not fit.
  private func length(of piece: Piece, in bytes: [UInt8], at position: Int) -> Int? {
    let byte = Self.folded(bytes[position], foldsCase)
    switch piece {
    case .byte(let expected): return byte == expected ? 1 : nil
    case .anyText: return nil
    case .anyCharacter: return Self.characterLength(bytes, position)
    case .oneOf(let ranges, let isInverted):
      let isIn = ranges.contains { $0.contains(byte) }
      return isIn == isInverted ? nil : Self.characterLength(bytes, position)
    }
  }

  /// How many bytes the UTF-8 character at the position has; 1 for bytes that begin none.
  private static func characterLength(_ bytes: [UInt8], _ position: Int) -> Int {
    guard bytes[position] >= 0xc0 else { return 1 }
    var length = 1
    while length < 4, position + length < bytes.count, bytes[position + length] & 0xc0 == 0x80 { length += 1 }
    return length
  }
}
