import PathModel

extension InterfaceText {
  /// The reason why a value is not of a type; `nil` when it is. The fields and their order have to be those of the
  /// type.
  func problem(with value: JSONValue, as kind: Kind, at place: String = "") -> String? {
    switch (resolve(kind), value) {
    case (.optional(let inner), _): value.isNull ? nil : problem(with: value, as: inner, at: place)
    case (.bool, .boolean), (.int, .integer), (.float, .number), (.float, .integer), (.string, .string): nil
    case (.object, .object): nil
    case (.choice(let names), .string(let text)): names.contains(text) ? nil : "\(place): '\(text)' is not in \(names)"
    case (.array(let element), .array(let values)):
      values.lazy.compactMap { problem(with: $0, as: element, at: "\(place)[]") }.first
    case (.map(let element), .object(let object)):
      object.members.lazy.compactMap { problem(with: $0.value, as: element, at: "\(place).\($0.key)") }.first
    case (.structure(let fields), .object(let object)): problem(with: object, as: fields, at: place)
    default: "\(place): \(value) is not \(kind)"
    }
  }

  private func problem(with object: JSONObject, as fields: [Field], at place: String) -> String? {
    let (keys, names) = (object.members.map(\.key), fields.map(\.name))
    if keys != names { return "\(place): the fields are \(keys) instead of \(names)" }
    return zip(object.members, fields).lazy
      .compactMap { problem(with: $0.value, as: $1.kind, at: "\(place).\($1.name)") }.first
  }
}
