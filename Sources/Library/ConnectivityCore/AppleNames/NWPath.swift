public import PathModel

/// The network path, as Apple's Network framework names it. ``networkPath`` has more details.
public struct NWPath: Hashable, Sendable {
  /// Whether a path can be used.
  public enum Status: Hashable, Sendable {
    /// There is a usable route.
    case satisfied
    /// There is none.
    case unsatisfied
    /// There is none yet, but using it may bring one up; also the status of a path that is not known yet.
    case requiresConnection
  }

  /// The reason why a path is unsatisfied, in Apple's terms. ``networkPath`` distinguishes more reasons.
  public enum UnsatisfiedReason: Hashable, Sendable {
    /// Any other reason, or the path is not unsatisfied.
    case notAvailable
    /// The user has turned cellular data off for the program. Linux has no such setting, so this never occurs.
    case cellularDenied
    /// The user has turned Wi-Fi off for the program. Linux has no such setting, so this never occurs.
    case wifiDenied
    /// The user has refused the program the local network. Linux has no such setting, so this never occurs.
    case localNetworkDenied
    /// A VPN is needed and is not up: the route leads to a device that discards packets.
    case vpnInactive
  }

  /// How good the link is.
  public enum LinkQuality: Hashable, Sendable {
    /// It is not known.
    case unknown
    /// It is just about usable.
    case minimal
    /// It is usable.
    case moderate
    /// It is good.
    case good
  }

  /// All that is known of the path.
  public let networkPath: NetworkPath

  /// A path by our own name.
  public init(_ path: NetworkPath) {
    networkPath = path
  }

  /// Whether the path can be used.
  public var status: Status {
    switch networkPath.status {
    case .satisfied: .satisfied
    case .unsatisfied: .unsatisfied
    case .requiresConnection: .requiresConnection
    }
  }

  /// Why the path is unsatisfied.
  public var unsatisfiedReason: UnsatisfiedReason {
    networkPath.unsatisfiedReason == .sinkInterface ? .vpnInactive : .notAvailable
  }

  /// The usable interfaces in order of preference.
  public var availableInterfaces: [NWInterface] { networkPath.interfaces.map { NWInterface($0) } }
  /// Whether traffic is likely to cost money or count against a quota.
  public var isExpensive: Bool { networkPath.isExpensive }
  /// Whether the user asked programs to use little data.
  public var isConstrained: Bool { networkPath.isConstrained }
  /// Whether the link is so narrow that only programs made for it may use it. No source on Linux reports this: always
  /// false.
  public var isUltraConstrained: Bool { false }
  /// How good the link is. No source reports this yet: always ``LinkQuality/unknown``.
  public var linkQuality: LinkQuality { .unknown }
  /// Whether IPv4 destinations are routable.
  public var supportsIPv4: Bool { networkPath.supportsIPv4 }
  /// Whether IPv6 destinations are routable.
  public var supportsIPv6: Bool { networkPath.supportsIPv6 }
  /// Whether the path is satisfied and a name server is configured.
  public var supportsDNS: Bool { networkPath.supportsDNS }

  /// Whether the path uses interfaces of the type: the interface that carries the traffic is of the type, or rests on
  /// one that is. A VPN over Wi-Fi therefore uses both `.other` and `.wifi`.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    networkPath.usesInterfaceType(type.interfaceType)
  }
}

extension NWPath: CustomDebugStringConvertible {
  /// The path in words.
  public var debugDescription: String { networkPath.description }
}
