internal import Connectivity
internal import ConnectivityCore

/// The paths for the requests of the program that have no monitor of their own.
enum RequestPaths {
  /// Told each change at once: what rests is the transfers, for as long as their grace period is.
  ///
  /// It is followed from the first request on until the program ends, so that each later one knows the path at once, and
  /// none starts a thread.
  static let monitor: PathMonitor = {
    let monitor = PathMonitor(settle: .zero)
    _ = monitor.observe { _ in }
    return monitor
  }()
}
