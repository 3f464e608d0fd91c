internal import PathDecisions
internal import PathModel

/// A value in a configuration file, with its key and its line for messages.
package struct ConfigurationValue {
  /// The key of the value.
  let key: ConfigurationKey
  /// The text after the equals sign.
  let text: String
  /// The line, from 1.
  let line: Int

  private func problem(_ message: String) -> ConfigurationProblem { ConfigurationProblem(line: line, message: message) }

  /// The error for a value, or a word of it, that the key does not accept.
  private func rejection(
    of word: String, because reason: String? = nil, suggesting names: [String] = []
  ) -> ConfigurationProblem {
    let reason = reason ?? (word.contains(" #") || word.contains(" ;") ? Self.commentAdvice : nil)
    let why = Suggestion.text(for: word, among: names) + (reason.map { ": \($0)" } ?? "")
    return problem("\(word.quotedInLine) is no value for \(key.shown)\(why); allowed: \(key.allowed)")
  }

  private static let commentAdvice = "a comment stands on a line of its own"

  // MARK: Single values

  func boolean() throws(ConfigurationProblem) -> Bool? {
    if text.isEmpty { return nil }
    guard let value = Self.boolean(text) else { throw rejection(of: text) }
    return value
  }

  /// The Boolean that a word stands for, as in the files of systemd; `nil` for any other word.
  package static func boolean(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "1", "yes", "y", "true", "t", "on": true
    case "0", "no", "n", "false", "f", "off": false
    default: nil
    }
  }

  func number(in range: ClosedRange<Int>) throws(ConfigurationProblem) -> Int? {
    if text.isEmpty { return nil }
    guard let number = Int(text), range.contains(number) else { throw rejection(of: text) }
    return number
  }

  func settleTimes() throws(ConfigurationProblem) -> SettleTimes? {
    if text.isEmpty { return nil }
    do throws(TimeSpan.ParseError) {
      return SettleTimes(try TimeSpan.parse(text))
    } catch {
      throw problem("\(text.quotedInLine) is no time for Settle=: \(error); write for example \(key.example)")
    }
  }

  func interfaceType() throws(ConfigurationProblem) -> InterfaceType? {
    text.isEmpty ? nil : try interfaceType(text)
  }

  private func interfaceType(_ word: String) throws(ConfigurationProblem) -> InterfaceType {
    guard let type = InterfaceType(requirementName: word) else {
      throw rejection(of: word, suggesting: InterfaceType.requirementNames)
    }
    return type
  }

  // MARK: Lists

  func addresses() throws(ConfigurationProblem) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for word in text.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      guard let address = IPAddress(unscoped: String(word)) else {
        let comment = word.first == "#" || word.first == ";" ? ", and \(Self.commentAdvice)" : ""
        throw problem(
          "\(String(word).quotedInLine) is no address for \(key.shown): IPv4 or IPv6 in numbers is needed\(comment)")
      }
      addresses.append(address)
    }
    return addresses
  }

  /// Adds the patterns to a list; an empty value empties it.
  func globs(
    addedTo list: InterfaceMatch.List<Glob>?, foldingCase: Bool = false
  ) throws(ConfigurationProblem) -> InterfaceMatch.List<Glob>? {
    try added(to: list) { word throws(ConfigurationProblem) in try glob(word, foldingCase: foldingCase) }
  }

  func types(
    addedTo list: InterfaceMatch.List<InterfaceType>?
  ) throws(ConfigurationProblem) -> InterfaceMatch.List<InterfaceType>? {
    try added(to: list) { word throws(ConfigurationProblem) in try interfaceType(word) }
  }

  func gateways(
    addedTo list: InterfaceMatch.List<InterfaceMatch.Gateway>?
  ) throws(ConfigurationProblem) -> InterfaceMatch.List<InterfaceMatch.Gateway>? {
    try added(to: list) { word throws(ConfigurationProblem) in
      let parts = word.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      if let address = IPAddress(unscoped: String(parts[0])) {
        guard parts.count == 2 else {
          if parts.count > 2 { throw rejection(of: word) }
          return .prefix(address, length: address.family.bitWidth)
        }
        guard let length = Int(String(parts[1])), (0...address.family.bitWidth).contains(length) else {
          throw rejection(of: word, because: "a prefix length is from 0 to \(address.family.bitWidth)")
        }
        return .prefix(address, length: length)
      }
      // A name or a mistyped address would never match, so it is an error at once.
      guard word.unicodeScalars.contains(where: { "*?[".unicodeScalars.contains($0) }),
        word.unicodeScalars.allSatisfy({ "0123456789abcdefABCDEF.:*?[]!^-".unicodeScalars.contains($0) })
      else { throw rejection(of: word) }
      return .pattern(try glob(word, foldingCase: true))
    }
  }

  private func glob(_ word: String, foldingCase: Bool) throws(ConfigurationProblem) -> Glob {
    do throws(Glob.PatternError) {
      return try Glob(word, foldsCase: foldingCase)
    } catch {
      throw rejection(of: word, because: error.reason)
    }
  }

  /// The most alternatives that a list can have.
  private static let limit = 256

  private func added<Alternative>(
    to list: InterfaceMatch.List<Alternative>?,
    _ parse: (String) throws(ConfigurationProblem) -> Alternative
  ) throws(ConfigurationProblem) -> InterfaceMatch.List<Alternative>? {
    if text.isEmpty { return nil }
    let isInverted = text.utf8.first == UInt8(ascii: "!")
    var result = list ?? InterfaceMatch.List([], isInverted: isInverted)
    guard result.isInverted == isInverted else {
      throw problem(
        "lines of \(key.shown) with and without '!' cannot be joined; write all alternatives with the same beginning")
    }
    let words = try words(isInverted ? String(text.unicodeScalars.dropFirst()) : text)
    guard result.alternatives.count + words.count <= Self.limit else {
      throw problem("there are more than \(Self.limit) alternatives for \(key.shown); write two rules")
    }
    for word in words {
      if let reason = Self.fault(in: word) { throw rejection(of: word.text, because: reason) }
      result.alternatives.append(try parse(word.text))
    }
    guard !result.alternatives.isEmpty else { throw rejection(of: text) }
    return result
  }

  /// A word of a list.
  private struct Word {
    var scalars = String.UnicodeScalarView()
    /// Whether it begins in quotation marks, so that its first character has no meaning of its own.
    var isQuoted = false

    var text: String { String(scalars) }
  }

  /// The reason why a word cannot be an alternative, whatever the key; `nil` when it can.
  private static func fault(in word: Word) -> String? {
    switch word.isQuoted ? nil : word.scalars.first {
    case "!": "one '!' before the first alternative negates the whole list, and no other can stand in it"
    case "#", ";": "\(commentAdvice); a name that begins so stands in quotation marks"
    default: nil
    }
  }

  /// Splits the text at spaces and tabs. Quotation marks of either kind hold words together. A backslash makes the next
  /// character literal; it stays in the word for the pattern that is made of it.
  private func words(_ text: String) throws(ConfigurationProblem) -> [Word] {
    var words: [Word] = []
    var word: Word?
    var quotation: Unicode.Scalar?
    var scalars = text.unicodeScalars[...]
    // Characters are appended in place: a word is built in as many steps as it has characters.
    func append(_ scalar: Unicode.Scalar) {
      if word == nil { word = Word() }
      word?.scalars.append(scalar)
    }
    while let scalar = scalars.popFirst() {
      if scalar == "\\", let next = scalars.popFirst() {
        append(scalar)
        append(next)
      } else if scalar == quotation {
        quotation = nil
      } else if quotation == nil, scalar == "\"" || scalar == "'" {
        quotation = scalar
        word = word ?? Word(isQuoted: true)
      } else if quotation == nil, scalar == " " || scalar == "\t" {
        if let word { words.append(word) }
        word = nil
      } else {
        append(scalar)
      }
    }
    if let quotation {
      throw problem("\(text.quotedInLine) for \(key.shown) lacks a closing quotation mark \(quotation)")
    }
    if let word { words.append(word) }
    return words
  }
}
