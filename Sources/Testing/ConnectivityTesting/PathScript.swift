public import Connectivity
internal import ConnectivityCore

/// Paths that a test sends, in place of those of the machine.
///
/// ```swift
/// let script = PathScript(.offline)
/// let monitor = PathMonitor(source: .scripted(script))
/// script.send(.online(over: .wifi))
/// ```
///
/// ``send(_:)`` delivers the path to every monitor of the script before it returns: handlers are on their queues, and
/// iterations and `PathMonitor.currentPath` have the new path. Nothing settles, and no time passes.
public final class PathScript: Sendable {
  let broadcast: PathBroadcast

  /// A script that begins with a path; with `nil`, monitors wait for the first one.
  public init(_ path: NetworkPath? = nil) {
    broadcast = PathBroadcast(path)
  }

  /// Delivers a new path. A path that equals the one before is no update.
  public func send(_ path: NetworkPath) { broadcast.deliver(.path(path)) }

  /// Interrupts the source, as a restart of the service does: `PathMonitor.currentPath` becomes stale, and no update is
  /// delivered.
  public func interrupt() {
    let message = "the script says that the source is interrupted"
    broadcast.deliver(.interrupted(PathSourceError(.connectionLost, message: message)))
  }

  /// Loses the source: every monitor delivers its last path again, with the knowledge `stale`.
  public func lose() {
    let message = "the script says that the source is lost"
    broadcast.deliver(.lost(PathSourceError(.connectionLost, message: message)))
  }

  /// The number of monitors that follow the script.
  public var subscriberCount: Int { broadcast.subscriberCount }
}

extension PathSource {
  /// The paths of a script.
  public static func scripted(_ script: PathScript) -> PathSource { PathSource(.provided(script.broadcast)) }
}
