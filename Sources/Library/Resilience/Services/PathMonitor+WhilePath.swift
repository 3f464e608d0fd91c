public import ConnectivityCore
internal import SystemIO

extension PathMonitor {
  /// Runs the body while the path is as required: from each time that it becomes so until it no longer is.
  ///
  /// It is the body of a long-running service. In a `Service` of swift-service-lifecycle, `cancelWhenGracefulShutdown`
  /// goes around it, and `run()` catches the `CancellationError` at a shutdown: see <doc:Services>.
  ///
  /// ```swift
  /// func run() async throws {
  ///   try await monitor.whilePath(.unmetered) { try await synchronize() }
  /// }
  /// ```
  ///
  /// When the path is lost for longer than `onLoss` allows, the task of the body is cancelled. The body runs again
  /// with the next path, whether it then returns or throws. After a change of `changes` it is cancelled and runs again
  /// at once: its connections would hang. Each restart waits for the end of the body and for a path that has settled,
  /// so a link that flaps restarts it no more often than that.
  ///
  /// The body runs in a task of its own, but in the isolation of the caller, and never after this method has returned.
  /// A path that is not known does not count as lost, and is no change.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the path must meet.
  ///   - onLoss: The reaction when the path no longer meets the requirement.
  ///   - changes: The changes of the path after which the body is begun anew, such as ``PathChanges/source``; none by
  ///     default. They are changes since the body began, so a path that has returned meanwhile is none.
  ///   - clock: The clock that measures the time.
  ///   - isolation: The actor that the body runs on; the caller's by default.
  ///   - body: The work. This method returns when the body does, unless its path was lost or changed before.
  /// - Throws: The error of the body, unless its path was lost or changed before; `CancellationError` when the task is
  ///   cancelled, or the monitor while no body runs.
  public func whilePath<C: Clock>(
    _ requirement: PathRequirement, onLoss: PathLossReaction = .standard, restartingOn changes: PathChanges = [],
    clock: C = ContinuousClock(), isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async throws where C.Duration == Duration {
    while true {
      var end: Result<Void, any Error>?
      do {
        let path = try await waitUntil(requirement, clock: clock)
        let watch = PathLossWatch(requirement, grace: onLoss.grace, changes: changes, since: path, clock: clock)
        try await cancelling(at: watch) {
          let result: Result<Void, any Error>
          do { result = .success(try await body()) } catch { result = .failure(error) }
          // Only a loss, or the end of this method's task, cancels the task of the body.
          guard Task.isCancelled else {
            end = result
            return
          }
          throw CancellationError()
        }
      } catch {
        // Without an end of its own, the body was cancelled, or it was never begun.
        if end == nil, (error as? PathUnavailableError)?.reason != .lost || Task.isCancelled {
          throw CancellationError()
        }
      }
      if let end { return try end.get() }
    }
  }
}
