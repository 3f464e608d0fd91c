extension PathRequirement {
  /// A mistake in the text of a requirement, with its place.
  public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole text.
    public let text: String
    /// The start of the mistake: UTF-8 bytes from the start of the text.
    public let position: Int
    /// The text that is allowed there: words, keys with their `=`, or values. Empty when these cannot be listed.
    public let allowed: [String]
    /// The mistake, in words.
    package let message: String

    /// An error as given.
    package init(text: String, position: Int, allowed: [String], message: String) {
      self.text = text
      self.position = position
      self.allowed = allowed
      self.message = message
    }

    /// The mistake, its place, and the text that is allowed there, without a full stop.
    public var description: String {
      let sentence = "invalid requirement at byte \(position): \(message)"
      return allowed.isEmpty ? sentence : sentence + "; allowed here: " + allowed.joined(separator: ", ")
    }
  }

  /// The longest text in bytes that is accepted as a requirement.
  package static let longestText = 1_024
  /// The most terms a requirement can have, those in parentheses included.
  package static let mostTerms = 32
  /// How deep parentheses can be nested.
  package static let deepestNesting = 8

  /// Parses a requirement.
  ///
  /// - Throws: ``ParseError`` with the place of the first mistake and the text that is allowed there.
  public init(_ text: String) throws(ParseError) {
    var parser = RequirementParser(text)
    self.init(terms: try parser.terms())
  }
}

private struct RequirementParser {
  typealias Term = PathRequirement.Term
  typealias Word = PathRequirement.Word
  typealias Key = PathRequirement.Key
  typealias ParseError = PathRequirement.ParseError

  /// A piece of the text and its start, in bytes. Characters would not do: a combining mark would join the separator
  /// before it, which then would be no separator.
  private struct Piece {
    var bytes: Substring.UTF8View
    var position: Int

    var text: String { String(Substring(bytes)) }

    /// The piece without its first bytes.
    func dropping(_ count: Int) -> Piece {
      Piece(bytes: bytes.dropFirst(count), position: position + count)
    }
  }

  private let text: String
  /// The text that has not been read yet.
  private var rest: Piece
  private var termCount = 0

  private static let words = Word.allCases.map(\.rawValue)
  private static let keys = Key.allCases.map { $0.rawValue + "=" }
  /// Everything that can follow a negation.
  private static let negatable = words + ["("]
  /// Everything that a term can begin with, but a negation.
  private static let beginnings = words + keys + ["("]
  private static let (comma, bar) = (UInt8(ascii: ","), UInt8(ascii: "|"))
  private static let negations = ["not-", "!"]
  private static let synonyms = PathRequirement.synonyms.map(\.name)

  init(_ text: String) {
    self.text = text
    rest = Piece(bytes: Substring(text).utf8, position: 0)
  }

  mutating func terms() throws(ParseError) -> [Term] {
    guard text.utf8.count <= PathRequirement.longestText else {
      throw error(at: PathRequirement.longestText, [], "it is longer than \(PathRequirement.longestText) bytes")
    }
    let terms = try list(depth: 0)
    if !rest.bytes.isEmpty { throw error(at: rest.position, [",", "|"], "a comma or a bar is missing") }
    return terms
  }

  /// Reads terms with commas or with bars between them, up to the end or, in parentheses, to the closing one.
  private mutating func list(depth: Int) throws(ParseError) -> [Term] {
    var items = [try item(depth: depth)]
    guard let separator = rest.bytes.first, separator == Self.comma || separator == Self.bar else { return items[0] }
    while let next = rest.bytes.first, next == Self.comma || next == Self.bar {
      guard next == separator else {
        throw error(
          at: rest.position, [separator == Self.bar ? "|" : ","],
          "a comma and a bar stand side by side; write (wifi|ethernet),unmetered or wifi|(ethernet,unmetered)")
      }
      rest = rest.dropping(1)
      items.append(try item(depth: depth))
    }
    if separator == Self.comma { return items.flatMap(\.self) }
    return PathRequirement.any(of: items.map { PathRequirement(terms: $0) }).terms
  }

  /// Reads a term, or all that is in its parentheses.
  private mutating func item(depth: Int) throws(ParseError) -> [Term] {
    guard termCount < PathRequirement.mostTerms else {
      throw error(at: rest.position, [], "it has more than \(PathRequirement.mostTerms) terms")
    }
    termCount += 1
    for prefix in Self.negations + [""] where rest.bytes.starts(with: (prefix + "(").utf8) {
      rest = rest.dropping(prefix.utf8.count + 1)
      let terms = try group(depth: depth + 1)
      return prefix.isEmpty ? terms : Term.negation(of: terms)
    }
    // Outside of parentheses, a closing one is part of a name, because the kernel allows it in names.
    let end = rest.bytes.firstIndex {
      $0 == Self.comma || $0 == Self.bar || depth > 0 && $0 == UInt8(ascii: ")")
    }
    let piece = Piece(bytes: rest.bytes[..<(end ?? rest.bytes.endIndex)], position: rest.position)
    let term = try term(piece)
    rest = rest.dropping(piece.bytes.count)
    return [term]
  }

