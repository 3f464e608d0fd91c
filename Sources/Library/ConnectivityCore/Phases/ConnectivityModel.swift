public import Observation
public import PathModel
internal import SystemIO

/// The path and its phase for user interfaces, which observe changes with `Observation` on the main actor.
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
  /// The phase to show.
  public private(set) var phase = ConnectivityPhase.checking
  /// Whether there is a path.
  public var isConnected: Bool { path.status == .satisfied }

  @ObservationIgnored private let tasks = Guarded<[Task<Void, Never>]>([])

  /// A model that follows the monitor as long as the model lives.
  ///
  /// - Parameters:
  ///   - monitor: The monitor that delivers the paths.
  ///   - times: The minimum time for which each phase is shown.
  ///   - clock: The clock that measures the time.
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
