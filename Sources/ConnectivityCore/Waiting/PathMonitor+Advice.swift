package import PathModel

extension PathMonitor {
  /// Waits as long as the path is known not to be as required: advice, which never holds up what it knows nothing about.
  ///
  /// - Parameters:
  ///   - requirement: What the path should offer.
  ///   - patience: How long the source may take to tell its first path.
  ///   - clock: What the time is measured by.
  ///   - whenUnmet: Called once, before it waits, with the path that is not as required; says how long to wait at most,
  ///     `nil` for as long as it takes.
  /// - Returns: The path that is as required, or of which it is not known whether it is.
  /// - Throws: ``PathUnavailableError`` when that time is over; `CancellationError` when the task is cancelled, or the
  ///   monitor is.
  package func waitWhileUnmet<C: Clock>(
    _ requirement: PathRequirement, patience: Duration, clock: C, whenUnmet: (NetworkPath) -> Duration?
  ) async throws -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(self, clock: clock)
    defer { paths.stop() }
    paths.setTimer(clock.now.advanced(by: patience))
    var unmet: NetworkPath?
    var end: C.Instant?
    while let event = await paths.next() {
      switch event {
      case .path(let path):
        guard requirement.verdict(on: path) == .notMet else { return path }
        let isFirst = unmet == nil
        unmet = path
        guard isFirst else { continue }
        end = whenUnmet(path).map { clock.now.advanced(by: $0) }
        paths.setTimer(end)
      case .time:
        guard let unmet else { return currentPath }
        // A moment that came together with the first path is void.
        guard let end, clock.now >= end else { continue }
        throw PathUnavailableError(.timedOut, requirement: requirement, path: unmet)
      }
    }
    throw CancellationError()
  }

  /// The path as it is at this moment, or what is known of it when the source does not tell in time.
  package func unsettledPath<C: Clock>(
    patience: Duration, clock: C
  ) async -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(withoutSettling(), clock: clock)
    defer { paths.stop() }
    paths.setTimer(clock.now.advanced(by: patience))
    while let event = await paths.next() {
      if case .path(let path) = event { return path }
      break
    }
    return currentPath
  }

  /// A monitor of the same paths that is told each change at once, however long this one lets it rest.
  package func withoutSettling() -> PathMonitor { PathMonitor(core: core.withoutSettling()) }

  /// Whether paths are made up, as the environment variable `PATHMONITOR_SIMULATE` asks.
  package static var isSimulated: Bool { PathSimulation.current != nil }
}
