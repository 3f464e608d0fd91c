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
    isInverted = header.uint32(at: 8) & RuleFlag.inverted != 0
    var table = UInt32(header[4])
    var target: UInt32 = 0
    var markValue: UInt32?
    var markMask = UInt32.max
    var attributes = message.attributes(of: "fib_rule_hdr", after: 12)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case RuleAttribute.destination:
        destination = Prefix(try attribute.address("FRA_DST"), length: destinationLength)
      case RuleAttribute.source: source = Prefix(try attribute.address("FRA_SRC"), length: sourceLength)
      case RuleAttribute.inputInterface: inputInterface = attribute.value.text
      case RuleAttribute.outputInterface: outputInterface = attribute.value.text
      case RuleAttribute.goTo: target = try attribute.uint32("FRA_GOTO")
      case RuleAttribute.priority: priority = try attribute.uint32("FRA_PRIORITY")
      case RuleAttribute.table: table = try attribute.uint32("FRA_TABLE")
      case RuleAttribute.mark: markValue = try attribute.uint32("FRA_FWMARK")
      case RuleAttribute.markMask: markMask = try attribute.uint32("FRA_FWMASK")
      case RuleAttribute.suppressedPrefixLength:
        let length = try attribute.int32("FRA_SUPPRESS_PREFIXLEN")
        suppressedPrefixLength = length < 0 ? nil : Int(length)
      case RuleAttribute.routingDomains: isForRoutingDomains = try attribute.uint8("FRA_L3MDEV") != 0
      case RuleAttribute.protocolNumber: protocolNumber = try attribute.uint8("FRA_IP_PROTO")
      case RuleAttribute.sourcePorts, RuleAttribute.destinationPorts: looksAtPacket = true
      case RuleAttribute.userRange:
        try attribute.value.require(8, "fib_rule_uid_range")
        let (first, last) = (attribute.value.uint32(at: 0), attribute.value.uint32(at: 4))
        users = first <= last ? first...last : nil
      default: break
      }
    }
    if let markValue { mark = (markValue, markMask) }
    action =
      switch header[7] {
      case RuleAction.lookup: .lookup(table: table)
      case RuleAction.goTo: .goTo(priority: target)
      case RuleAction.blackhole: .blackhole
      case RuleAction.unreachable: .unreachable
      case RuleAction.prohibit: .prohibit
      default: .none
      }
  }
}
