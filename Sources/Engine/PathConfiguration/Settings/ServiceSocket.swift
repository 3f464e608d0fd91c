internal import PathModel
internal import SystemIO

/// The socket of the service for programs that ask it.
package enum ServiceSocket {
  /// The named socket, then the one in the environment variable `PATHMONITOR_SOCKET`, then the usual one.
  ///
  /// - Parameter named: The socket that the user or the program names; `nil` when neither does.
  package static func path(_ named: String?) -> String {
    if let named { return named }
    guard let path = Environment.value("PATHMONITOR_SOCKET"), !path.isEmpty else {
      return PathMonitorInterface.socketPath
    }
    return path
  }
}
