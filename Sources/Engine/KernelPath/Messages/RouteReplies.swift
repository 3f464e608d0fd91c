internal import Glibc
package import PathDecisions
internal import PathModel
internal import SystemIO

/// The kernel's replies to route lookups, as bytes. Replies to the same questions are equal if the kernel has answered
/// the same, so whoever knows what follows from them need not decode them.
package struct RouteReplies: Sendable {
  /// The messages about IPv4 destinations, in the order of the questions, each aligned to four bytes.
  private var ipv4: [UInt8] = []
  /// The messages about IPv6 destinations, likewise.
  private var ipv6: [UInt8] = []

  /// The offset of the sequence number in a message (`nlmsg_seq`).
  private static let sequenceOffset = 8
  /// The offset of the expiry in `struct rta_cacheinfo`.
  private static let expiryOffset = 8
  /// The length of `struct rtmsg`.
  private static let fixedLength = 12
  /// The length of the error number in an `NLMSG_ERROR`. The request follows it.
  private static let errorLength = 4

  // MARK: Collecting

  /// Removes the replies about destinations of the families, and reserves memory for new ones.
  mutating func remove(_ families: AddressFamilies) {
    if families.contains(.ipv4) { ipv4 = Self.emptyBuffer }
    if families.contains(.ipv6) { ipv6 = Self.emptyBuffer }
  }

  /// A buffer for the replies to the usual questions. Longer ones make it grow.
  private static var emptyBuffer: [UInt8] {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(480)
    return buffer
  }

  /// Appends the reply to the next question about a family. Fields that differ from reply to reply without a change of
  /// the route become zero: the sequence number, and the times and counts of use.
  mutating func append(
    _ message: NetlinkMessage, in datagram: Span<UInt8>, about family: IPAddress.Family
  ) throws(NetlinkDecodingError) {
    switch family {
    case .ipv4: try Self.append(message, in: datagram, to: &ipv4)
    case .ipv6: try Self.append(message, in: datagram, to: &ipv6)
    }
  }

  /// Appends the replies to further questions.
  mutating func append(_ others: RouteReplies) {
    ipv4 += others.ipv4
    ipv6 += others.ipv6
  }

  private static func append(
    _ message: NetlinkMessage, in datagram: Span<UInt8>, to bytes: inout [UInt8]
  ) throws(NetlinkDecodingError) {
    let isError = message.type == MessageType.error
    if isError { try message.require(errorLength, "nlmsgerr") }
    let start = bytes.count
    let first = message.payload.lowerBound - NetlinkMessage.headerLength
    let end = isError ? message.payload.lowerBound + errorLength : message.payload.upperBound
    Bytes.append(datagram.extracting(first..<end), to: &bytes)
    bytes.overwrite(at: start, with: UInt32(end - first))
    bytes.overwrite(at: start + sequenceOffset, with: 0)
    if !isError { try clearUse(in: datagram, of: message, movedBy: start - first, in: &bytes) }
    while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
  }

  /// Clears `RTA_CACHEINFO` but for its expiry.
  private static func clearUse(
    in datagram: Span<UInt8>, of message: NetlinkMessage, movedBy distance: Int, in bytes: inout [UInt8]
  ) throws(NetlinkDecodingError) {
    try message.require(fixedLength, "rtmsg")
    try NetlinkAttribute.forEach(in: datagram, message.attributes(after: fixedLength), of: "rtmsg") {
      (attribute) throws(NetlinkDecodingError) in
      guard attribute.type == RouteAttribute.cacheInformation else { return }
      let value = attribute.value
      for offset in stride(from: value.lowerBound, through: value.upperBound - 4, by: 4)
      where offset != value.lowerBound + expiryOffset {
        bytes.overwrite(at: offset + distance, with: 0)
      }
    }
  }

  // MARK: Decoding

  /// Decodes the answers to the questions, in their order.
  package func answers(to queries: [RouteQuery]) throws(NetlinkDecodingError) -> [RouteAnswer] {
    var answers: [RouteAnswer] = []
    answers.reserveCapacity(queries.count)
    var (ipv4Offset, ipv6Offset) = (0, 0)
    for query in queries {
      switch query.destination.family {
      case .ipv4: answers.append(try Self.nextAnswer(in: ipv4, &ipv4Offset))
      case .ipv6: answers.append(try Self.nextAnswer(in: ipv6, &ipv6Offset))
      }
    }
    return answers
  }

  private static func nextAnswer(
    in bytes: borrowing [UInt8], _ offset: inout Int
  ) throws(NetlinkDecodingError) -> RouteAnswer {
    let span = bytes.span
    guard let message = try NetlinkMessage.next(in: span, &offset) else {
      throw NetlinkDecodingError(
        structure: "nlmsghdr", needed: NetlinkMessage.headerLength, available: 0, offset: offset)
    }
    if message.type == MessageType.error { return .refused(errorNumber: try message.errorNumber(in: span)) }
    return .route(try RouteFacts(message, in: span))
  }
}

extension RouteReplies: Equatable {
  /// Whether the kernel has answered the same, if the questions were the same.
  package static func == (left: RouteReplies, right: RouteReplies) -> Bool {
    Bytes.areEqual(left.ipv4.span, right.ipv4.span) && Bytes.areEqual(left.ipv6.span, right.ipv6.span)
  }
}

extension NetlinkMessage {
  /// Whether it replies to a route lookup.
  var isRouteReply: Bool { type == MessageType.newRoute || type == MessageType.error }

  /// The errno with which the lookup itself has failed; `nil` if the message is an answer.
  func lookupFailure(in datagram: Span<UInt8>) throws(NetlinkDecodingError) -> Int32? {
    guard type == MessageType.error else { return nil }
    let errorNumber = try errorNumber(in: datagram)
    switch errorNumber {
    case ENOMEM, ENOBUFS, EPERM, EAGAIN, EINTR: return errorNumber
    default: return nil
    }
  }
}
