internal import Glibc
internal import PathModel
internal import SystemIO

/// Questions that are put to the kernel together, again and again: the requests in the kernel's form, and its latest
/// answers. Of a batch only the family is asked for of which something was heard: mostly that is half of the lookups.
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
  }

  /// In this order they are asked: all of IPv4 first, so that those of one family lie side by side.
  private var requests: [Request] = []
  private var bytes: [UInt8] = []
  private let ipv4Count: Int

  /// Where a request has its sequence number (`nlmsg_seq`).
  private static let sequenceOffset = 8

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
    let answer: RouteAnswer
    switch message.type {
    case MessageType.newRoute: answer = .route(try RouteFacts(message, in: datagram))
    case MessageType.error:
      let errorNumber = try message.errorNumber(in: datagram)
      if Self.isOwnFailure(errorNumber) { return errorNumber }
      answer = .refused(errorNumber: errorNumber)
    default: return nil
    }
    answers[requests[request].position] = answer
    return 0
  }

  /// Whether an errno speaks of us instead of the routing decision.
  private static func isOwnFailure(_ errorNumber: Int32) -> Bool {
    switch errorNumber {
    case ENOMEM, ENOBUFS, EPERM, EAGAIN, EINTR: true
    default: false
    }
  }
}
