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
