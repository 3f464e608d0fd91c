package import PathModel

/// The answer of nl80211 to the question for an interface: `struct genlmsghdr`, and of its attributes the name of the
/// network.
package struct WirelessMessage: Hashable, Sendable {
  /// The interface. Source: `NL80211_ATTR_IFINDEX`; 0 when the kernel did not send it.
  package var interfaceIndex: Int32 = 0
  /// The name of the network that the interface is connected to, up to 32 bytes of anything.
  /// Source: `NL80211_ATTR_SSID`; `nil` when it is not connected.
  package var networkName: NetworkName?

  /// Decodes a message of the family nl80211.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: `linux/genetlink.h`, `linux/nl80211.h`.
  package init(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    try message.require(WirelessRequest.headerLength, "genlmsghdr")
    let range = message.attributes(after: WirelessRequest.headerLength)
    try NetlinkAttribute.forEach(in: datagram, range, of: "nl80211") {
      (attribute) throws(NetlinkDecodingError) in
      switch attribute.type {
      case WirelessRequest.interfaceIndex:
        interfaceIndex = Int32(bitPattern: try attribute.uint32(in: datagram, "NL80211_ATTR_IFINDEX"))
      case WirelessRequest.networkName:
        networkName = NetworkName(attribute.value.map { datagram[$0] })
      default: break
      }
    }
  }
}

/// The numbers of nl80211 that we use. A test compares each with the header of the machine it runs on.
enum WirelessRequest {
  /// The length of `struct genlmsghdr`.
  static let headerLength = 4
  static let getInterface: UInt8 = 5  // NL80211_CMD_GET_INTERFACE
  static let interfaceIndex: UInt16 = 3  // NL80211_ATTR_IFINDEX
  static let networkName: UInt16 = 52  // NL80211_ATTR_SSID
}
