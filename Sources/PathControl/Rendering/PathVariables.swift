package import PathModel

/// The path as environment variables, for the command of `pathctl watch --exec`. Each is one line.
package enum PathVariables {
  /// The greatest length of a variable on Linux, with its name and the NUL (`MAX_ARG_STRLEN`, execve(2)).
  private static let longest = 131_072

  /// The variables. A variable without a value is empty. `PATH_JSON` is empty too if it would be too long to start a
  /// program with.
  package static func of(_ path: NetworkPath) -> [(name: String, value: String)] {
    let json = String(decoding: path.jsonLine.dropLast(), as: UTF8.self)
    let path = path.escaped
    let carrier = path.status == .satisfied ? path.interfaces.first?.name : nil
    return [
      ("PATH_STATUS", path.status.rawValue),
      ("PATH_KNOWLEDGE", path.knowledge.rawValue),
      ("PATH_REASON", path.unsatisfiedReason?.rawValue ?? ""),
      ("PATH_INTERFACE", carrier ?? ""),
      ("PATH_TYPE", path.interfaceType?.rawValue ?? ""),
      ("PATH_EXPENSIVE", "\(path.isExpensive)"),
      ("PATH_CONSTRAINED", "\(path.isConstrained)"),
      ("PATH_TUNNEL", "\(path.usesTunnel)"),
      ("PATH_IPV4", "\(path.supportsIPv4)"),
      ("PATH_IPV6", "\(path.supportsIPv6)"),
      ("PATH_DNS", "\(path.supportsDNS)"),
      ("PATH_CHANGED", path.changed.joined(separator: " ")),
      ("PATH_JSON", json.utf8.count + "PATH_JSON=".utf8.count < longest ? json : ""),
    ]
  }
}
