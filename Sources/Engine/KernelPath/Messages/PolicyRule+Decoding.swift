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
  package init?(rule message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    let fixedLength = 12
    try message.require(fixedLength, "fib_rule_hdr")
    let start = message.payload.lowerBound
    guard let family = IPAddress.Family(rawValue: datagram[start]) else { return nil }
    self.init(family: family, priority: 0, action: .none)
    let (destinationLength, sourceLength) = (Int(datagram[start + 1]), Int(datagram[start + 2]))
    looksAtPacket = datagram[start + 3] != 0
    isInverted = datagram.uint32(at: start + 8) & RuleFlag.inverted != 0
    var table = UInt32(datagram[start + 4])
    var target: UInt32 = 0
    var markValue: UInt32?
    var markMask = UInt32.max
    try NetlinkAttribute.forEach(in: datagram, message.attributes(after: fixedLength), of: "fib_rule_hdr") {
      (attribute) throws(NetlinkDecodingError) in
      switch attribute.type {
      case RuleAttribute.destination:
        destination = Prefix(try attribute.address(in: datagram, "FRA_DST"), length: destinationLength)
      case RuleAttribute.source: source = Prefix(try attribute.address(in: datagram, "FRA_SRC"), length: sourceLength)
      case RuleAttribute.inputInterface: inputInterface = datagram.text(at: attribute.value)
      case RuleAttribute.outputInterface: outputInterface = datagram.text(at: attribute.value)
      case RuleAttribute.goTo: target = try attribute.uint32(in: datagram, "FRA_GOTO")
      case RuleAttribute.priority: priority = try attribute.uint32(in: datagram, "FRA_PRIORITY")
      case RuleAttribute.table: table = try attribute.uint32(in: datagram, "FRA_TABLE")
      case RuleAttribute.mark: markValue = try attribute.uint32(in: datagram, "FRA_FWMARK")
      case RuleAttribute.markMask: markMask = try attribute.uint32(in: datagram, "FRA_FWMASK")
      case RuleAttribute.suppressedPrefixLength:
        let length = Int32(bitPattern: try attribute.uint32(in: datagram, "FRA_SUPPRESS_PREFIXLEN"))
        suppressedPrefixLength = length < 0 ? nil : Int(length)
      case RuleAttribute.routingDomains:
        isForRoutingDomains = try attribute.uint8(in: datagram, "FRA_L3MDEV") != 0
      case RuleAttribute.protocolNumber: protocolNumber = try attribute.uint8(in: datagram, "FRA_IP_PROTO")
      case RuleAttribute.sourcePorts, RuleAttribute.destinationPorts: looksAtPacket = true
      case RuleAttribute.userRange:
        try attribute.require(8, "fib_rule_uid_range")
        let first = datagram.uint32(at: attribute.value.lowerBound)
        let last = datagram.uint32(at: attribute.value.lowerBound + 4)
        users = first <= last ? first...last : nil
      default: break
      }
    }
    if let markValue { mark = (markValue, markMask) }
    action =
      switch datagram[start + 7] {
      case RuleAction.lookup: .lookup(table: table)
      case RuleAction.goTo: .goTo(priority: target)
      case RuleAction.blackhole: .blackhole
      case RuleAction.unreachable: .unreachable
      case RuleAction.prohibit: .prohibit
      default: .none
      }
  }
}
