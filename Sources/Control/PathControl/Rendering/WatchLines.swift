package import PathModel

/// The lines of `pathctl watch` where no picture is shown: one for each update, with its time.
package struct WatchLines: Sendable {
  private var last: NetworkPath?

  /// Lines before the first update.
  package init() {}

  /// The line of an update, without a newline. If the path reads as before, the line says what has changed.
  package mutating func line(_ path: NetworkPath, at time: String) -> String {
    let former = last
    last = path
    let text = "\(time) \(path)"
    guard let former, former.description == path.description else { return text }
    let changes = Self.changes(from: former.escaped, to: path.escaped)
    return text + "; " + (changes.isEmpty ? "another detail" : changes.joined(separator: ", "))
  }

  /// The properties that a path has and the former one had not, as phrases.
  private static func changes(from former: NetworkPath, to path: NetworkPath) -> [String] {
    var changes = zip(former.properties, path.properties).filter { $0.holds != $1.holds }
      .map { "\($1.name) \($1.holds ? "yes" : "no")" }
    if former.interfaces != path.interfaces {
      changes.append("interfaces: \(list(path.interfaces.map(words)))")
    }
    if former.gateways != path.gateways {
      changes.append("gateways: \(list(path.gateways.map(\.description.inOneLine)))")
    }
    if former.overrides != path.overrides { changes.append("overrides: \(list(path.overrides))") }
    if former.doubtInWords != path.doubtInWords { changes.append(path.doubtInWords ?? "no doubt any more") }
    if former.validation != path.validation { changes.append("observations of whether the Internet answers") }
    if former.cost != path.cost { changes.append("evidence of its cost") }
    return changes
  }

  private static func words(_ interface: NetworkInterface) -> String {
    ([interface.name] + interface.addresses.map(\.description)).joined(separator: " ")
  }

  private static func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ", ") }
}
