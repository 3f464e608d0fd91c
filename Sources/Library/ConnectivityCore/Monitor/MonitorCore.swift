internal import PathModel
internal import SystemIO

/// The work of a ``PathMonitor``, in an object of its own: the source holds only a weak reference to this object, and
/// releasing the monitor ends the work.
///
/// It follows its source as long as there is a receiver: a handler, an iteration or an observer.
final class MonitorCore: Sendable {
  let provider: any PathProvider
  let view: PathView
  private let published: Guarded<NetworkPath>
  let state: Guarded<MonitorState>
  let turn = HandlerTurn()
  private let unsettled = Guarded(Unsettled())

  init(provider: any PathProvider, view: PathView, savesData: Bool = false) {
    self.provider = provider
    self.view = view
    let published = Guarded(NetworkPath.unknown)
    self.published = published
    state = Guarded(MonitorState(published: published, savesData: savesData))
  }

  /// The monitor of ``withoutSettling()``, as long as somebody uses it.
  private struct Unsettled {
    weak var monitor: PathMonitor?
  }

  /// The monitor of the same paths that delivers each change at once, and saves data as long as this core does.
  func withoutSettling() -> PathMonitor {
    unsettled.withLock { unsettled in
      if let monitor = unsettled.monitor { return monitor }
      var provider = provider
      if let monitor = provider as? MonitorProvider {
        provider = MonitorProvider(source: monitor.source, settle: .zero, probes: monitor.probes)
      }
      let monitor = PathMonitor(core: MonitorCore(provider: provider, view: view, savesData: savesData))
      unsettled.monitor = monitor
      return monitor
    }
  }

  var currentPath: NetworkPath { published.copy }

  var failure: PathSourceError? { state.withLock { $0.failure } }

  var savesData: Bool {
    get { state.withLock { $0.savesData } }
    set {
      change { state in
        guard state.savesData != newValue else { return }
        state.savesData = newValue
        guard let source = state.source else { return }
        var next = state.shown(source, view)
        if state.current.knowledge == .stale { next.becomeStale() }
        if state.delivered == nil { state.current = next } else if next != state.delivered { state.deliver(next) }
      }
      unsettled.copy.monitor?.savesData = newValue
    }
  }

  var handler: (@Sendable (NetworkPath) -> Void)? {
    get { state.withLock { $0.handler } }
    set {
      // Return the former handler, so that the objects it has captured are released outside the lock.
      _ = change { state in
        let former = state.handler
        state.handler = newValue
        // A handler that is set a moment after the start also gets the first path.
        if former == nil, newValue != nil, let run = state.run, let first = state.first() {
          state.offer(first, to: run)
        }
        return former
      }
    }
  }

  /// Changes the state under its lock. Wakes the receivers of a new path after the lock is released.
  func change<Result>(_ body: (inout MonitorState) -> Result) -> Result {
    let (result, due) = state.withLock { state in
      let result = body(&state)
      return (result, state.removeDue())
    }
    due.perform()
    return result
  }
}
