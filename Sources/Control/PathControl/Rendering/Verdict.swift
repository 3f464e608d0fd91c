internal import PathEngine
package import PathModel
package import Programs

/// The verdict on a path as text for people: whether it is connected, the culprit, and the next step.
package enum Verdict {
  /// The closing words of an explanation: the limit of our knowledge of the path.
  package static func limit(of path: NetworkPath) -> String {
    guard path.status == .satisfied else { return "No packet was sent: the kernel itself has no usable way." }
    return path.validation.state == .unknown
      ? "No packet was sent: a firewall, a dead router or a provider's outage also looks connected."
      : "No packet was sent now: the validation of the path has what is known of the Internet."
  }

  /// The lines, without newlines and not yet folded.
  ///
  /// - Parameters:
  ///   - path: The path, with all its texts in one line.
  ///   - causes: The causes of its state; empty when the answer has none, as from an older service.
  package static func lines(_ path: NetworkPath, _ causes: [Diagnosis], _ style: Style) -> [String] {
    var lines = path.overrides.map { "\(style.yellow("overridden:")) \($0)" }
    lines.append(headline(path, causes, style))
    guard path.knowledge != .unknown else { return lines }
    for (position, cause) in causes.enumerated() where cause.code != .connected {
      // The headline of a path that is not satisfied has the first cause.
      let isInHeadline = position == 0 && path.status != .satisfied
      if !isInHeadline { lines.append("  \(words(of: cause, position, style))") }
      if let advice = cause.advice { lines.append("\(isInHeadline ? "  " : "    ")\(advice.inOneLine)") }
    }
    return lines
  }

  /// A cause behind the headline. Only its first word is coloured, as yellow is hard to read on a light terminal.
  private static func words(of cause: Diagnosis, _ position: Int, _ style: Style) -> String {
    let sentence = cause.sentence.inOneLine
    if position > 0 { return "\(style.yellow("also:")) \(sentence)" }
    // The headline says already what is connected.
    guard let comma = sentence.range(ofFirst: ", but ") else { return sentence }
    return "\(style.yellow("but")) \(sentence[comma.upperBound...])"
  }

  private static func headline(_ path: NetworkPath, _ causes: [Diagnosis], _ style: Style) -> String {
    if path.knowledge == .unknown { return "\(style.bullet(false)) \(style.yellow("not known"))" }
    let stale = path.knowledge == .stale ? style.yellow("  (not known now; this was so before)") : ""
    switch path.status {
    case .satisfied:
      let first = path.interfaces.first
      var text = "\(style.green("\(style.bullet(true)) connected"))"
      if let first { text += "  over \(style.bold(first.name)) (\(path.kindInWords(of: first)))" }
      if let first, !first.underlying.isEmpty { text += " on \(first.underlying.joined(separator: ", "))" }
      if let gateway = path.carryingGateway { text += " via \(gateway.description.inOneLine)" }
      return text + stale
    case .unsatisfied:
      let reason = causes.first?.sentence.inOneLine ?? path.reasonInWords
      return "\(style.red("\(style.bullet(false)) offline"))  \(reason)\(stale)"
    case .requiresConnection:
      return "\(style.yellow("\(style.bullet(false)) not connected yet"))\(stale)"
    }
  }
}

extension String {
  /// The first place of a text within this one.
  fileprivate func range(ofFirst text: String) -> Range<String.Index>? {
    indices.lazy.compactMap { start in
      self[start...].hasPrefix(text) ? start..<self.index(start, offsetBy: text.count) : nil
    }.first
  }
}
