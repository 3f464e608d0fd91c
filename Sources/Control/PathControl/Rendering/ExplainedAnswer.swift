internal import PathDecisions
package import PathModel
package import Programs
internal import SystemIO

/// The path, its causes and the evidence, as `status`, `route` and `explain` show them.
package struct ExplainedAnswer: Sendable {
  /// The path to the Internet, or to a host.
  package var path: NetworkPath
  /// The causes of its state.
  package var causes: [Diagnosis]
  /// The kernel's decisions, if this is the path to a host.
  package var routes: [RouteSummary] = []
  /// The verdict and the evidence, line by line.
  package var steps: [String]

  /// The answer about the Internet.
  package init(_ explained: ExplainedPath) {
    (path, causes, steps) = (explained.path, explained.causes, explained.steps)
  }

  /// The answer about a host, from the explanations of its addresses.
  ///
  /// - Parameters:
  ///   - explained: The explanations, in the order in which a program should try the addresses; not empty.
  ///   - isTried: Whether a program tries the address at the position: the first one of each family decides the path.
  package init(toHost explained: [ExplainedPath], isTried: (Int) -> Bool) {
    let tried = explained.enumerated().filter { isTried($0.offset) }.map(\.element)
    path = NetworkPath.joined(tried.map(\.path))
    causes = (tried.first { $0.path.status == .satisfied } ?? tried.first)?.causes ?? []
    routes = explained.compactMap(\.route)
    steps = explained.flatMap(\.steps)
  }

  /// `pathctl explain` as lines, folded to the width of the terminal.
  ///
  /// - Parameter held: The sentences about connections whose address is gone.
  package func explanation(_ style: Style, held: [String] = []) -> [String] {
    var lines = Verdict.lines(path.escaped, causes, style) + routes.map { "  \($0.words)" }
    // The verdict is above already.
    let marks = [PathExplanation.verdictMark, PathExplanation.furtherMark]
    let evidence = steps.filter { step in !marks.contains { step.hasPrefix($0) } }
    lines += held
    lines += ["", style.bold("Evidence:")] + evidence.map { "  \($0.inOneLine)" }
    lines += ["  pathctl \(PathMonitorVersion.current)", "", Verdict.limit(of: path)]
    return lines.flatMap { LineFolding.fold($0, to: style.width) }
  }

  /// Appends the members `diagnosis`, `furtherDiagnoses` and, for a host, `routes`.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("diagnosis")
    if let first = causes.first { Self.write(first, to: &writer) } else { writer.null() }
    writer.key("furtherDiagnoses")
    writer.array(causes.dropFirst()) { Self.write($1, to: &$0) }
    guard !routes.isEmpty else { return }
    writer.key("routes")
    writer.array(routes) { $1.write(to: &$0) }
  }

  private static func write(_ cause: Diagnosis, to writer: inout JSONWriter) {
    writer.beginObject()
    cause.writeMembers(to: &writer)
    writer.key("advice")
    if let advice = cause.advice { writer.string(advice) } else { writer.null() }
    writer.endObject()
  }

  /// The path as one line of JSON with the causes among its members, as `status` and `route` print it.
  var pathLine: [UInt8] {
    JSONWriter.line { writer in
      writer.beginObject()
      path.writeMembers(except: "diagnosis", to: &writer)
      writeMembers(to: &writer)
      writer.endObject()
    }
  }
}

extension Invocation {
  /// Whether the form of the output has a place for the causes of the path's state.
  var showsCauses: Bool { !isQuiet && (form == .picture || form == .json) }

  /// Prints a path in a form without causes; the exit status says whether there is one.
  func show(_ path: NetworkPath) -> Int32 {
    guard !isQuiet, let line = form.line(path) else { return path.exitStatus }
    return PathControl.say("\(line)\n", path.exitStatus)
  }

  /// Prints a path with its causes; the exit status says whether there is one.
  func show(_ answer: ExplainedAnswer) -> Int32 {
    guard showsCauses else { return show(answer.path) }
    let status = answer.path.exitStatus
    if isJSON { return PathControl.say(answer.pathLine, status) }
    let style = Style.forOutput()
    let lines =
      PathPicture.lines(
        answer.path, style, causes: answer.causes, routes: answer.routes, now: boottimeMicroseconds())
      + (answer.routes.isEmpty ? HeldAddresses.now().flatMap { LineFolding.fold($0, to: style.width) } : [])
    return PathControl.say(drawn: lines, status)
  }

  /// Prints a path with its causes and the evidence; the exit status says whether there is one.
  ///
  /// - Parameter isPaged: Whether a long text may be shown in a pager.
  func explain(_ answer: ExplainedAnswer, isPaged: Bool) -> Int32 {
    let status = answer.path.exitStatus
    guard isJSON else {
      let text = answer.explanation(.forOutput(), held: HeldAddresses.now()).map { "\($0)\n" }.joined()
      return isPaged ? PathControl.page(text, status) : PathControl.say(text, status)
    }
    return PathControl.say(
      JSONWriter.line { writer in
        writer.beginObject()
        writer.key("path")
        answer.path.write(to: &writer)
        answer.writeMembers(to: &writer)
        writer.key("steps")
        writer.array(answer.steps) { $0.string($1) }
        writer.endObject()
      }, status)
  }
}
