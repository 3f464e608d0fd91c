/// What matters here of a DHCP lease that a client has written down.
package struct LeaseFacts: Hashable, Sendable {
  /// The address that was leased.
  package var address: IPAddress
  /// Whether option 43 of the server says that the network is metered.
  package var isMetered: Bool

  /// A lease.
  package init(address: IPAddress, isMetered: Bool) {
    self.address = address
    self.isMetered = isMetered
  }

  /// What Android puts into option 43, in ASCII.
  private static let meteredHint = Array("ANDROID_METERED".utf8)

  /// Whether the bytes of option 43 say that the network is metered: as elsewhere, anywhere in them.
  static func isMetered(vendorInformation bytes: some Collection<UInt8>) -> Bool {
    var rest = bytes[...]
    while rest.count >= meteredHint.count {
      if rest.starts(with: meteredHint) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
