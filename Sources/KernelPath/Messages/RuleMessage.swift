/// An `RTM_NEWRULE` or `RTM_DELRULE` message: `struct fib_rule_hdr`, and the attribute that distinguishes users.
package struct RuleMessage: Hashable, Sendable {
  /// `AF_INET` or `AF_INET6`; the rules of multicast routing have families of their own.
  package var family: UInt8
  /// Whether the rule matches on the source address. Source: `src_len`, which is 0 for `from all`.
  package var namesSource: Bool
  /// The users whose packets the rule matches; `nil` when it matches those of all users.
  ///
  /// Source: `FRA_UID_RANGE`. Also `nil` for a range that ends before it starts, which contains no user.
  package var userRange: ClosedRange<UInt32>?

  /// Decodes the payload of a message.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/fib_rules.h`.
  package init(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    let fixedLength = 12
    try message.require(fixedLength, "fib_rule_hdr")
    family = datagram[message.payload.lowerBound]
    namesSource = datagram[message.payload.lowerBound + 2] > 0
    var range: ClosedRange<UInt32>?
    try NetlinkAttribute.forEach(in: datagram, message.attributes(after: fixedLength), of: "fib_rule_hdr") {
      (attribute) throws(NetlinkDecodingError) in
      guard attribute.type == RuleAttribute.userRange else { return }
      try attribute.require(8, "fib_rule_uid_range")
      let start = datagram.uint32(at: attribute.value.lowerBound)
      let end = datagram.uint32(at: attribute.value.lowerBound + 4)
      range = start <= end ? start...end : nil
    }
    userRange = range
  }

  /// The ranges by which rules distinguish users, in order and without duplicates.
  ///
  /// A range of all users distinguishes nobody and is left out. The highest number is no user's (`(uid_t)-1`), so the
  /// kernel accepts no range with it. A range from 0 up to the number before it therefore covers all users, too.
  package static func distinctRanges(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    Set(ranges.filter { $0.lowerBound > 0 || $0.upperBound < .max - 1 })
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }
}
