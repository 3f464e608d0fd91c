package import PathModel
internal import SystemIO

/// The conditions under which some work is cancelled: its path counts as lost, or leads another way.
package struct PathLossWatch<C: Clock>: Sendable where C.Duration == Duration {
  /// The requirement that the error names.
  let requirement: PathRequirement
  /// How long the path may be away; `nil` for any time.
  let grace: Duration?
  let clock: C
  /// The changes that end the work.
  let changes: PathChanges
  /// The way of the path that the work begins with.
  let footing: PathFooting<C.Instant>
  /// Judges whether the work can go on with a path.
  let verdict: @Sendable (NetworkPath) -> PathRequirement.Verdict

  /// The conditions for work on a path.
  ///
  /// - Parameters:
  ///   - requirement: The requirement that the error names.
  ///   - grace: How long the path may be away; `nil` for any time.
  ///   - changes: The changes that end the work.
  ///   - path: The path that the work begins with.
  ///   - clock: The clock that measures the time.
  ///   - verdict: Judges whether the work can go on with a path; `nil` for the requirement.
  package init(
    _ requirement: PathRequirement, grace: Duration?, changes: PathChanges = [], since path: NetworkPath = .unknown,
    clock: C, verdict: (@Sendable (NetworkPath) -> PathRequirement.Verdict)? = nil
  ) {
    self.requirement = requirement
    self.grace = grace
    self.clock = clock
    self.changes = changes
    footing = PathFooting(path)
    self.verdict = verdict ?? { requirement.gatingVerdict(on: $0) }
  }
}

extension PathMonitor {
  /// Runs the body in a task of its own, in the isolation of the caller, and cancels that task when the path is lost.
  ///
  /// - Throws: The error of the body; ``PathUnavailableError`` when the body throws after a loss.
  package func cancelling<Value: Sendable, C: Clock>(
    at watch: PathLossWatch<C>, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value where C.Duration == Duration {
    let loss = Guarded<NetworkPath?>(nil)
    // A task releases its closure before its value is there, so the body never outlives this call.
    return try await withoutActuallyEscaping(body) { body in
      let work = Task {
        // The capture gives the task the isolation of the caller.
        _ = isolation
        return try await body()
      }
      let watcher = Task {
        guard let path = await self.loss(watch) else { return }
        loss.withLock { $0 = path }
        work.cancel()
      }
      let result = await withTaskCancellationHandler {
        await work.result
      } onCancel: {
        work.cancel()
      }
      watcher.cancel()
      await watcher.value
      do {
        return try result.get()
      } catch {
        guard let path = loss.copy else { throw error }
        throw PathUnavailableError(.lost, requirement: watch.requirement, path: path)
      }
    }
  }

  /// Waits for a loss or a change. Returns the newest path that the work cannot go on with, or `nil` when the task or
  /// the monitor is cancelled.
  private func loss<C: Clock>(_ watch: PathLossWatch<C>) async -> NetworkPath? where C.Duration == Duration {
    let paths = TimedPaths(self, clock: watch.clock)
    defer { paths.stop() }
    var lost: NetworkPath?
    var usable = NetworkPath.unknown
    var footing = watch.footing
    /// Returns whether the path leads another way, and sets the timer for a source that may come back.
    func hasMoved() -> Bool {
      let now = watch.clock.now
      let changes = footing.changes(to: usable, at: now)
      paths.setTimer(watch.changes.isEmpty ? nil : footing.due(after: now))
      return !watch.changes.isDisjoint(with: changes)
    }
    while let event = await paths.next() {
      switch event {
      case .path(let path):
        switch watch.verdict(path) {
        case .met:
          (lost, usable) = (nil, path)
          if hasMoved() { return path }
        case .notMet:
          footing.interrupt()
          // The timer may be that of a source.
          if lost == nil { paths.setTimer(nil) }
          if lost == nil, let grace = watch.grace { paths.setTimer(watch.clock.now.after(grace)) }
          lost = path
        case .unknown: break
        }
      case .time:
        if let lost { return lost }
        if hasMoved() { return usable }
      }
    }
    return nil
  }
}
