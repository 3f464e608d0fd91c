package import KernelPath
internal import PathDecisions
package import PathEngine
package import PathModel
package import SystemIO
package import Varlink

/// Serves `io.pathmonitor.PathMonitor`: one engine, one server, on the thread of one event loop.
package final class PathService {
  /// The configuration of a service.
  package struct Configuration: Sendable {
    /// The configuration of the engine.
    package var reader = PathReader.Configuration()
    /// The settle times for subscribers that set none.
    package var settle = SettleTimes.standard
    /// The limits for clients.
    package var limits = VarlinkServer.Limits()
    /// The file for overrides; `nil` if they end with the service.
    package var overridesPath: String?
    /// Whether NetworkManager is asked on the system bus for the cost of connections.
    package var usesSystemBus = false
    /// The group whose members may override, as root may.
    package var overrideGroup = "pathmonitor"
    /// The file with the system's groups.
    package var groupsPath = "/etc/group"
    /// The faults of the administrator's files, in one or two sentences each.
    package var problems: [String] = []

    /// The usual configuration.
    package init() {}
  }

  package let loop: EventLoop
  package let engine: PathEngine
  private(set) var server: VarlinkServer?
  private var settle: SettleTimes
  private let overrides: OverrideKeeper
  private let reports: ReportKeeper
  private var networkManager: NetworkManagerSource?
  private let start = MonotonicInstant.now
  private var counter: TotalsCounter
  /// Called before `GetHealth` is answered, to finish pending work.
  package var beforeHealth: () -> Void = {}
  /// The faults of the administrator's files when they were last read.
  package var configurationProblems: [String]
  /// The streams of each user.
  var streams = StreamShares()
  /// Writes the paths of replies.
  var pathWriter = PathWriter()
  /// The number of updates that slow clients have missed.
  var skipped = 0

  /// Evaluates for the first time. Clients are served after ``listen(on:)``.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(loop: EventLoop, configuration: Configuration = Configuration()) throws(KernelPathError) {
    self.loop = loop
    settle = configuration.settle
    configurationProblems = configuration.problems
    engine = try PathEngine(loop: loop, configuration: configuration.reader)
    counter = TotalsCounter(engine.reader.path(), at: .now, wallClock: WallClock.microseconds())
    overrides = OverrideKeeper(
      loop: loop, engine: engine, path: configuration.overridesPath, group: configuration.overrideGroup,
      groupsPath: configuration.groupsPath)
    reports = ReportKeeper(loop: loop, engine: engine)
    if configuration.usesSystemBus {
      networkManager = NetworkManagerSource(loop: loop) { [engine] devices in
        engine.setMetered(devices.states, connectivity: devices.connectivity)
      }
    }
    let directory = ServiceDirectory(
      vendor: "PathMonitor developers", product: "pathmonitord", version: PathMonitorVersion.current,
      // There is no site: the package installs the documentation here.
      url: "file:///usr/share/doc/pathmonitor/",
      descriptions: [(PathMonitorInterface.name, InterfaceDescription.text)])
    server = VarlinkServer(
      loop: loop, limits: configuration.limits,
      service: VarlinkServer.Service(
        directory: directory, limitReached: { .limitReached($0, $1) },
        serve: { [unowned self] in self.serve($0, $1) }))
    engine.whenObserved = { [unowned self] path in
      self.counter.observe(path, at: .now, wallClock: WallClock.microseconds())
      self.reports.observe(path)
    }
  }

  /// Serves the clients of a listening socket. The caller remains its owner.
  package func listen(on listener: Int32) throws(SystemError) {
    try server?.listen(on: listener)
  }

  /// Waits until all costs that can be known are known, so that the first reply is complete, but no longer than the
  /// limit.
  package func settleCosts(within limit: Duration) throws(SystemError) {
    let deadline = MonotonicInstant.now.advanced(by: limit)
    while networkManager?.isSettled == false, MonotonicInstant.now < deadline { try loop.runOnce(until: deadline) }
  }

  /// Ends all connections and stops watching the loop. Call it before releasing the service.
  package func stop() {
    server?.stop()
    networkManager?.stop()
    overrides.stop()
    reports.stop()
    engine.stop()
  }

  /// Applies other probes, rules, settle times and limits. Subscriptions continue, with their settle times.
  ///
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked; the configuration is then unchanged.
  package func reconfigure(_ configuration: Configuration) throws(KernelPathError) {
    try engine.reconfigure(configuration.reader)
    overrides.lookUpGroup()
    settle = configuration.settle
    server?.limits = configuration.limits
    configurationProblems = configuration.problems
  }

  // MARK: Calls

  private func serve(_ call: VarlinkCall, _ connection: VarlinkConnection) {
    do throws(VarlinkError) {
      let request = try PathRequest(call)
      // A one-way call has no reply, so a call without another effect has nothing to do.
      if call.isOneway, !request.changesSomething { return connection.reply([]) }
      try perform(request, connection)
    } catch {
      connection.fail(error)
    }
  }

  private func perform(_ request: PathRequest, _ connection: VarlinkConnection) throws(VarlinkError) {
    let user = connection.peer.user
    switch request {
    case .getPath(let requirement):
      let path = engine.freshPath(of: user)
      connection.reply(PathFrame.reply(requirement?.applied(to: path) ?? path, by: &pathWriter))
    case .watchPath(let requirement, let settle):
      let times = settle.map { SettleTimes($0) } ?? self.settle
      try WatchCall(connection, service: self).start(StreamParameters(times, requirement: requirement))
    case .waitForPath(let requirement, let timeout):
      try subscribing { () throws(PathEngine.TooManyUserClasses) in
        try WaitCall(connection, requirement, service: self).start(settle, timeout: timeout)
      }
    case .listInterfaces: connection.reply(interfaces())
    case .explain(let requirement): connection.reply(explanation(requirement, user))
    case .getRoute(let destination): connection.reply(try route(to: destination, user))
    case .setOverride, .clearOverride:
      overrides.perform(request, for: connection)
    case .reportValidation(let interface, let gateways, let begun, let reported, let isHeld):
      try overrides.authorize(connection)
      try reports.take(reported, interface: interface, gateways: gateways, begun: begun)
      reports.answer(connection, isHeld: isHeld && !reported.isWithdrawal)
    case .renewValidation:
      reports.renew()
      connection.reply(VarlinkReply.frame { _ in })
    case .getHealth:
      beforeHealth()
      connection.reply(health())
    }
  }

  private func subscribing(
    _ subscribe: () throws(PathEngine.TooManyUserClasses) -> Void
  ) throws(VarlinkError) {
    do throws(PathEngine.TooManyUserClasses) {
      try subscribe()
    } catch {
      throw .limitReached("userClasses", error.limit)
    }
  }

  /// The reply with an update, encoded once for all its receivers.
  func frame(of update: PathUpdate) -> [UInt8] {
    if let frame = update.encoded { return frame }
    let frame = PathFrame.update(update.path)
    update.encoded = frame
    return frame
  }

  private func interfaces() -> [UInt8] {
    let interfaces = engine.fresh { reader, _ in reader.interfaces() }
    return VarlinkReply.frame(reservingCapacity: 4_096) { writer in
      writer.key("interfaces")
      writer.array(interfaces) { $1.interface.write(to: &$0) }
    }
  }

  private func explanation(_ requirement: PathRequirement?, _ user: UInt32) -> [UInt8] {
    let explained = engine.fresh(of: user) { $0.explained(of: $1) }
    let path = explained.path
    let answer = requirement?.applied(to: path) ?? path
    let verdict = requirement.map { ["requirement \($0): \($0.verdict(on: path).words)"] } ?? []
    return VarlinkReply.frame(reservingCapacity: 8_192) { writer in
      writer.key("path")
      answer.write(to: &writer)
      writer.diagnoses(explained.causes)
      writer.key("steps")
      writer.array(explained.steps + verdict) { $0.string($1) }
    }
  }

  private func route(to destination: IPAddress, _ user: UInt32) throws(VarlinkError) -> [UInt8] {
    let explained = engine.fresh(of: user) { $0.explained(to: destination, of: $1) }
    guard explained.path.knowledge == .known else {
      throw .pathUnknown(engine.reader.failure?.description ?? "the kernel could not be asked")
    }
    return VarlinkReply.frame(reservingCapacity: 8_192) { writer in
      writer.key("path")
      explained.path.write(to: &writer)
      writer.diagnoses(explained.causes)
      writer.key("route")
      if let route = explained.route { route.write(to: &writer) } else { writer.null() }
      writer.key("steps")
      writer.array(explained.steps) { $0.string($1) }
    }
  }

  private func health() -> [UInt8] {
    let values: [(String, Int)] = [
      ("events", engine.counters.events), ("evaluations", engine.reader.evaluations),
      ("updates", engine.announcements), ("overruns", engine.counters.overruns),
      ("subscribers", engine.subscriberCount), ("connections", server?.connectionCount ?? 0), ("skipped", skipped),
      ("uptimeSeconds", Int(start.duration(to: .now).components.seconds)),
      ("memoryBytes", ProcessMemory.residentBytes ?? 0),
    ]
    return VarlinkReply.frame(reservingCapacity: 1_024) { writer in
      writer.key("health")
      writer.beginObject()
      for (key, value) in values {
        writer.key(key)
        writer.integer(value)
      }
      writer.endObject()
      writer.key("notes")
      writer.array(engine.reader.notes + overrides.notes + [networkManager?.note, reports.note].compactMap(\.self)) {
        $0.string($1)
      }
      writer.key("configurationProblems")
      writer.array(configurationProblems) { $0.string($1) }
      writer.key("totals")
      counter.totals(at: .now).write(to: &writer)
    }
  }
}

extension PathRequirement.Verdict {
  /// The verdict in words.
  fileprivate var words: String {
    switch self {
    case .met: "met"
    case .notMet: "not met"
    case .unknown: "cannot be known"
    }
  }
}
