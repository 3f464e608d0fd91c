extension PathRequirement {
  /// Why a text is not a requirement, and where.
  public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole text.
    public let text: String
    /// Where that which is wrong starts: UTF-8 bytes from the start of the text.
    public let position: Int
    /// What could stand there: words, keys with their `=`, or values. Empty when that cannot be listed.
    public let allowed: [String]
    /// What is wrong, in words.
    package let message: String

    /// An error as given.
    package init(text: String, position: Int, allowed: [String], message: String) {
      self.text = text
      self.position = position
      self.allowed = allowed
      self.message = message
    }

    /// What is wrong, where, and what is allowed there, without a full stop.
    public var description: String {
      let sentence = "invalid requirement at byte \(position): \(message)"
      return allowed.isEmpty ? sentence : sentence + "; allowed here: " + allowed.joined(separator: ", ")
    }
  }

  /// The longest text in bytes that is taken as a requirement.
  package static let longestText = 1_024
  /// The most terms a requirement can have.
  package static let mostTerms = 32

  /// Understands a requirement.
  ///
  /// - Throws: ``ParseError`` with the place of the first mistake and what is allowed there.
  public init(_ text: String) throws(ParseError) {
    self.init(terms: try RequirementParser(text: text).terms())
  }
}

private struct RequirementParser {
  typealias Term = PathRequirement.Term
  typealias Word = PathRequirement.Word
  typealias Key = PathRequirement.Key
  typealias ParseError = PathRequirement.ParseError

  /// A piece of the text and where it starts, in bytes. By bytes, because a combining mark would join the
  /// separator before it to one character, which then were none.
  private struct Piece {
    var bytes: Substring.UTF8View
    var position: Int

    var text: String { String(Substring(bytes)) }

    /// The piece without its first bytes.
    func dropping(_ count: Int) -> Piece {
      Piece(bytes: bytes.dropFirst(count), position: position + count)
    }
  }

  let text: String

  private static let words = Word.allCases.map(\.rawValue)
  private static let keys = Key.allCases.map { $0.rawValue + "=" }

  func terms() throws(ParseError) -> [Term] {
    guard text.utf8.count <= PathRequirement.longestText else {
      throw error(at: PathRequirement.longestText, [], "it is longer than \(PathRequirement.longestText) bytes")
    }
    var terms: [Term] = []
    var position = 0
    for bytes in Substring(text).utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard terms.count < PathRequirement.mostTerms else {
        throw error(at: position, [], "it has more than \(PathRequirement.mostTerms) terms")
      }
      terms.append(try term(Piece(bytes: bytes, position: position)))
      position += bytes.count + 1
    }
    return terms
  }

  private func term(_ piece: Piece) throws(ParseError) -> Term {
    if piece.bytes.isEmpty { throw error(at: piece.position, Self.words + Self.keys, "a term is missing") }
    try refuseWhiteSpace(in: piece)
    for negation in ["not-", "!"] where piece.bytes.starts(with: negation.utf8) {
      return try negated(piece.dropping(negation.utf8.count))
    }
    if let equals = piece.bytes.firstIndex(of: UInt8(ascii: "=")) {
      let name = Piece(bytes: piece.bytes[..<equals], position: piece.position)
      return try term(name, value: piece.dropping(name.bytes.count + 1))
    }
    if let word = Word(rawValue: piece.text) { return .word(word, isNegated: false) }
    if let key = Key(rawValue: piece.text) {
      throw error(at: piece.position, [key.rawValue + "="], "'\(key.rawValue)' needs a value")
    }
    throw unknown(piece, Self.words + Self.keys, alsoNear: Self.words.map { "not-" + $0 })
  }

  private func refuseWhiteSpace(in piece: Piece) throws(ParseError) {
    var position = piece.position
    for scalar in piece.text.unicodeScalars {
      if scalar.properties.isWhitespace {
        let allowed = position == piece.position ? Self.words + Self.keys : []
        throw error(at: position, allowed, "white space is not allowed")
      }
      position += UTF8.width(scalar)
    }
  }

  private func negated(_ piece: Piece) throws(ParseError) -> Term {
    if let word = Word(rawValue: piece.text) {
      switch word {
      case .connected: return .word(.offline, isNegated: false)
      case .offline: return .word(.connected, isNegated: false)
      default: return .word(word, isNegated: true)
      }
    }
    if let equals = piece.bytes.firstIndex(of: UInt8(ascii: "=")), Key(rawValue: name(before: equals, in: piece)) != nil
    {
      throw error(at: piece.position, Self.words, "'\(name(before: equals, in: piece))=' cannot be negated")
    }
    if piece.bytes.isEmpty { throw error(at: piece.position, Self.words, "a word is missing after the negation") }
    throw unknown(piece, Self.words)
  }

  private func name(before end: Substring.UTF8View.Index, in piece: Piece) -> String {
    String(Substring(piece.bytes[..<end]))
  }

  private func term(_ name: Piece, value: Piece) throws(ParseError) -> Term {
    guard let key = Key(rawValue: name.text) else {
      if Word(rawValue: name.text) != nil { throw error(at: value.position - 1, [], "'\(name.text)' takes no value") }
      throw unknown(Piece(bytes: (name.text + "=")[...].utf8, position: name.position), Self.keys)
    }
    let text = value.text
    if key == .type {
      guard let type = InterfaceType(requirementName: text) else {
        throw unknown(value, InterfaceType.requirementNames)
      }
      return .type(type)
    }
    if let problem = InterfaceName.problem(with: text) {
      let allowed = key == .via ? InterfaceType.requirementNames : []
      throw error(at: value.position, allowed, "\(text.quotedInLine) is not the name of an interface: \(problem)")
    }
    return key == .via ? .via(text) : .interface(text)
  }

  // MARK: Errors

  private func error(at position: Int, _ allowed: [String], _ message: String) -> ParseError {
    ParseError(text: text, position: position, allowed: allowed, message: message)
  }

  private func unknown(_ piece: Piece, _ allowed: [String], alsoNear: [String] = []) -> ParseError {
    // Nobody misspells a word into one twice as long; comparing a long one would only take time.
    let suggestion = piece.bytes.count <= 32 ? Suggestion.text(for: piece.text, among: allowed + alsoNear) : ""
    return error(at: piece.position, allowed, "\(piece.text.quotedInLine) is not known\(suggestion)")
  }
}
