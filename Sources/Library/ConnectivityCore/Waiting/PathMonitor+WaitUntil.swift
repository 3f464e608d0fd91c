public import PathModel
internal import SystemIO

extension PathMonitor {
  /// Waits until the path is as required; returns at once when it is.
  ///
  /// While the path is not known, this waits, too.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the path must meet.
  ///   - timeout: The longest time to wait, however often the path changes; `nil` for no limit. With zero, only the
  ///     path that is already known is checked. If no monitor of the process follows the source yet, its first path
  ///     takes a moment, and no requirement is met before.
  ///   - clock: The clock that measures the time.
  /// - Returns: The path that meets the requirement.
  /// - Throws: ``PathUnavailableError`` when the time is over; `CancellationError` when the task or the monitor is
  ///   cancelled.
  public func waitUntil<C: Clock>(
    _ requirement: PathRequirement, timeout: Duration? = nil, clock: C = ContinuousClock()
  ) async throws -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(self, clock: clock)
    defer { paths.stop() }
    let limit = PathWait.limit
    limit?.pathWaitBegan()
    defer { limit?.pathWaitEnded() }
    if let timeout { paths.setTimer(clock.now.after(timeout)) }
    while let event = await paths.next() {
      switch event {
      case .path(let path): if requirement.verdict(on: path) == .met { return path }
      case .time:
        // The path may have come at the same moment.
        let path = currentPath
        if requirement.verdict(on: path) == .met { return path }
        throw PathUnavailableError(.timedOut, requirement: requirement, path: path)
      }
    }
    throw CancellationError()
  }
}
