package import PathDecisions
internal import PathModel

extension AddressFacts {
  /// Decodes the payload of an `RTM_NEWADDR` or `RTM_DELADDR` message: `struct ifaddrmsg` and its attributes.
  ///
  /// `nil` for a family other than IPv4 and IPv6, or a message without an address.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/if_addr.h`.
  package init?(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    let fixedLength = 8
    try message.require(fixedLength, "ifaddrmsg")
    let start = message.payload.lowerBound
    guard let family = IPAddress.Family(rawValue: datagram[start]) else { return nil }
    var flags = UInt32(datagram[start + 2])
    var local: IPAddress?
    var prefixAddress: IPAddress?
    try NetlinkAttribute.forEach(in: datagram, message.attributes(after: fixedLength), of: "ifaddrmsg") {
      (attribute) throws(NetlinkDecodingError) in
      switch attribute.type {
      case InterfaceAddressAttribute.local: local = try attribute.address(in: datagram, "IFA_LOCAL")
      case InterfaceAddressAttribute.address: prefixAddress = try attribute.address(in: datagram, "IFA_ADDRESS")
      case InterfaceAddressAttribute.flags: flags = try attribute.uint32(in: datagram, "IFA_FLAGS")
      default: break
      }
    }
    // With a peer, IFA_LOCAL is ours and IFA_ADDRESS the peer's; IPv6 leaves IFA_LOCAL out without one.
    guard let address = local ?? prefixAddress, address.family == family, (prefixAddress ?? address).family == family,
      datagram[start + 1] <= family.bitWidth
    else { return nil }
    self.init(
      interfaceIndex: Int32(bitPattern: datagram.uint32(at: start + 4)), address: address,
      peer: prefixAddress == address ? nil : prefixAddress, prefixLength: datagram[start + 1],
      scope: datagram[start + 3], flags: AddressFlags(rawValue: flags))
  }
}
