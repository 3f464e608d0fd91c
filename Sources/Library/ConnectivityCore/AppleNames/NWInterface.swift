public import PathModel

/// An interface, as Apple's Network framework names it. ``networkInterface`` has more details.
///
/// Two interfaces are equal if their indices and names are equal, whatever else has changed. An interface of one path
/// can therefore be found in the next.
public struct NWInterface: Sendable, CustomDebugStringConvertible {
  /// The medium that carries the packets of an interface.
  public enum InterfaceType: Hashable, Sendable {
    /// A tunnel, or an interface of an unknown medium.
    case other
    /// IEEE 802.11.
    case wifi
    /// A mobile network.
    case cellular
    /// A cable, or its substitute in a virtual machine or container.
    case wiredEthernet
    /// The machine itself.
    case loopback

    /// The type by our own name.
    public init(_ type: PathModel.InterfaceType) {
      self =
        switch type {
        case .other: .other
        case .wifi: .wifi
        case .cellular: .cellular
        case .wiredEthernet: .wiredEthernet
        case .loopback: .loopback
        }
    }

    /// Our own name for the type.
    public var interfaceType: PathModel.InterfaceType {
      switch self {
      case .other: .other
      case .wifi: .wifi
      case .cellular: .cellular
      case .wiredEthernet: .wiredEthernet
      case .loopback: .loopback
      }
    }
  }

  /// All that is known of the interface.
  public let networkInterface: NetworkInterface

  /// An interface by our own name.
  public init(_ interface: NetworkInterface) {
    networkInterface = interface
  }

  /// The kernel's name of the interface, such as `eth0`.
  public var name: String { networkInterface.name }
  /// The kernel's index of the interface.
  public var index: Int { networkInterface.index }
  /// The medium that carries the packets of the interface.
  public var type: InterfaceType { InterfaceType(networkInterface.type) }
  /// The name.
  public var debugDescription: String { name }
}

extension NWInterface: Hashable {
  /// Equality of the indices and the names.
  public static func == (left: NWInterface, right: NWInterface) -> Bool {
    left.index == right.index && left.networkInterface.exactName == right.networkInterface.exactName
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(networkInterface.exactName)
  }
}
