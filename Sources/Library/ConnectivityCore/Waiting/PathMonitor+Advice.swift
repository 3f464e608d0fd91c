package import PathModel
internal import SystemIO

extension PathMonitor {
  /// Waits while the path is known not to be as required. This is advice: an unknown path holds up nothing.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the path should meet.
  ///   - patience: How long to wait for the first path of the source.
  ///   - clock: The clock that measures the time.
  ///   - whenUnmet: Called once, before the wait, with the path that does not meet the requirement. It returns the
  ///     longest time to wait; `nil` for no limit.
  /// - Returns: A path that meets the requirement, or one for which this is not known.
  /// - Throws: ``PathUnavailableError`` when the time of `whenUnmet` is over; `CancellationError` when the task or the
  ///   monitor is cancelled.
  package func waitWhileUnmet<C: Clock>(
    _ requirement: PathRequirement, patience: Duration, clock: C, whenUnmet: (NetworkPath) -> Duration?
  ) async throws -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(self, clock: clock)
    defer { paths.stop() }
    paths.setTimer(clock.now.after(patience))
    var unmet: NetworkPath?
    var end: C.Instant?
    while let event = await paths.next() {
      switch event {
      case .path(let path):
        guard requirement.gatingVerdict(on: path) == .notMet else { return path }
        let isFirst = unmet == nil
        unmet = path
        guard isFirst else { continue }
        end = whenUnmet(path).map { clock.now.after($0) }
        paths.setTimer(end)
      case .time:
        guard let unmet else { return currentPath }
        // Ignore a timer for `patience` that fired together with the first path.
        guard let end, clock.now >= end else { continue }
        throw PathUnavailableError(.timedOut, requirement: requirement, path: unmet)
      }
    }
    throw CancellationError()
  }

  /// The path as it is at this moment, or the newest known one if the source does not deliver in time.
  package func unsettledPath<C: Clock>(
    patience: Duration, clock: C
  ) async -> NetworkPath where C.Duration == Duration {
    let paths = UnsettledPaths(of: self, clock: clock)
    if let path = paths.present { return path }
    return await paths.next(within: patience)
  }

  /// A monitor of the same paths without a settle time: it delivers each change at once.
  package func withoutSettling() -> PathMonitor { PathMonitor(core: core.withoutSettling()) }

  /// Whether paths are simulated, as the environment variable `PATHMONITOR_SIMULATE` asks.
  package static var isSimulated: Bool { PathSimulation.current != nil }
}
