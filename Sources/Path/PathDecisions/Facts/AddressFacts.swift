package import PathModel

/// One address of an interface, as the kernel reports it.
package struct AddressFacts: Hashable, Sendable {
  /// The interface that has the address. Source: `ifa_index`.
  package var interfaceIndex: Int32
  /// The address itself. Source: `IFA_LOCAL`, or `IFA_ADDRESS` where there is no peer.
  package var address: IPAddress
  /// The other end of a point-to-point address. Source: `IFA_ADDRESS` where it differs from `IFA_LOCAL`.
  package var peer: IPAddress?
  /// The length of the prefix, in bits. Source: `ifa_prefixlen`.
  package var prefixLength: UInt8
  /// The scope, `RT_SCOPE_…`: 0 global, 253 link, 254 host. Source: `ifa_scope`.
  package var scope: UInt8
  /// The flags, `IFA_F_…`. Source: `IFA_FLAGS`.
  package var flags: AddressFlags
  /// The moment of its creation, in hundredths of a second since the boot; 0 if unknown. Source: `cstamp` of
  /// `IFA_CACHEINFO`.
  package var createdAt: UInt32

  /// An address as the kernel reported it.
  package init(
    interfaceIndex: Int32, address: IPAddress, peer: IPAddress? = nil, prefixLength: UInt8, scope: UInt8 = 0,
    flags: AddressFlags = [], createdAt: UInt32 = 0
  ) {
    self.interfaceIndex = interfaceIndex
    self.address = address
    self.peer = peer
    self.prefixLength = prefixLength
    self.scope = scope
    self.flags = flags
    self.createdAt = createdAt
  }

  /// Whether a program can use the address to reach beyond the link. Deprecated addresses are usable, because the
  /// kernel still chooses them when there is no other. Tentative ones are not, unless they are optimistic.
  package var isUsable: Bool {
    guard address.isRoutableSource, scope < 253, !flags.contains(.duplicate) else { return false }
    return !flags.contains(.tentative) || flags.contains(.optimistic)
  }

  /// Whether the address is of 169.254.0.0/16 and not limited to the link, as a provider gives it to a virtual machine.
  /// It is usable over a router, which translates it. A host that gives itself such an address has no router.
  package var isTranslated: Bool {
    address.family == .ipv4 && address.isLinkLocal && scope < 253 && !flags.contains(.duplicate)
  }

  /// The address with its prefix length, such as `192.0.2.2/24`.
  package var text: String { "\(address)/\(prefixLength)" }
}

/// The address flags that matter here, `IFA_F_…` in `linux/if_addr.h`.
package struct AddressFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `IFA_F_TEMPORARY`: made by privacy extensions (RFC 8981), to be replaced soon.
  package static let temporary = AddressFlags(rawValue: 0x01)
  /// `IFA_F_OPTIMISTIC`: may be used while duplicate address detection runs (RFC 4429).
  package static let optimistic = AddressFlags(rawValue: 0x04)
  /// `IFA_F_DADFAILED`: another host has the address.
  package static let duplicate = AddressFlags(rawValue: 0x08)
  /// `IFA_F_DEPRECATED`: its preferred lifetime has ended (RFC 4862).
  package static let deprecated = AddressFlags(rawValue: 0x20)
  /// `IFA_F_TENTATIVE`: duplicate address detection runs.
  package static let tentative = AddressFlags(rawValue: 0x40)
  /// `IFA_F_PERMANENT`: it has no lifetime, as addresses set by hand. DHCP clients set that of the lease.
  package static let permanent = AddressFlags(rawValue: 0x80)
  /// `IFA_F_NOPREFIXROUTE`: the kernel made no route to its network. DHCP clients add one of their own.
  package static let noPrefixRoute = AddressFlags(rawValue: 0x200)
}
