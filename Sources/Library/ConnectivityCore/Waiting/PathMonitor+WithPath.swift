public import PathModel

/// The reaction to the loss of a path that some work needs.
public enum PathLossReaction: Hashable, Sendable {
  /// The work goes on.
  case ignore
  /// The task of the work is cancelled when the path stays away for longer than this time.
  case cancel(after: Duration)

  /// Cancels after two seconds: a change from one network to another is no reason to begin again.
  public static let standard = PathLossReaction.cancel(after: .seconds(2))

  /// The time after which work is cancelled; `nil` for never.
  package var grace: Duration? {
    guard case .cancel(let grace) = self else { return nil }
    return grace
  }
}

extension PathMonitor {
  /// Waits until the path is as required, then runs the body, and cancels it when the path is lost.
  ///
  /// ```swift
  /// let page = try await monitor.withPath(.unmetered) { _ in try await download(url) }
  /// ```
  ///
  /// If the source cannot be asked, the path is not known, but it does not count as lost.
  ///
  /// The body runs in a task of its own, but in the isolation of the caller: called on the main actor, it can use the
  /// caller's state. It never runs after this method has returned.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the path must meet.
  ///   - onLoss: The reaction when the path no longer meets the requirement.
  ///   - clock: The clock that measures the time.
  ///   - isolation: The actor that the body runs on; the caller's by default.
  ///   - body: The work. Its task is cancelled at a loss, and this method always waits for its end.
  /// - Returns: The value that the body returns, even if it returns after a loss.
  /// - Throws: The error that the body throws; ``PathUnavailableError`` when it throws after a loss;
  ///   `CancellationError` when the task or the monitor is cancelled before the body begins.
  public func withPath<Value: Sendable, C: Clock>(
    _ requirement: PathRequirement, onLoss: PathLossReaction = .standard, clock: C = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation, _ body: (NetworkPath) async throws -> Value
  ) async throws -> Value where C.Duration == Duration {
    let path = try await waitUntil(requirement, clock: clock)
    guard case .cancel(let grace) = onLoss else { return try await body(path) }
    let watch = PathLossWatch(requirement, grace: grace, clock: clock)
    return try await cancelling(at: watch) { try await body(path) }
  }
}
