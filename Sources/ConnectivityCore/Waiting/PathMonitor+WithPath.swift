public import PathModel

/// What becomes of work whose path is lost.
public enum PathLossReaction: Hashable, Sendable {
  /// It goes on.
  case ignore
  /// Its task is cancelled when the path stays away for longer than the time.
  case cancel(after: Duration)

  /// Two seconds: a network that is changed over is no reason to begin again.
  public static let standard = PathLossReaction.cancel(after: .seconds(2))
}

extension PathMonitor {
  /// Waits until the path is as required, then runs the body, and cancels it when the path is lost.
  ///
  /// ```swift
  /// let page = try await monitor.withPath(.unmetered) { _ in try await download(url) }
  /// ```
  ///
  /// A path that is not known, because its source cannot be asked, is not lost.
  ///
  /// The body runs in a task of its own, but in the isolation of the caller: on the main actor if that calls, so that it
  /// can use the state of the caller, and never after this returns.
  ///
  /// - Parameters:
  ///   - requirement: What the path must offer.
  ///   - onLoss: What becomes of the body when it no longer does.
  ///   - clock: What the time is measured by.
  ///   - isolation: The actor that the body runs on; the one of the caller unless you say otherwise.
  ///   - body: The work; its task is cancelled at a loss, and is always waited for.
  /// - Returns: What the body returns, also when that is after a loss.
  /// - Throws: What the body throws; ``PathUnavailableError`` when it throws after a loss; `CancellationError` when the
  ///   task is cancelled before the body begins.
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
