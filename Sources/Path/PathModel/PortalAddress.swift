/// The address for the sign-in that a DHCP server announces or a program at the socket names. Anybody can be either.
package enum PortalAddress {
  /// The longest address in bytes. One option has at most 255, and long ones are split (RFC 3396).
  private static let longest = 1_024

  /// The signs of a URI (RFC 3986), without which no terminal, shell or page is led astray.
  private static let signs = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%".utf8)

  /// The address in the bytes of an option; `nil` unless it is an `http` or `https` address of a host outside this
  /// machine, without a user. The URN `urn:ietf:params:capport:unrestricted`, which says that there is no portal, is
  /// none.
  package static func text(of bytes: some Collection<UInt8>) -> String? {
    var bytes = Array(bytes.prefix(longest + 1))
    if bytes.last == 0 { bytes.removeLast() }
    guard bytes.count <= longest, bytes.allSatisfy(signs.contains) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let scheme = text.prefix(8).lowercased()
    return (scheme == "https://" || scheme.hasPrefix("http://")) && isOutside(text) ? text : nil
  }

  /// The name or number of the host in an address, in lower case: without port, brackets and final dot.
  package static func host(in address: String) -> String {
    let place = place(in: address)
    let host = place.first == "[" ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
    return String(host.last == "." ? host.dropLast() : host)
  }

  /// The host and the port, between the scheme and the path, in lower case.
  private static func place(in address: String) -> Substring {
    address.lowercased().drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
  }

  /// The address of a host that is a number, in each spelling of inet_aton(3) and of browsers: `127.1`, `0x7f000001`,
  /// `::ffff:127.0.0.1`. `nil` for a name.
  package static func number(of host: String) -> IPAddress? {
    if let address = IPAddress(unscoped: host), address.family == .ipv6 {
      let isMapped = address.high == 0 && address.low >> 32 == 0xffff
      return isMapped ? IPAddress(ipv4: UInt32(truncatingIfNeeded: address.low)) : address
    }
    let parts = host.unicodeScalars.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
    var bits: UInt64 = 0
    for (place, part) in parts.map(String.init).enumerated() {
      let radix = part.hasPrefix("0x") ? 16 : part.first == "0" ? 8 : 10
      let digits = radix == 16 ? "0\(part.dropFirst(2))" : part
      // The last part fills the bytes that are left: none, if it is the fifth one.
      let width = place == parts.count - 1 ? 32 - 8 * place : 8
      guard let value = UInt64(digits, radix: radix), value >> width == 0 else { return nil }
      bits = bits << width | value
    }
    return parts.count > 4 ? nil : IPAddress(ipv4: UInt32(truncatingIfNeeded: bits))
  }

  /// Whether the address is of a host, perhaps with a port, that is not this machine.
  private static func isOutside(_ address: String) -> Bool {
    let (place, host) = (place(in: address), host(in: address))
    let isBracketed = place.first == "["
    let port = isBracketed ? place.drop { $0 != "]" }.dropFirst() : place.drop { $0 != ":" }
    guard isBracketed == host.contains(":"), !host.isEmpty, port.isEmpty || port.first == ":", !port.contains("+"),
      port.count < 2 || UInt16(port.dropFirst()) ?? 0 > 0
    else { return false }
    if let number = number(of: host) { return !number.isLoopback && !number.isUnspecified }
    // Browsers decode a percent sign, too. The names are those in the usual /etc/hosts.
    return host.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-._".utf8.contains)
      && !host.hasSuffix(".localhost")
      && !["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"].contains(host)
  }
}