  /// Reads the text after an opening parenthesis, including the closing one.
  private mutating func group(depth: Int) throws(ParseError) -> [Term] {
    guard depth <= PathRequirement.deepestNesting else {
      throw error(at: rest.position, [], "its parentheses are nested more than \(PathRequirement.deepestNesting) deep")
    }
    let terms = try list(depth: depth)
    guard rest.bytes.first == UInt8(ascii: ")") else {
      throw error(at: rest.position, [",", "|", ")"], "a parenthesis is not closed")
    }
    rest = rest.dropping(1)
    return terms
  }

  private func term(_ piece: Piece) throws(ParseError) -> Term {
    if piece.bytes.isEmpty { throw error(at: piece.position, Self.beginnings, "a term is missing") }
    try refuseWhiteSpace(in: piece)
    for negation in Self.negations where piece.bytes.starts(with: negation.utf8) {
      return try negated(piece.dropping(negation.utf8.count))
    }
    if let equals = piece.bytes.firstIndex(of: UInt8(ascii: "=")) {
      let name = Piece(bytes: piece.bytes[..<equals], position: piece.position)
      return try term(name, value: piece.dropping(name.bytes.count + 1))
    }
    if let term = Self.word(piece.text) { return term }
    if let key = Key(rawValue: piece.text) {
      throw error(at: piece.position, [key.rawValue + "="], "'\(key.rawValue)' needs a value")
    }
    throw unknown(
      piece, Self.beginnings, alsoNear: Self.synonyms + (Self.words + Self.synonyms).map { "not-" + $0 })
  }

  /// The term of a word or of a synonym; `nil` for any other text.
  private static func word(_ text: String) -> Term? {
    if let word = Word(rawValue: text) { return .word(word, isNegated: false) }
    guard let meaning = PathRequirement.synonyms.first(where: { $0.name == text })?.term else { return nil }
    for negation in negations where meaning.hasPrefix(negation) {
      return Word(rawValue: String(meaning.dropFirst(negation.count))).map { .word($0, isNegated: true) }
    }
    return Word(rawValue: meaning).map { .word($0, isNegated: false) }
  }

  private func refuseWhiteSpace(in piece: Piece) throws(ParseError) {
    var position = piece.position
    for scalar in piece.text.unicodeScalars {
      if scalar.properties.isWhitespace {
        let allowed = position == piece.position ? Self.beginnings : []
        throw error(at: position, allowed, "white space is not allowed")
      }
      position += UTF8.width(scalar)
    }
  }

  private func negated(_ piece: Piece) throws(ParseError) -> Term {
    if let term = Self.word(piece.text), let negation = Term.negation(of: [term]).first { return negation }
    if let equals = piece.bytes.firstIndex(of: UInt8(ascii: "=")),
      let key = Key(rawValue: String(Substring(piece.bytes[..<equals])))
    {
      throw error(
        at: piece.position, Self.negatable,
        "'\(key.rawValue)=' is negated in parentheses: not-(\(key.rawValue)=…)")
    }
    if piece.bytes.isEmpty { throw error(at: piece.position, Self.negatable, "a word is missing after the negation") }
    throw unknown(piece, Self.negatable, alsoNear: Self.synonyms)
  }

  private func term(_ name: Piece, value: Piece) throws(ParseError) -> Term {
    guard let key = Key(rawValue: name.text) else {
      if Self.word(name.text) != nil { throw error(at: value.position - 1, [], "'\(name.text)' takes no value") }
      throw unknown(Piece(bytes: (name.text + "=")[...].utf8, position: name.position), Self.keys)
    }
    let text = value.text
    if key == .type {
      guard let type = InterfaceType(requirementValue: text) else {
        throw unknown(value, InterfaceType.requirementNames)
      }
      return .type(type)
    }
    if let problem = InterfaceName.problem(with: text) {
      let allowed = key == .via ? InterfaceType.requirementNames : []
      throw error(at: value.position, allowed, "\(text.quotedInLine) is not the name of an interface: \(problem)")
    }
    return key == .via ? .via(text.exact) : .interface(text.exact)
  }

  // MARK: Errors

  private func error(at position: Int, _ allowed: [String], _ message: String) -> ParseError {
    ParseError(text: text, position: position, allowed: allowed, message: message)
  }

  private func unknown(_ piece: Piece, _ allowed: [String], alsoNear: [String] = []) -> ParseError {
    // Nobody misspells a word into one twice as long; comparing a long one would only take time.
    let suggestion =
      piece.bytes.count <= 32 ? Suggestion.text(for: piece.text, among: allowed.filter { $0 != "(" } + alsoNear) : ""
    return error(at: piece.position, allowed, "\(piece.text.quotedInLine) is not known\(suggestion)")
  }
}
