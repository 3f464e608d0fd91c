package import PathModel
internal import SystemIO

/// Delivers updates to all subscribers, in order; a later subscriber gets the latest first.
package final class PathBroadcast: PathProvider {
  private struct State {
    var latest: SourceUpdate?
    var subscribers: [Int: @Sendable (SourceUpdate) -> Deliveries] = [:]
    var nextNumber = 0
  }

  private let state = Guarded(State())
  /// Counts the calls that leave updates with subscribers. Its lock is held during each call, so that all subscribers
  /// get the updates in the same order. The subscribers are woken after it is released.
  private let rounds = Guarded(0)

  /// A broadcast that begins with a path; with `nil`, subscribers wait for the first one.
  package init(_ path: NetworkPath? = nil) {
    if let path { state.withLock { $0.latest = .path(path) } }
  }

  /// The number of subscribers.
  package var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  /// Leaves the update with every subscriber, and wakes them, before it returns.
  package func deliver(_ update: SourceUpdate) {
    let due = rounds.withLock { count in
      count += 1
      let subscribers = state.withLock { state in
        state.latest = update
        return Array(state.subscribers.values)
      }
      var due = Deliveries()
      for deliver in subscribers { due.add(deliver(update)) }
      return due
    }
    due.perform()
  }

  package func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void {
    let (number, due) = rounds.withLock { count in
      count += 1
      let (number, latest) = state.withLock { state in
        state.nextNumber += 1
        state.subscribers[state.nextNumber] = deliver
        return (state.nextNumber, state.latest)
      }
      return (number, latest.map { deliver($0) })
    }
    due?.perform()
    return { [weak self] in
      _ = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
    }
  }
}
