public import Observation
public import PathModel
internal import SystemIO

/// The path and its phase for user interfaces: changes are observed with `Observation`, on the main actor.
///
/// ```swift
/// let model = ConnectivityModel()
/// withObservationTracking {
///   show(model.phase)
/// } onChange: {
///   redrawSoon()
/// }
/// ```
@MainActor
@Observable
public final class ConnectivityModel {
  /// The newest path.
  public private(set) var path: NetworkPath
  /// What is to be shown.
  public private(set) var phase = ConnectivityPhase.checking
  /// Whether there is a path.
  public var isConnected: Bool { path.status == .satisfied }

  @ObservationIgnored private let tasks = Guarded<[Task<Void, Never>]>([])

  /// A model that follows the monitor as long as it lives.
  ///
  /// - Parameters:
  ///   - monitor: Whose path.
  ///   - times: How long each phase is shown at least.
  ///   - clock: What the time is measured by.
  public init<C: Clock>(
    monitor: PathMonitor = .shared, times: PhaseTimes = .standard, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    path = monitor.currentPath
    let paths = Task { [weak self] in
      for await path in monitor {
        guard let self else { return }
        self.path = path
      }
    }
    let phases = Task { [weak self] in
      for await phase in monitor.phases(times: times, clock: clock) {
        guard let self else { return }
        self.phase = phase
      }
    }
    tasks.withLock { $0 = [paths, phases] }
  }

  deinit {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }
}
