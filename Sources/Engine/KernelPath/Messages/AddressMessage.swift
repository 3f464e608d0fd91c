internal import CNetlink
package import PathDecisions
internal import PathModel

extension AddressFacts {
  /// Decodes the payload of an `RTM_NEWADDR` or `RTM_DELADDR` message: `struct ifaddrmsg` and its attributes.
  ///
  /// `nil` for a family other than IPv4 and IPv6, or a message without an address.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/if_addr.h`.
  package init?(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("ifaddrmsg", 8)
    guard let family = IPAddress.Family(rawValue: header[0]) else { return nil }
    var flags = UInt32(header[2])
    var local: IPAddress?
    var prefixAddress: IPAddress?
    var createdAt: UInt32 = 0
    var attributes = message.attributes(of: "ifaddrmsg", after: 8)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case IFA_LOCAL: local = try attribute.address("IFA_LOCAL")
      case IFA_ADDRESS: prefixAddress = try attribute.address("IFA_ADDRESS")
      case IFA_FLAGS: flags = try attribute.uint32("IFA_FLAGS")
      case IFA_CACHEINFO:
        try attribute.value.require(12, "ifa_cacheinfo")
        createdAt = attribute.value.uint32(at: 8)
      default: break
      }
    }
    // With a peer, IFA_LOCAL is ours and IFA_ADDRESS the peer's; IPv6 leaves IFA_LOCAL out without one.
    guard let address = local ?? prefixAddress, address.family == family, (prefixAddress ?? address).family == family,
      header[1] <= family.bitWidth
    else { return nil }
    self.init(
      interfaceIndex: header.int32(at: 4), address: address,
      peer: prefixAddress == address ? nil : prefixAddress, prefixLength: header[1], scope: header[3],
      flags: AddressFlags(rawValue: flags), createdAt: createdAt)
  }
}
