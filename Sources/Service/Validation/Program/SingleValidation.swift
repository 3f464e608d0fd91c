internal import PathConfiguration
internal import PathFollowing
internal import PathModel
internal import PathSubscribers
internal import Programs
internal import SystemIO

/// `--once`: asks for a verdict on the present path, and prints it. If a running validator has reported on this path,
/// the verdict takes the place of that report; without one nobody would ever take it back.
struct SingleValidation {
  private let socket: String
  private let configuration: ValidationConfiguration
  private var program: Program { ValidationProgram.program }

  /// Asks for the path of the service at the socket.
  init(_ socket: String, _ configuration: ValidationConfiguration) {
    (self.socket, self.configuration) = (socket, configuration)
  }

  /// Makes one round, and a second one a second later unless the first has validated the network.
  func run() -> Int32 {
    do throws(PathSourceError) {
      let path = try ServiceClient.path(in: try ServiceClient(socket).ask(.getPath))
      if let obstacle = obstacle(of: path) {
        program.complain(obstacle)
        return ExitStatus.unavailable
      }
      return ask(over: path)
    } catch {
      program.complain(error.sentences)
      return ExitStatus.unavailable
    }
  }

  private func obstacle(of path: NetworkPath) -> String? {
    guard path.knowledge == .known, path.status == .satisfied else {
      return "there is no path to ask over. 'pathctl explain' says why."
    }
    let refused = RestrictedPath.kinds(of: path).subtracting(configuration.allowed).map(\.rawValue).sorted()
    if !refused.isEmpty {
      let words = refused.joined(separator: " ")
      return "nothing is sent, because the path is of this kind: \(words). 'AlsoOver=\(words)' allows it."
    }
    return RequestRound(configuration.askedHosts, over: path).isEmpty
      ? """
      nothing is asked: the network has announced no address for the sign-in, and Host= in \
      \(ConfigurationSelection.roots[0])/\(ValidationConfiguration.mainName) names no two hosts.
      """ : nil
  }

  private func ask(over path: NetworkPath) -> Int32 {
    let round = RequestRound(configuration.askedHosts, over: path)
    var schedule = ValidationSchedule()
    for number in 0..<2 {
      if number > 0 { SystemThread.pause(for: .seconds(1)) }
      let begun = boottimeMicroseconds()
      var verdict = round.run { _ = program.say("\($0.text.inOneLine)\n") }
      if let state = schedule.conclusion(after: verdict.state) {
        verdict.state = state
        report(verdict, on: path, begun: begun)
        return conclude(verdict)
      }
    }
    return conclude(.unknown)
  }

  private func report(_ verdict: PathValidation, on path: NetworkPath, begun: Int) {
    guard path.validation.isReported else { return }
    do throws(PathSourceError) {
      try ServiceClient(socket).report(verdict, on: path, begun: begun, isHeld: false)
    } catch {
      // Everybody may ask, and some may report.
      if !error.isRefusal(.anotherPath), !error.isRefusal(.permissionDenied) { program.complain(error.sentences) }
    }
  }

  private func conclude(_ verdict: PathValidation) -> Int32 {
    let page = verdict.portal.map { "; the page for the sign-in: \($0)" } ?? ""
    _ = program.say("\(verdict.state)\(page)\n")
    switch verdict.state {
    case .validated: return ExitStatus.success
    case .unknown: return ExitStatus.unavailable
    default: return ExitStatus.no
    }
  }
}
