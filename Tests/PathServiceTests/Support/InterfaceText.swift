/// An interface description in varlink's language, read as strictly as the language is written down.
struct InterfaceText: Equatable, Sendable {
  /// A type as the language has them.
  indirect enum Kind: Equatable, Sendable {
    case bool, int, float, string, object
    case named(String)
    case optional(Kind)
    case array(Kind)
    case map(Kind)
    case structure([Field])
    case choice([String])
  }

  struct Field: Equatable, Sendable {
    var name: String
    var kind: Kind
  }

  struct Method: Equatable, Sendable {
    var name: String
    var input: [Field]
    var output: [Field]
  }

  struct Definition: Equatable, Sendable {
    var name: String
    var kind: Kind
  }

  struct SyntaxError: Error, CustomStringConvertible {
    var description: String
  }

  var name = ""
  var types: [Definition] = []
  var methods: [Method] = []
  var errors: [Definition] = []

  init(_ text: String) throws {
    var reader = TokenReader(text)
    try reader.expect("interface")
    name = try reader.interfaceName()
    while let keyword = reader.next() {
      switch keyword {
      case "type": types.append(Definition(name: try reader.memberName(), kind: try reader.braced()))
      case "error": errors.append(Definition(name: try reader.memberName(), kind: try reader.braced()))
      case "method":
        let name = try reader.memberName()
        let input = try reader.fields()
        try reader.expect("->")
        methods.append(Method(name: name, input: input, output: try reader.fields()))
      default: throw SyntaxError(description: "'\(keyword)' begins no definition")
      }
    }
    let names = types.map(\.name) + methods.map(\.name) + errors.map(\.name)
    guard Set(names).count == names.count else { throw SyntaxError(description: "a name is defined twice") }
  }

  /// The type that a name stands for; any other type is itself.
  func resolve(_ kind: Kind) -> Kind? {
    guard case .named(let name) = kind else { return kind }
    return types.first { $0.name == name }?.kind
  }
}

/// Cuts the text into words and signs; comments and white space only separate.
private struct TokenReader {
  private var tokens: [String] = []
  private var position = 0

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var rest = line.prefix { $0 != "#" }
      while let first = rest.first {
        if first == " " || first == "\t" {
          rest.removeFirst()
        } else if let sign = ["->", "[]", "[string]"].first(where: { rest.hasPrefix($0) }) {
          tokens.append(sign)
          rest.removeFirst(sign.count)
        } else if first.isLetter || first.isNumber {
          let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" }
          tokens.append(String(word))
          rest.removeFirst(word.count)
        } else {
          tokens.append(String(first))
          rest.removeFirst()
        }
      }
    }
  }

  mutating func next() -> String? {
    guard position < tokens.count else { return nil }
    defer { position += 1 }
    return tokens[position]
  }

  private mutating func consume(_ token: String) -> Bool {
    guard position < tokens.count, tokens[position] == token else { return false }
    position += 1
    return true
  }

  mutating func expect(_ token: String) throws {
    let found = next() ?? "the end"
    guard found == token else { throw InterfaceText.SyntaxError(description: "'\(token)' expected, not '\(found)'") }
  }

  private mutating func word(_ what: String, _ isRight: (String) -> Bool) throws -> String {
    let found = next() ?? "the end"
    guard isRight(found) else {
      throw InterfaceText.SyntaxError(description: "\(what) expected, not '\(found)'")
    }
    return found
  }

  mutating func interfaceName() throws -> String {
    try word("the name of an interface") {
      $0.wholeMatch(of: /[A-Za-z](-*[A-Za-z0-9])*(\.[A-Za-z0-9](-*[A-Za-z0-9])*)+/) != nil
    }
  }

  mutating func memberName() throws -> String {
    try word("the name of a member") { $0.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil }
  }

  private mutating func fieldName() throws -> String {
    try word("the name of a field") { $0.wholeMatch(of: /[A-Za-z](_?[A-Za-z0-9])*/) != nil }
  }

  /// A structure or an enumeration in parentheses.
  mutating func braced() throws -> InterfaceText.Kind {
    let start = position
    try expect("(")
    if consume(")") { return .structure([]) }
    _ = try fieldName()
    let isStructure = consume(":")
    position = start
    return isStructure ? .structure(try fields()) : .choice(try list { reader in try reader.fieldName() })
  }

  mutating func fields() throws -> [InterfaceText.Field] {
    let fields = try list { reader in
      let name = try reader.fieldName()
      try reader.expect(":")
      return InterfaceText.Field(name: name, kind: try reader.kind())
    }
    guard Set(fields.map(\.name)).count == fields.count else {
      throw InterfaceText.SyntaxError(description: "a field is there twice")
    }
    return fields
  }

  private mutating func list<Element>(
    _ element: (inout TokenReader) throws -> Element
  ) throws -> [Element] {
    try expect("(")
    if consume(")") { return [] }
    var elements = [try element(&self)]
    while consume(",") { elements.append(try element(&self)) }
    try expect(")")
    return elements
  }

  private mutating func kind() throws -> InterfaceText.Kind {
    if consume("?") {
      let inner = try kind()
      if case .optional = inner { throw InterfaceText.SyntaxError(description: "'?' is there twice") }
      return .optional(inner)
    }
    if consume("[]") { return .array(try kind()) }
    if consume("[string]") { return .map(try kind()) }
    for (word, kind) in Self.simple where consume(word) { return kind }
    if position < tokens.count, tokens[position] == "(" { return try braced() }
    return .named(try memberName())
  }

  private static let simple: [(String, InterfaceText.Kind)] = [
    ("bool", .bool), ("int", .int), ("float", .float), ("string", .string), ("object", .object),
  ]
}
