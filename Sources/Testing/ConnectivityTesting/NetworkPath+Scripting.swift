public import Connectivity
internal import ConnectivityCore

/// Paths for tests, complete and known.
extension NetworkPath {
  /// A connected path over one interface.
  ///
  /// - Parameters:
  ///   - type: The type of the interface that carries the traffic.
  ///   - name: The name of the interface; `nil` for the usual one of the type.
  ///   - isExpensive: Whether the path is expensive; `nil` for the usual value of the type.
  ///   - isConstrained: Whether programs are to use little data.
  public static func online(
    over type: InterfaceType = .wiredEthernet, name: String? = nil, isExpensive: Bool? = nil,
    isConstrained: Bool = false
  ) -> NetworkPath {
    example(over: type, name: name, isExpensive: isExpensive, isConstrained: isConstrained)
  }

  /// An unsatisfied path.
  ///
  /// - Parameter reason: The reason why the path is unsatisfied.
  public static func offline(because reason: UnsatisfiedReason = .noRoute) -> NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = reason
    return path
  }

  /// A path that is unsatisfied because there is no route.
  public static var offline: NetworkPath { offline() }
}
