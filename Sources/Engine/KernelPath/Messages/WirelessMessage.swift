internal import CNetlink
package import PathDecisions

/// An answer of nl80211: `struct genlmsghdr`, and the attributes with the mode and the network of an interface.
package struct WirelessMessage: Hashable, Sendable {
  /// The interface. Source: `NL80211_ATTR_IFINDEX`; 0 when the kernel did not send it.
  package var interfaceIndex: Int32 = 0
  /// Whether the interface is an access point, so that others connect to this machine over it. Source:
  /// `NL80211_ATTR_IFTYPE`.
  package var isAccessPoint = false
  /// The name of the network that the interface is connected to, up to 32 bytes of anything.
  ///
  /// Source: `NL80211_ATTR_SSID`, or the name element in the beacon or probe response of the network that
  /// `NL80211_BSS_STATUS` marks as ours. `nil` when the interface is not connected, and in messages about other
  /// networks.
  package var networkName: NetworkName?

  /// Decodes a message of the family nl80211.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: `linux/genetlink.h`, `linux/nl80211.h`.
  package init(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    _ = try message.structure("genlmsghdr", NetlinkMessage.genericHeaderLength)
    var attributes = message.attributes(of: "nl80211", after: NetlinkMessage.genericHeaderLength)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case NL80211_ATTR_IFINDEX: interfaceIndex = try attribute.int32("NL80211_ATTR_IFINDEX")
      case NL80211_ATTR_IFTYPE:
        let mode = nl80211_iftype(try attribute.uint32("NL80211_ATTR_IFTYPE"))
        isAccessPoint = [NL80211_IFTYPE_AP, NL80211_IFTYPE_AP_VLAN, NL80211_IFTYPE_P2P_GO].contains(mode)
      case NL80211_ATTR_SSID: networkName = NetworkName(attribute.value.array)
      case NL80211_ATTR_BSS: if let name = try Self.nameOfOwnStation(attribute) { networkName = name }
      default: break
      }
    }
  }

  /// The name in a nested `NL80211_ATTR_BSS`; `nil` unless it is the network that we are connected to.
  private static func nameOfOwnStation(_ station: NetlinkAttribute) throws(NetlinkDecodingError) -> NetworkName? {
    var isOurs = false
    var name: NetworkName?
    var attributes = station.attributes(of: "nl80211_bss")
    while let attribute = try attributes.next() {
      switch attribute.type {
      case NL80211_BSS_STATUS:
        let status = nl80211_bss_status(try attribute.uint32("NL80211_BSS_STATUS"))
        isOurs = status == NL80211_BSS_STATUS_ASSOCIATED || status == NL80211_BSS_STATUS_IBSS_JOINED
      case NL80211_BSS_INFORMATION_ELEMENTS: name = Self.name(in: attribute.value)
      default: break
      }
    }
    return isOurs ? name : nil
  }

  /// The name among the elements of a beacon (IEEE 802.11, 9.4.2). Each element has a number, a length and its bytes.
  private static func name(in elements: NetlinkBytes) -> NetworkName? {
    var offset = 0
    while elements.count - offset >= 2 {
      let end = offset + 2 + Int(elements[offset + 1])
      guard end <= elements.count else { return nil }
      // The element 0 is the name.
      if elements[offset] == 0 { return NetworkName(elements.extracting(offset + 2..<end).array) }
      offset = end
    }
    return nil
  }
}
