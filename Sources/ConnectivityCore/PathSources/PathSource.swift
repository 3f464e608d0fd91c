package import PathFollowing

/// Where a ``PathMonitor`` has its paths from.
public struct PathSource: Sendable {
  package enum Kind: Sendable {
    /// The service if it is there, and the kernel if not; `nil` for the usual socket.
    case automatic(socketPath: String?)
    /// The service alone; `nil` for the usual socket.
    case service(socketPath: String?)
    /// The kernel alone.
    case inProcess
    /// Somebody who makes paths up.
    case provided(any PathProvider)
  }

  package let kind: Kind

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// The service when it runs, and otherwise this process itself, which asks the kernel. When the service appears or
  /// goes away the monitor moves over; that is no update unless the path is another.
  public static let automatic = PathSource(.automatic(socketPath: nil))

  /// This process itself: it asks the kernel. The administrator's configuration and overrides hold as they do with the
  /// service, and are followed: a file counts once it is written.
  public static let inProcess = PathSource(.inProcess)

  /// The service alone. While it cannot be reached the last path stays, with the knowledge `stale`.
  ///
  /// - Parameter socketPath: Where it listens; `nil` for the path in the environment variable `PATHMONITOR_SOCKET`,
  ///   or else the usual one.
  public static func service(socketPath: String? = nil) -> PathSource {
    PathSource(.service(socketPath: socketPath))
  }
}

/// A source of paths as a monitor follows it.
package protocol PathProvider: Sendable {
  /// Delivers the path as it is, then each change, in order and one at a time, until the returned closure is called.
  /// A delivery that is under way then may still come.
  ///
  /// - Parameter deliver: Stores the update. It runs no foreign code, so that it may be called under a lock; the
  ///   deliveries that it returns are to be performed under none.
  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void
}
