public import Connectivity
internal import ConnectivityCore

/// Paths as tests need them, complete and known.
extension NetworkPath {
  /// A connected path over one interface.
  ///
  /// - Parameters:
  ///   - type: What carries the traffic.
  ///   - name: The name of the interface; `nil` for a usual one.
  ///   - isExpensive: Whether it costs; `nil` for what is usual for the type.
  ///   - isConstrained: Whether programs are to use little data.
  public static func online(
    over type: InterfaceType = .wiredEthernet, name: String? = nil, isExpensive: Bool? = nil,
    isConstrained: Bool = false
  ) -> NetworkPath {
    example(over: type, name: name, isExpensive: isExpensive, isConstrained: isConstrained)
  }

  /// A path that is not there.
  ///
  /// - Parameter reason: Why.
  public static func offline(because reason: UnsatisfiedReason = .noRoute) -> NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    return path
  }

  /// A path that is not there, for want of a route.
  public static var offline: NetworkPath { offline() }
}
