/// Families of addresses.
package struct AddressFamilies: Hashable, Sendable {
  private var bits: UInt8

  private init(bits: UInt8) { self.bits = bits }

  /// IPv4.
  package static var ipv4: AddressFamilies { AddressFamilies(bits: 1) }
  /// IPv6.
  package static var ipv6: AddressFamilies { AddressFamilies(bits: 2) }
  /// Both.
  package static var all: AddressFamilies { AddressFamilies(bits: 3) }
  /// Neither.
  package static var neither: AddressFamilies { AddressFamilies(bits: 0) }

  /// Whether there is none.
  package var isEmpty: Bool { bits == 0 }

  /// Whether all of the others are among them.
  package func contains(_ others: AddressFamilies) -> Bool { bits & others.bits == others.bits }

  /// Adds the others.
  package mutating func formUnion(_ others: AddressFamilies) { bits |= others.bits }
}
