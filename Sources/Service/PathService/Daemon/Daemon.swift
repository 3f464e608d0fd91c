internal import Glibc
internal import KernelPath
internal import PathConfiguration
internal import PathEngine
internal import PathModel
internal import Programs
internal import SystemIO
internal import Systemd
internal import Varlink

/// The program `pathmonitord`, from its arguments to its exit status.
package final class Daemon {
  private static let program = Program("pathmonitord")

  private let options: DaemonOptions
  private let journal: Journal
  private let loop: EventLoop
  private let service: PathService
  private var watchdog: EventLoop.Timer?
  /// The command line, and the configuration files as last read.
  private var settings: EngineSettings
  private var overrunsLogged = 0
  private var changeLimit = ChangeLimit(at: .now)
  private var changeTimer: EventLoop.Timer?
  private var loggedPath: NetworkPath?
  /// The status last reported to the service manager.
  private var reportedStatus: String?

  /// Runs with the arguments of the process, and returns the exit status.
  package static func run() -> Int32 { Program.run(run) }

  private static func run(_ arguments: [String]) -> Int32 {
    do throws(UsageError) {
      if let answer = try CompletionCommand.answer(
        to: arguments, of: CompletedProgram(plain: DaemonOptions.self), interfaces: { [] })
      {
        return program.say(answer)
      }
      let options = try DaemonOptions(arguments: arguments)
      switch options.command {
      case .help: return program.say(DaemonOptions.helpText)
      case .version: return program.say("pathmonitord \(PathMonitorVersion.current)\n")
      case .checkConfiguration(let file):
        let subject = file.map { ConfigurationCheck.Subject.file($0) } ?? .all(named: options.configurationPath)
        return ConfigurationCheck(program).run(subject)
      case .serve: return serve(options)
      }
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
  }

  // MARK: Start

  private static func serve(_ options: DaemonOptions) -> Int32 {
    do {
      // Before anything else, so that no signal is lost and none interrupts the start.
      let signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP])
      try? ResourceLimits.raiseDescriptors()
      // Before the first evaluation: clients wait at the socket meanwhile.
      let sockets = try openSockets(options)
      defer { sockets.remove() }
      let daemon = try Daemon(options)
      try daemon.service.settleCosts(within: .milliseconds(300))
      for socket in sockets.descriptors { try daemon.service.listen(on: socket) }
      guard ResourceLimits.canOpen(descriptors: fewestFree) else {
        throw SystemError("serve clients", errorNumber: EMFILE, because: lackOfDescriptors)
      }
      try daemon.loop.watch(signals.number) { _ in for signal in signals.readSignals() { daemon.handle(signal) } }
      defer { daemon.loop.unwatch(signals.number) }
      // A call of `GetHealth` behind a `kill -HUP` is answered after the reload, even if the call overtakes the signal.
      // A client can therefore wait for a reload.
      daemon.service.beforeHealth = { [unowned daemon] in
        for signal in signals.readSignals() { daemon.handle(signal) }
      }
      return try daemon.run()
    } catch let problem as ListeningSockets.Problem {
      program.complain(problem.description)
    } catch let problem as ConfigurationFiles.Problem {
      program.complain(problem.description)
      return ExitStatus.usage
    } catch let error as KernelPathError {
      program.complain(error.description)
    } catch {
      program.complain("\(error).")
    }
    return ExitStatus.unavailable
  }

  /// The descriptors without which nobody is served: for a client, for the files that an answer needs, and a spare one.
  private static let fewestFree = 4
  private static let lackOfDescriptors =
    "too few files may be open; raise the limit, with LimitNOFILE= in the unit or 'ulimit -n', to 64 or more"

  private static func openSockets(_ options: DaemonOptions) throws(ListeningSockets.Problem) -> ListeningSockets {
    let handedOver = ServiceManager.receiveSockets()
    guard handedOver.isEmpty else {
      for descriptor in handedOver where !ServiceManager.isListeningSocket(descriptor) {
        throw ListeningSockets.Problem(
          description: """
            descriptor \(descriptor), handed over by the service manager, is no listening Unix stream socket. \
            Use ListenStream= with a path in the socket unit.
            """)
      }
      return ListeningSockets(handedOver: handedOver)
    }
    return try ListeningSockets(at: options.socketPath ?? PathMonitorInterface.socketPath)
  }

  private init(_ options: DaemonOptions) throws {
    self.options = options
    journal = Journal(isVerbose: options.isVerbose)
    loop = try EventLoop()
    // A file named on the command line must exist. A mistake in any other file is logged and does not stop the service.
    settings = EngineSettings(
      probes: options.probes, settle: options.settle, configurationPath: options.configurationPath)
    try settings.load()
    for problem in settings.problems { journal.warn(problem) }
    service = try PathService(loop: loop, configuration: Self.configuration(options, settings))
  }

  private static func configuration(_ options: DaemonOptions, _ settings: EngineSettings) -> PathService.Configuration {
    var configuration = PathService.Configuration()
    configuration.reader = settings.configuration
    configuration.settle = settings.times
    let monitor = settings.monitor
    if let connections = monitor.connections { configuration.limits.connections = connections }
    if let connections = monitor.connectionsPerUser { configuration.limits.connectionsPerUser = connections }
    configuration.usesSystemBus = true
    configuration.overridesPath = OverrideStore.path(forSocket: options.socketPath)
    configuration.problems = settings.problems
    return configuration
  }

  // MARK: Run

  private func run() throws -> Int32 {
    defer { service.stop() }
    startWatchdog()
    // The first evaluation is complete, so clients receive a known path.
    sayReady()
    var subscription: PathEngine.Subscription?
    if ServiceManager.isPresent || journal.takesChanges {
      changeTimer = loop.makeTimer { [unowned self] in self.perform(self.changeLimit.timerFired(at: .now)) }
      subscription = service.engine.subscribe(.standard) { [unowned self] in self.log($0) }
    }
    defer { subscription.map(service.engine.cancel) }
    try loop.run()
    if let path = loggedPath, let sum = changeLimit.take(at: .now) { journal.write(path, sum) }
    ServiceManager.stopping()
    return ExitStatus.success
  }

  private func startWatchdog() {
    guard let time = ServiceManager.watchdogTime() else { return }
    let timer = loop.makeTimer { [unowned self] in
      ServiceManager.alive()
      self.watchdog?.set(.now.advanced(by: time / 2))
    }
    watchdog = timer
    timer.set(.now.advanced(by: time / 2))
  }

  private func handle(_ signal: Int32) {
    if signal == SIGHUP { reload() } else { loop.stop() }
  }

  private func reload() {
    ServiceManager.reloading(sinceMicroseconds: MonotonicInstant.now.nanoseconds / 1_000)
    do {
      var fresh = settings
      try fresh.load()
      for problem in fresh.problems { journal.warn(problem) }
      try service.reconfigure(Self.configuration(options, fresh))
      settings = fresh
    } catch let problem as ConfigurationFiles.Problem {
      reloadFailed(problem.description)
    } catch {
      reloadFailed("the configuration cannot be used now: \(error). Everything stays as it was.")
    }
    let mistakes = service.configurationProblems.count
    if mistakes == 0 {
      journal.note("the configuration has been read again")
    } else {
      journal.warn("the reload was not a success: \(Self.mistakes(mistakes)), see the lines before")
    }
    sayReady()
  }

  private func reloadFailed(_ problem: String) {
    journal.warn(problem)
    service.configurationProblems = [problem]
  }

  private static func mistakes(_ count: Int) -> String {
    "\(count) configuration \(count == 1 ? "file has a mistake" : "files have mistakes")"
  }

  private func sayReady() {
    reportedStatus = nil
    say(status(of: service.engine.reader.path())) { ServiceManager.ready($0) }
  }

  /// The line that `systemctl status` shows.
  private func status(of path: NetworkPath) -> String {
    let count = service.configurationProblems.count
    return path.description + (count == 0 ? "" : "; \(Self.mistakes(count))")
  }

  private func say(_ status: String, _ notify: (String) -> Void) {
    if status == reportedStatus { return }
    reportedStatus = status
    notify(status)
  }

  private func log(_ path: NetworkPath) {
    say(status(of: path)) { ServiceManager.status($0) }
    loggedPath = path
    perform(journal.isJournal ? changeLimit.change(isSatisfied: path.status == .satisfied, at: .now) : .write(nil))
    let overruns = service.engine.counters.overruns
    if overruns > overrunsLogged { journal.note("the kernel's messages have overrun the socket \(overruns) times") }
    overrunsLogged = overruns
  }

  private func perform(_ action: ChangeLimit.Action?) {
    if case .write(let sum) = action, let loggedPath { journal.write(loggedPath, sum) }
    if case .wait(let moment) = action { changeTimer?.set(moment) }
  }
}
