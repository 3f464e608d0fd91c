package import PathModel
internal import SystemIO

extension PathMonitor {
  /// Waits while the path is known not to be as required. This is advice: an unknown path holds up nothing.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the path should meet.
  ///   - patience: How long to wait for the first path of the source.
  ///   - hold: How long the path must stay as required after a wait. Without a wait, it does not matter.
  ///   - clock: The clock that measures the time.
  ///   - isLimitImplied: Whether the longest time is a limit that nobody has set.
  ///   - whenUnmet: Called once, before the wait, with the path that does not meet the requirement. It returns the
  ///     longest time to wait; `nil` for no limit.
  /// - Returns: A path that meets the requirement, or one for which this is not known.
  /// - Throws: ``PathUnavailableError`` when the time of `whenUnmet` is over; `CancellationError` when the task or the
  ///   monitor is cancelled.
  package func waitWhileUnmet<C: Clock>(
    _ requirement: PathRequirement, patience: Duration, hold: Duration = .zero, clock: C,
    isLimitImplied: Bool = false, whenUnmet: (NetworkPath) -> Duration?
  ) async throws -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(self, clock: clock)
    defer { paths.stop() }
    guard var path = try await paths.first(within: patience) else { return currentPath }
    guard requirement.gatingVerdict(on: path) == .notMet else { return path }
    let longest = whenUnmet(path)
    if let longest, longest <= .zero { throw PathUnavailableError(.timedOut, requirement: requirement, path: path) }
    let limit = PathWait.limit
    limit?.pathWaitBegan()
    defer { limit?.pathWaitEnded() }
    let end = longest.map { clock.now.after($0) }
    var endOfHold: C.Instant?
    paths.setTimer(end, isImplied: isLimitImplied)
    while let event = await paths.next() {
      switch event {
      case .path(let next):
        path = next
        switch requirement.gatingVerdict(on: path) {
        case .unknown: return path
        case .met:
          guard hold > .zero else { return path }
          guard endOfHold == nil else { continue }
          let moment = clock.now.after(hold)
          endOfHold = moment
          paths.setTimer(end.map { Swift.min($0, moment) } ?? moment)
        case .notMet:
          guard endOfHold != nil else { continue }
          endOfHold = nil
          paths.setTimer(end, isImplied: isLimitImplied)
        }
      case .time:
        if let endOfHold, end.map({ endOfHold < $0 }) ?? true { return path }
        throw PathUnavailableError(.timedOut, requirement: requirement, path: path)
      }
    }
    throw CancellationError()
  }

  /// The path as it is at this moment, or the newest known one if the source does not deliver in time.
  package func unsettledPath<C: Clock>(
    patience: Duration, clock: C
  ) async -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(withoutSettling(), clock: clock)
    defer { paths.stop() }
    return (try? await paths.first(within: patience)) ?? currentPath
  }

  /// A monitor of the same paths without a settle time: it delivers each change at once. All callers get the same one
  /// as long as somebody uses it.
  package func withoutSettling() -> PathMonitor { core.withoutSettling() }

  /// Whether paths are simulated, as the environment variable `PATHMONITOR_SIMULATE` asks.
  package static var isSimulated: Bool { PathSimulation.current != nil }
}
