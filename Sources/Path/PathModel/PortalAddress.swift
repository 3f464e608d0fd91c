/// The address for the sign-in that a DHCP server announces or a program at the socket names. Anybody can be either.
package enum PortalAddress {
  /// The longest address in bytes. One option has at most 255, and long ones are split (RFC 3396).
  private static let longest = 1_024

  /// The signs of a URI (RFC 3986), without which no terminal, shell or page is led astray.
  private static let signs = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%".utf8)

  /// The address in the bytes of an option; `nil` unless it is an `http` or `https` address of a host. The URN
  /// `urn:ietf:params:capport:unrestricted`, which says that there is no portal, is none.
  package static func text(of bytes: some Collection<UInt8>) -> String? {
    var bytes = Array(bytes.prefix(longest + 1))
    if bytes.last == 0 { bytes.removeLast() }
    guard bytes.count <= longest, bytes.allSatisfy(signs.contains) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    for scheme in ["https://", "http://"] where text.lowercased().hasPrefix(scheme) {
      let host = text.utf8.dropFirst(scheme.utf8.count).first
      return host.map { "/?#:@".utf8.contains($0) } ?? true ? nil : text
    }
    return nil
  }
}
