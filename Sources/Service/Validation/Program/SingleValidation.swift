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
    do {
      let path = try ServiceClient.path(in: try ServiceClient(socket).ask(.getPath))
      if let obstacle = configuration.obstacle(to: path) {
        program.complain(obstacle)
        return ExitStatus.unavailable
      }
      return try ask(over: path)
    } catch let error as PathSourceError {
      program.complain(error.sentences)
    } catch {
      program.complain("\(error).")
    }
    return ExitStatus.unavailable
  }

  private func ask(over path: NetworkPath) throws(SystemError) -> Int32 {
    let loop = try EventLoop()
    let runner = try RoundRunner(loop: loop)
    defer { runner.stop() }
    var schedule = ValidationSchedule()
    for number in 0..<2 {
      if number > 0 { SystemThread.pause(for: .seconds(1)) }
      var outcome = RequestRound.Outcome(.unknown)
      runner.start(RequestRound(configuration.askedHosts, over: path)) { [program] in
        _ = program.say("\($0.text.inOneLine)\n")
      } conclude: {
        outcome = $0
        loop.stop()
      }
      try loop.run()
      if let state = schedule.conclusion(after: outcome.validation.state) {
        outcome.validation.state = state
        report(outcome, on: path)
        return conclude(outcome.validation)
      }
    }
    return conclude(.unknown)
  }

  private func report(_ outcome: RequestRound.Outcome, on path: NetworkPath) {
    guard path.validation.isReported else { return }
    do throws(PathSourceError) {
      try ServiceClient(socket).report(outcome.validation, on: path, begun: outcome.begun, isHeld: false)
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
