public import PathModel

extension PathMonitor {
  /// Waits until the path is as required; returns at once when it is.
  ///
  /// A path that is not known is waited for, too.
  ///
  /// - Parameters:
  ///   - requirement: What the path must offer.
  ///   - timeout: How long, however often the path changes meanwhile; `nil` for as long as it takes. With zero it is only asked what is known: a source that
  ///     nobody of the process follows yet takes a moment to tell its first path, and until then none is as required.
  ///   - clock: What the time is measured by.
  /// - Returns: The path that is as required.
  /// - Throws: ``PathUnavailableError`` when the time is over; `CancellationError` when the task is cancelled, or the
  ///   monitor is.
  public func waitUntil<C: Clock>(
    _ requirement: PathRequirement, timeout: Duration? = nil, clock: C = ContinuousClock()
  ) async throws -> NetworkPath where C.Duration == Duration {
    let paths = TimedPaths(self, clock: clock)
    defer { paths.stop() }
    if let timeout { paths.setTimer(clock.now.advanced(by: timeout)) }
    while let event = await paths.next() {
      switch event {
      case .path(let path): if requirement.verdict(on: path) == .met { return path }
      case .time:
        // It may have come in the same moment.
        let path = currentPath
        if requirement.verdict(on: path) == .met { return path }
        throw PathUnavailableError(.timedOut, requirement: requirement, path: path)
      }
    }
    throw CancellationError()
  }
}
