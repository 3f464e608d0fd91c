internal import PathEngine
package import PathModel
package import Programs

/// A path as text for people: the verdict, the properties and the interfaces.
package enum PathPicture {
  /// The lines, without newlines.
  ///
  /// - Parameters:
  ///   - causes: The causes of the path's state; see ``Verdict``.
  ///   - routes: The kernel's decisions, if this is the path to one host.
  ///   - now: The microseconds since boot, by which an old verdict has an age; 0 for none.
  package static func lines(
    _ path: NetworkPath, _ style: Style, causes: [Diagnosis] = [], routes: [RouteSummary] = [], now: Int = 0
  ) -> [String] {
    let path = path.escaped
    var lines = Verdict.lines(path, causes, style) + words(of: path, style, now)
    lines += routes.map { "  \($0.words)" }
    if path.status == .satisfied {
      let facts = path.properties.map { name, holds in
        let isUnknown = name == "metered" && path.isMeteringUnknown
        return "\(style.dim(name)) \(isUnknown ? style.dim("unknown") : style.mark(holds))"
      }
      lines.append("  " + facts.joined(separator: "  "))
      lines += reasons(path.cost).map { "  \($0.text) (\($0.confidence))" }
      if let doubt = CostDoubt.sentence(path) { lines.append("  \(doubt)") }
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

  /// The verdict on the answers of the Internet with its first reason, and the next step if a sign-in is wanted. The
  /// cause has said already which router does not answer, and `explain` has all reasons.
  private static func words(of path: NetworkPath, _ style: Style, _ now: Int) -> [String] {
    guard path.status == .satisfied else { return [] }
    let validation = path.validation
    let reasons = validation.reasons.filter { $0.source != .router }
    var lines: [String] = []
    if let words = validation.state.words, let reason = reasons.first {
      let others = reasons.count > 1 ? ", and \(reasons.count - 1) more" : ""
      // Others observe all the time, and hosts answer once.
      let asked = reasons.filter { $0.source == .host || $0.source == .signIn }.map(\.when).max() ?? 0
      let isOld = asked > 0 && now - asked > 3_600_000_000
      let age = isOld ? " \(TimeSpan.text(.microseconds(now - asked))) ago" : ""
      lines.append("  \(validation.state.isFault ? style.yellow("but ") : "")\(words)\(age): \(reason.text)\(others)")
    }
    guard let portal = validation.portal else { return lines }
    if validation.state == .unknown {
      lines.append("  address for the sign-in: \(portal)")
    } else if validation.wantsSignIn {
      lines.append("    'pathctl portal --open' opens \(portal)")
    }
    return lines
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

extension NetworkPath {
  /// The properties that the path has or lacks, in words for people.
  var properties: [(name: String, holds: Bool)] {
    [
      ("IPv4", supportsIPv4), ("IPv6", supportsIPv6), ("DNS", supportsDNS), ("metered", isExpensive),
      ("constrained", isConstrained), ("tunnel", usesTunnel),
    ]
  }
}
