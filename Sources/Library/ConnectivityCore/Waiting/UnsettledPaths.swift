package import PathModel
internal import SystemIO

/// The path of a monitor as it is at this moment, before it settles.
package struct UnsettledPaths<C: Clock>: Sendable where C.Duration == Duration {
  private let monitor: PathMonitor
  private let paths: TimedPaths<C>

  /// Follows the monitor until the last copy is released.
  package init(of monitor: PathMonitor, clock: C = ContinuousClock()) {
    self.monitor = monitor
    paths = TimedPaths(monitor.withoutSettling(), clock: clock)
  }

  /// The path that is known already; `nil` if the source has not delivered one. A source that is followed has its path
  /// at once.
  package var present: NetworkPath? {
    if case .path(let path) = paths.nextIfThere() { path } else { nil }
  }

  /// Waits for the path, or returns the newest known one if the source does not deliver in time.
  package func next(within patience: Duration, isolation: isolated (any Actor)? = #isolation) async -> NetworkPath {
    paths.setTimer(paths.clock.now.after(patience))
    defer { paths.stop() }
    if case .path(let path) = await paths.next() { return path }
    return monitor.currentPath
  }
}
