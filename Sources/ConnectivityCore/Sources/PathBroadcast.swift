package import PathModel
internal import SystemIO

/// What is told to all subscribers, in order; who comes later is told the latest first.
package final class PathBroadcast: PathProvider {
  private struct State {
    var latest: SourceUpdate?
    var subscribers: [Int: @Sendable (SourceUpdate) -> HandlerRun?] = [:]
    var nextNumber = 0
  }

  private let state = Guarded(State())
  /// How often somebody was told. The lock is held meanwhile, so that all are told in order.
  private let tellings = Guarded(0)

  /// A broadcast that begins with a path; with `nil`, subscribers wait for the first one.
  package init(_ path: NetworkPath? = nil) {
    if let path { state.withLock { $0.latest = .path(path) } }
  }

  /// How many are subscribed.
  package var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  /// Tells everybody, before it returns.
  package func tell(_ update: SourceUpdate) {
    tellings.withLock { count in
      count += 1
      let subscribers = state.withLock { state in
        state.latest = update
        return Array(state.subscribers.values)
      }
      for deliver in subscribers { deliver(update)?.schedule() }
    }
  }

  package func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> HandlerRun?) -> @Sendable () -> Void {
    tellings.withLock { count in
      count += 1
      let (number, latest) = state.withLock { state in
        state.nextNumber += 1
        state.subscribers[state.nextNumber] = deliver
        return (state.nextNumber, state.latest)
      }
      if let latest { deliver(latest)?.schedule() }
      return { [weak self] in
        let ended = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
        withExtendedLifetime(ended) {}
      }
    }
  }
}
