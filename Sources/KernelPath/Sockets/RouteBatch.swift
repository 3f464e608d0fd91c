internal import Glibc
internal import PathModel
internal import SystemIO

/// Questions that are put to the kernel together, again and again, with what need not be worked out each time: the
/// requests in the kernel's form, and the replies that were understood before.
///
/// Networks go to and fro between few states. A reply that was seen before is only compared, not decoded, and its answer
/// is the very value that it was then.
struct RouteBatch {
  /// What is asked.
  let queries: [RouteQuery]
  /// What the kernel said last, in the same order; right but for the families that are ``outdated``.
  private(set) var answers: [RouteAnswer]
  /// The families whose answers may have changed since. A route, rule, address or setting of one family never changes
  /// the routing decisions of the other.
  private(set) var outdated: AddressFamilies

  /// A question in the kernel's form.
  private struct Request {
    /// Its place in ``queries``.
    var position: Int
    /// Where it begins in the bytes.
    var offset: Int
    /// The latest different replies to it, the oldest first.
    var known: [KnownReply] = []
  }

  /// In this order they are asked: all of IPv4 first, so that those of one family lie side by side.
  private var requests: [Request] = []
  private var bytes: [UInt8] = []
  private let ipv4Count: Int

  /// Where a request has its sequence number (`nlmsg_seq`).
  private static let sequenceOffset = 8
  /// How many different replies to a question are remembered.
  private static let replyLimit = 4

  /// Nothing is known of the answers yet.
  init(_ queries: [RouteQuery]) {
    self.queries = queries
    answers = .init(repeating: .refused(errorNumber: 0), count: queries.count)
    let ipv4 = queries.indices.filter { queries[$0].destination.family == .ipv4 }
    let ipv6 = queries.indices.filter { queries[$0].destination.family == .ipv6 }
    ipv4Count = ipv4.count
    outdated = .neither
    if !ipv4.isEmpty { outdated.insert(.ipv4) }
    if !ipv6.isEmpty { outdated.insert(.ipv6) }
    for position in ipv4 + ipv6 {
      requests.append(Request(position: position, offset: bytes.count))
      bytes += NetlinkRequest.route(queries[position])
    }
  }

  // MARK: Asking

  /// Takes note that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4), ipv4Count > 0 { outdated.insert(.ipv4) }
    if families.contains(.ipv6), ipv4Count < requests.count { outdated.insert(.ipv6) }
  }

  /// Takes note that all replies to ``outdatedRequests`` have been taken.
  mutating func confirm() { outdated = .neither }

  /// The requests whose answers may have changed, by their order.
  var outdatedRequests: Range<Int> {
    let first = outdated.contains(.ipv4) ? 0 : ipv4Count
    return first..<max(first, outdated.contains(.ipv6) ? requests.count : ipv4Count)
  }

  /// Hands over the bytes of requests, numbered from `sequence` on.
  mutating func withBytes<Failure: Error>(
    of range: Range<Int>, from sequence: UInt32, _ body: (borrowing [UInt8], Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = range.first else { return }
    for index in range {
      bytes.overwrite(
        at: requests[index].offset + Self.sequenceOffset, with: sequence &+ UInt32(index - first))
    }
    let end = range.upperBound < requests.count ? requests[range.upperBound].offset : bytes.count
    try body(bytes, requests[first].offset..<end)
  }

  // MARK: Replies

  /// Takes what the kernel replied to a request.
  ///
  /// - Returns: The errno when it speaks of us instead of the routing decision, and 0 otherwise; `nil` when the message is
  ///   no reply.
  mutating func take(
    _ message: NetlinkMessage, in datagram: Span<UInt8>, to request: Int
  ) throws(NetlinkDecodingError) -> Int32? {
    let position = requests[request].position
    switch message.type {
    case MessageType.newRoute:
      for known in requests[request].known.reversed() where known.equals(message, in: datagram) {
        answers[position] = known.answer
        return 0
      }
      let reply = try KnownReply(message, in: datagram)
      if requests[request].known.count == Self.replyLimit { requests[request].known.removeFirst() }
      requests[request].known.append(reply)
      answers[position] = reply.answer
      return 0
    case MessageType.error:
      let errorNumber = try message.errorNumber(in: datagram)
      if Self.isOwnFailure(errorNumber) { return errorNumber }
      if case .refused(errorNumber) = answers[position] { return 0 }
      answers[position] = .refused(errorNumber: errorNumber)
      return 0
    default: return nil
    }
  }

  /// Whether an errno speaks of us instead of the routing decision.
  private static func isOwnFailure(_ errorNumber: Int32) -> Bool {
    switch errorNumber {
    case ENOMEM, ENOBUFS, EPERM, EAGAIN, EINTR: true
    default: false
    }
  }
}

/// A reply of the kernel with what it says.
private struct KnownReply {
  /// What it says.
  let answer: RouteAnswer
  private let payload: [UInt8]
  /// Where the kernel counts uses of the route (`struct rta_cacheinfo`): of this part only the expiry matters.
  private let counters: Range<Int>

  private static let expiryOffset = 8
  private static let expiryLength = 4

  init(_ message: NetlinkMessage, in datagram: Span<UInt8>) throws(NetlinkDecodingError) {
    answer = .route(try RouteFacts(message, in: datagram))
    let start = message.payload.lowerBound
    var bytes: [UInt8] = []
    for index in message.payload { bytes.append(datagram[index]) }
    payload = bytes
    let found = try RouteFacts.cacheInformation(of: message, in: datagram)
    counters = found.map { $0.lowerBound - start..<$0.upperBound - start } ?? bytes.count..<bytes.count
  }

  /// Whether a message says the same.
  func equals(_ message: NetlinkMessage, in datagram: Span<UInt8>) -> Bool {
    guard message.payload.count == payload.count,
      agrees(0..<counters.lowerBound, message, datagram), agrees(counters.upperBound..<payload.count, message, datagram)
    else { return false }
    if counters.isEmpty { return true }
    let expiry = counters.lowerBound + Self.expiryOffset
    return agrees(expiry..<expiry + Self.expiryLength, message, datagram)
  }

  private func agrees(_ range: Range<Int>, _ message: NetlinkMessage, _ datagram: Span<UInt8>) -> Bool {
    Bytes.areEqual(payload.span.extracting(range), datagram.extracting(message.payload).extracting(range))
  }
}
