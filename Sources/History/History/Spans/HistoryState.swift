package import PathModel

/// The state of the machine's network path during a span of time.
///
/// Only a path is uptime or downtime. The other states are neither. Time that was not watched, because the recorder or
/// the service did not run or the machine was off, has no state and no span.
package enum HistoryState: Hashable, Sendable {
  /// The service knew the path.
  case path(RecordedPath)
  /// The machine was suspended.
  case suspended
  /// The service ran, and did not know the path: its knowledge was stale, or there had been no evaluation yet.
  case unknown

  /// The path; `nil` in the other states.
  package var path: RecordedPath? {
    guard case .path(let path) = self else { return nil }
    return path
  }

  /// The reason if this is downtime; `nil` otherwise.
  package var outageReason: UnsatisfiedReason? { path?.reason }
}

/// A path as the history keeps it: without its place in a stream.
///
/// Equality is that of paths, which ignores the texts of evidence.
package struct RecordedPath: Hashable, Sendable {
  /// The path, so that any requirement can be judged later: with sequence and time 0, without changes, and of its
  /// validation the state alone. The times and addresses of observations would make each path another one.
  package let path: NetworkPath
  /// The name of the wireless network of ``interface``; `nil` where it is not known.
  package var networkName: String? { interface?.networkName }

  /// A path of a stream, without its place there.
  ///
  /// - Parameter keepsNetworkNames: Whether the names of wireless networks may stay in it.
  package init(_ path: NetworkPath, keepsNetworkNames: Bool = true) {
    var path = path
    (path.sequence, path.boottimeMicroseconds, path.changed) = (0, 0, [])
    if path.validation != .unknown { path.validation = PathValidation(state: path.validation.state) }
    if !keepsNetworkNames { for index in path.interfaces.indices { path.interfaces[index].networkName = nil } }
    self.path = path
  }

  /// Whether the path was satisfied: uptime.
  package var isSatisfied: Bool { path.status == .satisfied }

  /// The reason of the downtime; `nil` when the path was satisfied.
  ///
  /// A path that needs a connection to be made first has ``requiresConnection``.
  package var reason: UnsatisfiedReason? {
    isSatisfied ? nil : path.unsatisfiedReason ?? Self.requiresConnection
  }

  /// The reason of a path whose status is `requiresConnection`.
  package static let requiresConnection = UnsatisfiedReason(rawValue: NetworkPath.Status.requiresConnection.rawValue)

  /// The interface that carried the traffic; `nil` unless satisfied.
  package var interface: NetworkInterface? { isSatisfied ? path.interfaces.first : nil }

  /// The type of the interface that carried the traffic; `nil` unless satisfied.
  package var interfaceType: InterfaceType? { path.interfaceType }

  /// The first router; `nil` without one, and unless satisfied.
  package var gateway: IPAddress? { isSatisfied ? path.gateways.first : nil }

  /// Whether the path was satisfied and expensive.
  package var isExpensive: Bool { isSatisfied && path.isExpensive }

  /// Whether the path was satisfied and constrained.
  package var isConstrained: Bool { isSatisfied && path.isConstrained }
}
