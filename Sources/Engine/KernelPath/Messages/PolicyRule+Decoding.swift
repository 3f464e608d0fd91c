internal import CNetlink
package import PathDecisions
internal import PathModel

extension PolicyRule {
  /// Decodes the payload of an `RTM_NEWRULE` message: `struct fib_rule_hdr` and its attributes.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding. `nil` for the rules of multicast
  /// routing, which have families of their own.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/fib_rules.h`.
  package init?(rule message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("fib_rule_hdr", 12)
    guard let family = IPAddress.Family(rawValue: header[0]) else { return nil }
    self.init(family: family, priority: 0, action: .none)
    let (destinationLength, sourceLength) = (Int(header[1]), Int(header[2]))
    looksAtPacket = header[3] != 0
    isInverted = header.uint32(at: 8) & UInt32(FIB_RULE_INVERT) != 0
    var table = UInt32(header[4])
    var target: UInt32 = 0
    var markValue: UInt32?
    var markMask = UInt32.max
    var attributes = message.attributes(of: "fib_rule_hdr", after: 12)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case FRA_DST:
        destination = Prefix(try attribute.address("FRA_DST"), length: destinationLength)
      case FRA_SRC: source = Prefix(try attribute.address("FRA_SRC"), length: sourceLength)
      case FRA_IIFNAME: inputInterface = attribute.value.text
      case FRA_OIFNAME: outputInterface = attribute.value.text
      case FRA_GOTO: target = try attribute.uint32("FRA_GOTO")
      case FRA_PRIORITY: priority = try attribute.uint32("FRA_PRIORITY")
      case FRA_TABLE: table = try attribute.uint32("FRA_TABLE")
      case FRA_FWMARK: markValue = try attribute.uint32("FRA_FWMARK")
      case FRA_FWMASK: markMask = try attribute.uint32("FRA_FWMASK")
      case FRA_SUPPRESS_PREFIXLEN:
        let length = try attribute.int32("FRA_SUPPRESS_PREFIXLEN")
        suppressedPrefixLength = length < 0 ? nil : Int(length)
      case FRA_L3MDEV: isForRoutingDomains = try attribute.uint8("FRA_L3MDEV") != 0
      case FRA_IP_PROTO: protocolNumber = try attribute.uint8("FRA_IP_PROTO")
      case FRA_SPORT_RANGE, FRA_DPORT_RANGE: looksAtPacket = true
      case FRA_UID_RANGE:
        try attribute.value.require(8, "fib_rule_uid_range")
        let (first, last) = (attribute.value.uint32(at: 0), attribute.value.uint32(at: 4))
        users = first <= last ? first...last : nil
      default: break
      }
    }
    if let markValue { mark = (markValue, markMask) }
    action =
      switch Int(header[7]) {
      case FR_ACT_TO_TBL: .lookup(table: table)
      case FR_ACT_GOTO: .goTo(priority: target)
      case FR_ACT_BLACKHOLE: .blackhole
      case FR_ACT_UNREACHABLE: .unreachable
      case FR_ACT_PROHIBIT: .prohibit
      default: .none
      }
  }
}
