package import PathModel

/// An address with a prefix length: a destination, or an address of an interface.
///
/// Literals are checked when they are read: a slip in a test is a trap with the text, not a strange result.
package struct Prefix: Hashable, Sendable {
  /// The address; its bits beyond the length count for an interface's address only.
  package var address: IPAddress
  package var length: UInt8

  package init(_ address: IPAddress, _ length: UInt8) {
    self.address = address
    self.length = length
  }

  package func contains(_ other: IPAddress) -> Bool { address.matches(other, prefixLength: Int(length)) }
}

extension Prefix: ExpressibleByStringLiteral {
  /// `192.0.2.0/24`, `2001:db8::/32`; `default` is 0.0.0.0/0; a lone address is a host.
  package init?(_ text: String) {
    let parts = text == "default" ? ["0.0.0.0", "0"] : text.split(separator: "/").map(String.init)
    guard let address = parts.first.flatMap({ IPAddress($0) }), parts.count < 2 || UInt8(parts[1]) != nil else {
      return nil
    }
    self.init(address, parts.count > 1 ? UInt8(parts[1]) ?? 0 : UInt8(address.family.bitWidth))
  }

  package init(stringLiteral text: String) {
    guard let prefix = Prefix(text) else { preconditionFailure("'\(text)' is not a prefix") }
    self = prefix
  }
}

extension Prefix: CustomStringConvertible {
  package var description: String { "\(address)/\(length)" }
}

extension IPAddress {
  /// The address of a literal in a test.
  package static func literal(_ text: String) -> IPAddress {
    guard let address = IPAddress(text) else { preconditionFailure("'\(text)' is not an address") }
    return address
  }
}
