internal import Glibc
internal import PathModel
internal import SystemIO

/// Questions that are put to the kernel together, again and again, with what need not be worked out each time: the
/// requests in the kernel's form, and the replies that were understood before.
///
/// Networks go to and fro between few states. A reply that was seen before is only compared, not decoded, and answers
/// that were all given before are the very array that they were then, which its next reader knows without looking.
struct RouteBatch {
  /// What is asked.
  private(set) var queries: [RouteQuery]
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
  }

  /// In this order they are asked: all of IPv4 first, so that those of one family lie side by side.
  private var requests: [Request] = []
  private var bytes: [UInt8] = []
  private let ipv4Count: Int

  /// The number of the latest reply to each request; 0 before the first.
  private var latest: [ReplyMemory.Number]
  private var replies: ReplyMemory
  /// The latest different answers to all requests, with the numbers of the replies.
  private var known: [(numbers: [ReplyMemory.Number], answers: [RouteAnswer])] = []

  /// Where a request has its sequence number (`nlmsg_seq`).
  private static let sequenceOffset = 8
  /// How many different answers are remembered.
  private static let answerLimit = 8

  /// Nothing is known of the answers yet.
  init(_ queries: [RouteQuery]) {
    self.queries = queries
    answers = .init(repeating: .refused(errorNumber: 0), count: queries.count)
    latest = .init(repeating: 0, count: queries.count)
    replies = ReplyMemory(requests: queries.count)
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

  /// Whether the questions are these. Those that were asked with the same array last are known without looking.
  mutating func asks(_ questions: [RouteQuery]) -> Bool {
    if questions.span.isIdentical(to: queries.span) { return true }
    guard questions == queries else { return false }
    queries = questions
    return true
  }

  /// Takes note that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4), ipv4Count > 0 { outdated.insert(.ipv4) }
    if families.contains(.ipv6), ipv4Count < requests.count { outdated.insert(.ipv6) }
  }

  /// Takes note that all replies to ``outdatedRequests`` have been taken.
  mutating func confirm() {
    outdated = .neither
    for index in known.indices where known[index].numbers == latest {
      answers = known[index].answers
      return
    }
    for index in requests.indices {
      if let answer = replies.answer(latest[index]) { answers[requests[index].position] = answer }
    }
    if known.count == Self.answerLimit { known.removeFirst() }
    known.append((latest, answers))
  }

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
    switch message.type {
    case MessageType.newRoute:
      if let known = replies.number(of: message, in: datagram, to: request) {
        latest[request] = known
      } else {
        latest[request] = try replies.remember(message, in: datagram, to: request, keeping: latest)
      }
      return 0
    case MessageType.error:
      let errorNumber = try message.errorNumber(in: datagram)
      if Self.isOwnFailure(errorNumber) { return errorNumber }
      latest[request] = ReplyMemory.refusal(errorNumber)
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
