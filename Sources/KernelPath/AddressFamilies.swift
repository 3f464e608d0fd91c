/// Families of addresses.
package struct AddressFamilies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// IPv4.
  package static var ipv4: AddressFamilies { AddressFamilies(rawValue: 1) }
  /// IPv6.
  package static var ipv6: AddressFamilies { AddressFamilies(rawValue: 2) }
  /// Both.
  package static var all: AddressFamilies { AddressFamilies(rawValue: 3) }
  /// Neither.
  package static var neither: AddressFamilies { AddressFamilies(rawValue: 0) }
}

/// Concrete versions of members that `OptionSet` provides generically. Outside this module the generic ones are not
/// specialized, and look up their witnesses at run time.
extension AddressFamilies {
  /// Whether both are the same families.
  package static func == (left: AddressFamilies, right: AddressFamilies) -> Bool { left.rawValue == right.rawValue }

  /// Whether the set is empty.
  package var isEmpty: Bool { rawValue == 0 }

  /// Adds other families.
  package mutating func formUnion(_ other: AddressFamilies) {
    self = AddressFamilies(rawValue: rawValue | other.rawValue)
  }
}
