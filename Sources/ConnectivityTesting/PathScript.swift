public import Connectivity
internal import ConnectivityCore
internal import SystemIO

/// Paths as a test wants them, in place of those of the machine.
///
/// ```swift
/// let script = PathScript(.offline)
/// let monitor = PathMonitor(source: .scripted(script))
/// script.send(.online(over: .wifi))
/// ```
///
/// Every monitor of the script is told what it says before ``send(_:)`` returns: handlers are on their queues by then,
/// iterations and ``PathMonitor/currentPath`` have the new path. Nothing settles, and no time passes.
public final class PathScript: Sendable {
  private struct State {
    var latest: SourceUpdate?
    var subscribers: [Int: @Sendable (SourceUpdate) -> Void] = [:]
    var nextNumber = 0
  }

  private let state = Guarded(State())
  /// Held while all are told, so that they are told in order.
  private let telling = Guarded(())

  /// A script that begins with a path; with `nil`, monitors wait for the first one.
  public init(_ path: NetworkPath? = nil) {
    if let path { state.withLock { $0.latest = .path(path) } }
  }

  /// Says that the path is another now. An equal one is no update.
  public func send(_ path: NetworkPath) { tell(.path(path)) }

  /// Says that the source cannot be asked for the moment, as when the service is started again: ``PathMonitor/currentPath``
  /// is stale, and nobody is told.
  public func interrupt() {
    tell(.interrupted(PathSourceError(.connectionLost, message: "the script says that the source is interrupted")))
  }

  /// Says that the source is lost: everybody is told that what is known is stale.
  public func lose() {
    tell(.lost(PathSourceError(.connectionLost, message: "the script says that the source is lost")))
  }

  /// How many monitors follow the script now.
  public var subscriberCount: Int { state.withLock { $0.subscribers.count } }

  private func tell(_ update: SourceUpdate) {
    telling.withLock { _ in
      let subscribers = state.withLock { state in
        state.latest = update
        return Array(state.subscribers.values)
      }
      for deliver in subscribers { deliver(update) }
    }
  }
}

extension PathScript: PathProvider {
  package func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Void) -> @Sendable () -> Void {
    telling.withLock { _ in
      let (number, latest) = state.withLock { state in
        state.nextNumber += 1
        state.subscribers[state.nextNumber] = deliver
        return (state.nextNumber, state.latest)
      }
      if let latest { deliver(latest) }
      return { [weak self] in
        let ended = self?.state.withLock { $0.subscribers.removeValue(forKey: number) }
        withExtendedLifetime(ended) {}
      }
    }
  }
}

extension PathSource {
  /// The paths of a script.
  public static func scripted(_ script: PathScript) -> PathSource { PathSource(.provided(script)) }
}
