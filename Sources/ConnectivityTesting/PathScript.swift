public import Connectivity
internal import ConnectivityCore

/// Paths as a test wants them, in place of those of the machine.
///
/// ```swift
/// let script = PathScript(.offline)
/// let monitor = PathMonitor(source: .scripted(script))
/// script.send(.online(over: .wifi))
/// ```
///
/// Every monitor of the script is told what it says before ``send(_:)`` returns: handlers are on their queues by then,
/// iterations and `PathMonitor.currentPath` have the new path. Nothing settles, and no time passes.
public final class PathScript: Sendable {
  let broadcast: PathBroadcast

  /// A script that begins with a path; with `nil`, monitors wait for the first one.
  public init(_ path: NetworkPath? = nil) {
    broadcast = PathBroadcast(path)
  }

  /// Says that the path is another now. An equal one is no update.
  public func send(_ path: NetworkPath) { broadcast.tell(.path(path)) }

  /// Says that the source cannot be asked for the moment, as when the service is started again:
  /// `PathMonitor.currentPath` is stale, and nobody is told.
  public func interrupt() {
    let message = "the script says that the source is interrupted"
    broadcast.tell(.interrupted(PathSourceError(.connectionLost, message: message)))
  }

  /// Says that the source is lost: everybody is told that what is known is stale.
  public func lose() {
    let message = "the script says that the source is lost"
    broadcast.tell(.lost(PathSourceError(.connectionLost, message: message)))
  }

  /// How many monitors follow the script now.
  public var subscriberCount: Int { broadcast.subscriberCount }
}

extension PathSource {
  /// The paths of a script.
  public static func scripted(_ script: PathScript) -> PathSource { PathSource(.provided(script.broadcast)) }
}
