public import PathModel
internal import SystemIO

/// An IPv4 address, as Apple's Network framework names it.
public struct IPv4Address: Hashable, Sendable, CustomDebugStringConvertible {
  /// The address by our own name.
  public let address: IPAddress
  /// The interface that the address is bound to; `nil` for none.
  public let interface: NWInterface?

  /// An address by our own name; `nil` for one of the other family.
  public init?(_ address: IPAddress, interface: NWInterface? = nil) {
    guard address.family == .ipv4 else { return nil }
    (self.address, self.interface) = (address, interface)
  }

  /// A dotted quad; `nil` for anything else.
  public init?(_ text: String) {
    guard let address = IPAddress(text) else { return nil }
    self.init(address)
  }

  /// Any address, 0.0.0.0: the system chooses one.
  public static let any = IPv4Address(bits: 0)
  /// Everyone on the link: 255.255.255.255.
  public static let broadcast = IPv4Address(bits: 0xffff_ffff)
  /// The machine itself: 127.0.0.1.
  public static let loopback = IPv4Address(bits: 0x7f00_0001)

  private init(bits: UInt32) { (address, interface) = (IPAddress(ipv4: bits), nil) }

  /// Whether the address lies in 127.0.0.0/8.
  public var isLoopback: Bool { address.isLoopback }
  /// Whether the address lies in 169.254.0.0/16.
  public var isLinkLocal: Bool { address.isLinkLocal }
  /// Whether the address lies in 224.0.0.0/4.
  public var isMulticast: Bool { address.matches(IPAddress(ipv4: 0xe000_0000), prefixLength: 4) }
  /// The dotted quad.
  public var debugDescription: String { address.description }
}

/// An IPv6 address, as Apple's Network framework names it.
///
/// An address keeps its scope: ``interface`` of `IPv6Address("fe80::1%eth0")` is `eth0`, and so is that of a link-local
/// router in `NWPath.gateways`. Two addresses are equal when their bits and the names of their interfaces are.
public struct IPv6Address: Sendable, CustomDebugStringConvertible {
  /// The address by our own name, with the name of the interface as its scope.
  public let address: IPAddress
  /// The interface on whose link the address is to be found; `nil` without a scope.
  ///
  /// The interface of an address that was parsed is the one of that name or index on this machine. It has the type
  /// `.other`, as only a path knows the type, and the index 0 if there is no such interface.
  public let interface: NWInterface?

  /// An address by our own name; `nil` for one of the other family.
  ///
  /// - Parameters:
  ///   - address: The address. If it has a scope and `interface` is `nil`, its interface is looked up by that scope.
  ///   - interface: The interface on whose link the address is to be found; `nil` for the one of its scope.
  public init?(_ address: IPAddress, interface: NWInterface? = nil) {
    guard address.family == .ipv6 else { return nil }
    let interface = interface ?? address.scope.map { NWInterface(scope: $0) }
    self.address = address.scoped(to: interface?.name)
    self.interface = interface
  }

  /// An address in the spellings of RFC 4291, also with `%` and an interface at its end; `nil` for anything else.
  public init?(_ text: String) {
    guard let address = IPAddress(text) else { return nil }
    self.init(address)
  }

  /// Any address, `::`: the system chooses one.
  public static let any = IPv6Address(high: 0, low: 0)
  /// The machine itself: `::1`.
  public static let loopback = IPv6Address(high: 0, low: 1)

  private init(high: UInt64, low: UInt64) { (address, interface) = (IPAddress(ipv6: high, low), nil) }

  /// Whether the address is `::`.
  public var isAny: Bool { address.isUnspecified }
  /// Whether the address is `::1`.
  public var isLoopback: Bool { address.isLoopback }
  /// Whether the address lies in fe80::/10.
  public var isLinkLocal: Bool { address.isLinkLocal }
  /// Whether the address lies in fc00::/7.
  public var isUniqueLocal: Bool { address.matches(IPAddress(ipv6: 0xfc00 << 48, 0), prefixLength: 7) }
  /// Whether the address lies in ff00::/8.
  public var isMulticast: Bool { address.matches(IPAddress(ipv6: 0xff00 << 48, 0), prefixLength: 8) }
  /// The address as RFC 5952 spells it, with `%` and the name of its interface if it has one.
  public var debugDescription: String { address.description }
}

extension IPv6Address: Hashable {
  /// Equality of the bits and the names of the interfaces.
  public static func == (left: IPv6Address, right: IPv6Address) -> Bool { left.address == right.address }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

extension NWInterface {
  /// The interface that a scope names, by its name or its index.
  fileprivate init(scope: String) {
    if let index = UInt32(scope), let name = SystemInterface.name(of: index) {
      self.init(NetworkInterface(name: name, index: Int(index), type: .other))
    } else {
      let index = SystemInterface.index(of: scope).map(Int.init) ?? 0
      self.init(NetworkInterface(name: scope, index: index, type: .other))
    }
  }
}
