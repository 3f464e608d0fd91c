package import PathModel

/// The facts that matter here of a DHCP lease that a client has recorded.
package struct LeaseFacts: Hashable, Sendable {
  /// The address that was leased.
  package var address: IPAddress
  /// Whether option 43 of the server says that the network is metered.
  package var isMetered: Bool
  /// The address for the sign-in that the server has announced; `nil` where there is none, or the client has not asked
  /// for it. It has signs of URIs alone.
  package var portal: String?

  /// A lease.
  package init(address: IPAddress, isMetered: Bool, portal: String? = nil) {
    (self.address, self.isMetered, self.portal) = (address, isMetered, portal)
  }

  /// The lease in a server's message; `nil` if it leases no address.
  ///
  /// - Parameters:
  ///   - number: The address, `yiaddr`.
  ///   - options: The bytes of each option. The pieces of one that is split into several are joined (RFC 3396).
  init?(ipv4 number: UInt32, options: [UInt8: [UInt8]]) {
    if number == 0 { return nil }
    self.init(
      address: IPAddress(ipv4: number), isMetered: Self.isMetered(vendorInformation: options[43] ?? []),
      portal: PortalAddress.options.lazy.compactMap { options[$0].flatMap { PortalAddress.text(of: $0) } }.first)
  }

  /// The text that Android puts into option 43, in ASCII.
  private static let meteredHint = Array("ANDROID_METERED".utf8)

  /// Whether option 43 marks the network as metered. Other programs, too, accept the text anywhere in the bytes.
  static func isMetered(vendorInformation bytes: some Collection<UInt8>) -> Bool {
    var rest = bytes[...]
    while rest.count >= meteredHint.count {
      if rest.starts(with: meteredHint) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
