package import PathModel

/// NetworkManager's verdict on the connectivity of a device for one address family: the values of its properties
/// `Device.Ip4Connectivity` and `Device.Ip6Connectivity`, `NMConnectivityState`.
package enum ConnectivityState: UInt32, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case none = 1
  case portal = 2
  case limited = 3
  case full = 4
}

/// NetworkManager's verdicts on a device.
package struct DeviceConnectivity: Hashable, Sendable {
  /// The verdict for IPv4.
  package var ipv4 = ConnectivityState.unknown
  /// The verdict for IPv6.
  package var ipv6 = ConnectivityState.unknown
  /// When they last changed, in microseconds since boot.
  package var when = 0

  /// The verdict for a family.
  package subscript(family: IPAddress.Family) -> ConnectivityState { family == .ipv4 ? ipv4 : ipv6 }

  /// Whether both verdicts are those of the other one, whenever they changed.
  func hasVerdicts(of other: Self) -> Bool { ipv4 == other.ipv4 && ipv6 == other.ipv6 }
}

extension NetworkFactsTable {
  /// Replaces NetworkManager's verdicts, by interface name.
  ///
  /// - Parameter now: The time, in microseconds since boot; verdicts that stay the same keep the time of theirs.
  /// - Returns: Whether any has changed.
  package mutating func update(connectivity: [ExactText: DeviceConnectivity], at now: Int) -> Bool {
    var next = connectivity
    for (name, verdicts) in connectivity {
      let former = connectivityByName[name]
      next[name]?.when = former.map { $0.hasVerdicts(of: verdicts) ? $0.when : now } ?? now
    }
    guard next != connectivityByName else { return false }
    connectivityByName = next
    return true
  }
}
