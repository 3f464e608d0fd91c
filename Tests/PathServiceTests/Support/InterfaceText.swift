import PathModel

/// An interface description in varlink's language. An independent library reads it as strictly as the language is
/// written down; this type only finds the names and types.
struct InterfaceText: Sendable {
  struct Field: Equatable, Sendable {
    var name: String
    /// As in the language, without spaces.
    var type: String
  }

  /// A type, an error or a method. Only a method has output.
  struct Definition: Equatable, Sendable {
    var name: String
    var fields: [Field]
    var output: [Field] = []
  }

  var name = ""
  var types: [Definition] = []
  var methods: [Definition] = []
  var errors: [Definition] = []

  /// - Parameter text: A description whose definitions each begin a line.
  init(_ text: String) {
    var definitions: [String] = []
    for line in text.split(separator: "\n").map({ $0.prefix { $0 != "#" } }) {
      if line.first?.isLetter == true { definitions.append("") }
      if !definitions.isEmpty { definitions[definitions.count - 1] += line + " " }
    }
    for definition in definitions {
      let words = definition.split(separator: " ", maxSplits: 1)
      let rest = words[1].filter { $0 != " " }
      let name = String(rest.prefix { $0 != "(" })
      let structures = rest.dropFirst(name.count).split(separator: "->").map { Self.fields(of: $0) }
      var definition = Definition(name: name, fields: structures.first ?? [])
      switch words[0] {
      case "interface": self.name = name
      case "type": types.append(definition)
      case "error": errors.append(definition)
      default:
        definition.output = structures.last ?? []
        methods.append(definition)
      }
    }
  }

  /// The fields of a structure in parentheses.
  static func fields(of structure: some StringProtocol) -> [Field] {
    var fields: [String] = [""]
    var depth = 0
    for character in structure.dropFirst().dropLast() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 { fields.append("") } else { fields[fields.count - 1].append(character) }
    }
    return fields.compactMap { field in
      let parts = field.split(separator: ":", maxSplits: 1).map(String.init)
      return parts.count == 2 ? Field(name: parts[0], type: parts[1]) : nil
    }
  }

  /// The reason why a value is not of a type; `nil` when it is. The fields and their order have to be those of the
  /// type.
  func problem(with value: JSONValue, as type: String, at place: String = "") -> String? {
    if type.hasPrefix("?") { return value.isNull ? nil : problem(with: value, as: String(type.dropFirst()), at: place) }
    switch value {
    case .boolean where type == "bool", .integer where type == "int", .string where type == "string": return nil
    case .string(let text) where type.hasPrefix("("):
      return type.dropFirst().dropLast().split(separator: ",").contains { $0 == text } ? nil : "\(place): '\(text)'"
    case .array(let values) where type.hasPrefix("[]"):
      return values.lazy.compactMap { problem(with: $0, as: String(type.dropFirst(2)), at: "\(place)[]") }.first
    case .object(let object) where type.hasPrefix("[string]"):
      return object.members.lazy.compactMap { problem(with: $0.value, as: String(type.dropFirst(8)), at: place) }.first
    case .object(let object):
      guard let fields = types.first(where: { $0.name == type })?.fields else { return "\(place) is not \(type)" }
      return problem(with: object, as: fields, at: place)
    default: return "\(place): \(value) is not \(type)"
    }
  }

  func problem(with object: JSONObject, as fields: [Field], at place: String = "") -> String? {
    let (keys, names) = (object.members.map(\.key), fields.map(\.name))
    if keys != names { return "\(place): the fields are \(keys) instead of \(names)" }
    return zip(object.members, fields).lazy
      .compactMap { problem(with: $0.value, as: $1.type, at: "\(place).\($1.name)") }.first
  }
}
