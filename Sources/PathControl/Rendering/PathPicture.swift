internal import PathEngine
package import PathModel

/// A path as text for people: the verdict, the properties and the interfaces.
package enum PathPicture {
  /// The lines, without newlines.
  ///
  /// - Parameter isToHost: Whether this is the path to one host; probes do not decide such a path.
  package static func lines(_ path: NetworkPath, _ style: Style, isToHost: Bool = false) -> [String] {
    let path = path.escaped
    var lines = path.overrides.map { style.yellow("overridden: \($0)") }
    lines.append(headline(path, style))
    if let advice = path.advice(isToHost: isToHost) { lines.append("  \(advice)") }
    if path.status == .satisfied {
      let facts = [
        ("IPv4", path.supportsIPv4), ("IPv6", path.supportsIPv6), ("DNS", path.supportsDNS),
        ("metered", path.isExpensive), ("constrained", path.isConstrained), ("tunnel", path.usesTunnel),
      ]
      lines.append("  " + facts.map { "\(style.dim($0.0)) \(style.mark($0.1))" }.joined(separator: "  "))
      lines += reasons(path.cost).map { "  \(style.yellow($0.text)) (\($0.confidence))" }
    } else if !path.interfaces.isEmpty {
      let names = path.interfaces.map(\.name).joined(separator: ", ")
      lines.append("  usable by sockets bound to it: \(names)")
    }
    lines = lines.flatMap { LineFolding.fold($0, to: style.width) }
    if !path.interfaces.isEmpty { lines += [""] + interfaceLines(path, style) }
    return lines
  }

  /// The evidence that made the path expensive or constrained; `explain` shows all evidence.
  private static func reasons(_ cost: Cost?) -> [Evidence] {
    guard let cost else { return [] }
    return cost.decidingPieces.map { cost.evidence[$0] }.filter { $0.verdict.isCostly }
  }

  private static func headline(_ path: NetworkPath, _ style: Style) -> String {
    if path.knowledge == .unknown { return "\(style.bullet(false)) \(style.yellow("not known"))" }
    let stale = path.knowledge == .stale ? style.yellow("  (not known now; this was so before)") : ""
    switch path.status {
    case .satisfied:
      let first = path.interfaces.first
      var text = "\(style.green("\(style.bullet(true)) connected"))"
      if let first { text += "  over \(style.bold(first.name)) (\(path.kindInWords(of: first)))" }
      if let first, !first.underlying.isEmpty { text += " on \(first.underlying.joined(separator: ", "))" }
      if !path.usesTunnel, let gateway = path.gateways.first { text += " via \(gateway.description.inOneLine)" }
      return text + stale
    case .unsatisfied:
      let reason = (path.unsatisfiedReason ?? .noRoute).words
      return "\(style.red("\(style.bullet(false)) offline"))  \(reason)\(stale)"
    case .requiresConnection:
      return "\(style.yellow("\(style.bullet(false)) not connected yet"))\(stale)"
    }
  }

  private static func interfaceLines(_ path: NetworkPath, _ style: Style) -> [String] {
    var table = Table(header: ["INTERFACE", "TYPE", "ADDRESSES", "ON", "MTU"], indentation: "  ")
    for interface in path.interfaces {
      table.add([
        interface.name, path.kindInWords(of: interface), interface.addresses.map(\.description).joined(separator: " "),
        interface.underlying.joined(separator: " "), interface.mtu.map(String.init) ?? "",
      ])
    }
    return table.lines(style)
  }
}
