/// Families of addresses.
package struct AddressFamilies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Whether it is neither family.
  package var isEmpty: Bool { rawValue == 0 }

  /// IPv4.
  package static let ipv4 = AddressFamilies(rawValue: 1)
  /// IPv6.
  package static let ipv6 = AddressFamilies(rawValue: 2)
  /// Both.
  package static let all = AddressFamilies(rawValue: 3)
  /// Neither. Outside this module an empty list would be made a set of when the program runs.
  package static let neither: AddressFamilies = []
}
