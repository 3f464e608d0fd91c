package import PathModel

/// When the path of some work counts as lost.
package struct PathLossWatch<C: Clock>: Sendable where C.Duration == Duration {
  /// What the error says was required.
  let requirement: PathRequirement
  /// How long the path may be away.
  let grace: Duration
  let clock: C
  /// Whether a path is one that the work can go on with.
  let verdict: @Sendable (NetworkPath) -> PathRequirement.Verdict

  package init(
    _ requirement: PathRequirement, grace: Duration, clock: C,
    verdict: (@Sendable (NetworkPath) -> PathRequirement.Verdict)? = nil
  ) {
    self.requirement = requirement
    self.grace = grace
    self.clock = clock
    self.verdict = verdict ?? { requirement.verdict(on: $0) }
  }
}

extension PathMonitor {
  /// Runs the body, and cancels its task when the path is lost.
  ///
  /// - Throws: What the body throws; ``PathUnavailableError`` when it throws after a loss.
  package func cancelling<Value: Sendable, C: Clock>(
    at watch: PathLossWatch<C>, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value where C.Duration == Duration {
    try await withThrowingTaskGroup(of: Step<Value>.self) { group in
      group.addTask { .finished(try await body()) }
      group.addTask { await self.waitForLoss(watch) }
      var loss: NetworkPath?
      do {
        while let step = try await group.next() {
          switch step {
          case .finished(let value):
            group.cancelAll()
            return value
          case .lost(let path):
            loss = path
            group.cancelAll()
          case .unwatched: break
          }
        }
      } catch {
        group.cancelAll()
        if let loss { throw PathUnavailableError(.lost, requirement: watch.requirement, path: loss) }
        throw error
      }
      throw CancellationError()
    }
  }

  private enum Step<Value: Sendable>: Sendable {
    case finished(Value)
    case lost(NetworkPath)
    /// Nobody tells of losses any more.
    case unwatched
  }

  private func waitForLoss<Value: Sendable, C: Clock>(
    _ watch: PathLossWatch<C>
  ) async -> Step<Value> where C.Duration == Duration {
    let paths = TimedPaths(self, clock: watch.clock)
    defer { paths.stop() }
    var lost: NetworkPath?
    for await event in paths.events {
      switch event {
      case .path(let path):
        switch watch.verdict(path) {
        case .met:
          lost = nil
          paths.setTimer(nil)
        case .notMet:
          if lost == nil { paths.setTimer(watch.clock.now.advanced(by: watch.grace)) }
          lost = path
        case .unknown: break
        }
      case .time: if let lost { return .lost(lost) }
      }
    }
    return .unwatched
  }
}
