internal import PathModel

/// The path as environment variables, for the commands that `pathctl watch --exec` and `pathctl hooks` run. Each is one
/// line.
package enum PathVariables {
  /// The greatest length of a variable on Linux, with its name and the NUL (`MAX_ARG_STRLEN`, execve(2)).
  private static let longest = 131_072

  /// The names of the variables of the path before.
  static let formerNames = values(of: .unknown).map { "PATH_FORMER_\($0.name)" }

  /// The variables of a path and of the path before it. A variable without a value is empty, and so are all of a path
  /// that there is not. A JSON text is empty too if it would be too long to start a program with.
  ///
  /// - Parameter run: The path, and that for which the command was run before.
  package static func of(_ run: HookDispatch.Run) -> [(name: String, value: String)] {
    let path = run.path
    let former = run.former.map { values(of: $0).map(\.value) } ?? formerNames.map { _ in "" }
    let variables =
      values(of: path).map { ("PATH_\($0.name)", $0.value) }
      + [
        ("PATH_CHANGED", path.escaped.changed.joined(separator: " ")),
        ("PATH_MOVED", run.moved.words.joined(separator: " ")),
      ]
      + zip(formerNames, former).map { ($0, $1) }
    return variables.map { name, value in
      (name, name.utf8.count + value.utf8.count + "=".utf8.count < longest ? value : "")
    }
  }

  private static func values(of path: NetworkPath) -> [(name: String, value: String)] {
    let json = String(decoding: path.jsonLine.dropLast(), as: UTF8.self)
    let summary = PathSummary(path)
    let path = path.escaped
    let carrier = path.status == .satisfied ? path.interfaces.first?.name : nil
    return [
      ("STATUS", path.status.rawValue),
      ("KNOWLEDGE", path.knowledge.rawValue),
      ("REASON", path.unsatisfiedReason?.rawValue ?? ""),
      ("DIAGNOSIS", summary[.diagnosis]),
      ("ADVICE", summary[.advice]),
      ("INTERFACE", carrier ?? ""),
      ("TYPE", path.interfaceType?.rawValue ?? ""),
      ("EXPENSIVE", path.isExpenseUndetermined ? "unknown" : "\(path.isExpensive)"),
      ("CONSTRAINED", "\(path.isConstrained)"),
      ("TUNNEL", "\(path.usesTunnel)"),
      ("IPV4", "\(path.supportsIPv4)"),
      ("IPV6", "\(path.supportsIPv6)"),
      ("DNS", "\(path.supportsDNS)"),
      ("VALIDATION", path.validation.state.rawValue),
      ("JSON", json),
    ]
  }
}
