internal import Connectivity
internal import ConnectivityCore

/// The paths for the requests of the program that have no monitor of their own.
enum RequestPaths {
  /// A monitor without a settle time, because transfers have a grace period instead.
  ///
  /// The program follows it from the first request until its end, so that each later request knows the path at once and
  /// starts no thread.
  static let monitor: PathMonitor = {
    let monitor = PathMonitor(settle: .zero)
    _ = monitor.observe { _ in }
    return monitor
  }()
}
