package import PathModel

/// A value of the path that `--field` and templates name.
package struct PathField: Hashable, Sendable {
  /// The interface that carries the traffic. The wire has it as the first of the interfaces.
  private static let carrier = "interface"

  /// The names of all fields: the keys of a path in JSON, `interface` for the name of the interface that carries the
  /// traffic, and the keys of that interface, such as `interface.mtu`.
  package static let names =
    NetworkPath.fields.map(\.key) + [carrier] + NetworkInterface.fields.map { "\(carrier).\($0.key)" }

  /// The name of the field.
  package let name: String

  /// A field by its name; `nil` when there is none.
  package init?(name: String) {
    guard Self.names.contains(name) else { return nil }
    self.name = name
  }

  /// The value on one line: a text as it is, a list of words with spaces between them, everything else as in JSON. An
  /// absent value is empty. The diagnosis is its sentence, the validation its state.
  package func text(of path: NetworkPath) -> String {
    if name == Self.carrier {
      return path.status == .satisfied ? path.interfaces.first?.name.inOneLine ?? "" : ""
    }
    if name == "diagnosis" { return PathSummary(path)[.diagnosis] }
    if name == "validation" { return path.validation.state.rawValue.inOneLine }
    let object = (try? JSONValue(parsing: path.jsonLine)) ?? .null
    guard name.hasPrefix("\(Self.carrier).") else { return Self.text(of: object[name] ?? .null).inOneLine }
    let interface = path.status == .satisfied ? object["interfaces"]?.arrayValue?.first : nil
    return Self.text(of: interface?[String(name.dropFirst(Self.carrier.count + 1))] ?? .null).inOneLine
  }

  private static func text(of value: JSONValue) -> String {
    switch value {
    case .null: return ""
    case .string(let text): return text
    case .array(let values):
      // A text with a space, such as an override, would look like two words.
      let words = values.compactMap(\.stringValue).filter { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: " ")) }
      if words.count == values.count { return words.joined(separator: " ") }
    case .boolean, .integer, .number, .object: break
    }
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
