package import PathFollowing

/// The origin of the paths of a ``PathMonitor``.
public struct PathSource: Sendable {
  package enum Kind: Sendable {
    /// The service if it is there, and the kernel if not; `nil` for the usual socket.
    case automatic(socketPath: String?)
    /// The service alone; `nil` for the usual socket.
    case service(socketPath: String?)
    /// The kernel alone.
    case inProcess
    /// A provider that makes paths up, such as a script.
    case provided(any PathProvider)
  }

  package let kind: Kind

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// The service when it runs, and otherwise this process itself, which asks the kernel. The monitor switches over when
  /// the service appears or goes away. This is an update only if the path changes.
  public static let automatic = PathSource(.automatic(socketPath: nil))

  /// This process itself, which asks the kernel. The administrator's configuration and overrides apply as they do with
  /// the service. The monitor follows them: a file takes effect once it is written.
  public static let inProcess = PathSource(.inProcess)

  /// The service alone. While it cannot be reached, the last path stays, with the knowledge `stale`.
  ///
  /// - Parameter socketPath: The socket of the service; `nil` for the path in the environment variable
  ///   `PATHMONITOR_SOCKET`, or else the usual one.
  public static func service(socketPath: String? = nil) -> PathSource {
    PathSource(.service(socketPath: socketPath))
  }
}

/// A source of paths as a monitor follows it.
package protocol PathProvider: Sendable {
  /// Delivers the path as it is, then each change, in order and one at a time, until the returned closure is called.
  /// A delivery that is under way then may still come.
  ///
  /// - Parameter deliver: Stores the update. It runs no foreign code, so it may be called under a lock. The deliveries
  ///   that it returns must be performed under no lock.
  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void
}
