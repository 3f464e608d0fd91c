internal import CNetlink
package import PathDecisions

extension VLANFilter {
  /// Adds the VLANs in an `RTM_NEWLINK` message of a bridge, about its port or itself: `struct ifinfomsg`, and
  /// attributes `IFLA_BRIDGE_VLAN_INFO` in `IFLA_AF_SPEC`.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: `linux/if_bridge.h`.
  package static func add(
    _ message: NetlinkMessage, to filters: inout [Int32: VLANFilter]
  ) throws(NetlinkDecodingError) {
    let header = try message.structure("ifinfomsg", 16)
    guard header[0] == AF_BRIDGE else { return }
    var filter = VLANFilter()
    var attributes = message.attributes(of: "ifinfomsg", after: 16)
    while let attribute = try attributes.next() {
      guard attribute.type == IFLA_AF_SPEC else { continue }
      var rangeBegin: UInt16?
      var parts = attribute.attributes(of: "IFLA_AF_SPEC")
      while let part = try parts.next() {
        guard part.type == IFLA_BRIDGE_VLAN_INFO else { continue }
        try part.value.require(4, "IFLA_BRIDGE_VLAN_INFO")
        let (flags, vlan) = (Int32(part.value.uint16(at: 0)), part.value.uint16(at: 2))
        if flags & BRIDGE_VLAN_INFO_PVID != 0 { filter.own = vlan }
        if flags & BRIDGE_VLAN_INFO_RANGE_BEGIN != 0 {
          rangeBegin = vlan
        } else {
          filter.ranges.append(min(rangeBegin ?? vlan, vlan)...vlan)
          rangeBegin = nil
        }
      }
    }
    filters[header.int32(at: 4)] = filter
  }
}
