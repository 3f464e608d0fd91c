internal import Glibc
internal import PathModel
internal import SystemIO

/// Questions that are sent to the kernel together, again and again: the requests in the kernel's form, and its latest
/// answers. Only a family with news is asked for again, which mostly halves the lookups.
struct RouteBatch {
  /// The questions.
  let queries: [RouteQuery]
  /// The latest answers of the kernel, in the same order. They are valid except for the ``outdated`` families.
  private(set) var answers: [RouteAnswer]
  /// The families whose answers may have changed since. A route, rule, address or setting of one family never changes
  /// the routing decisions of the other.
  private(set) var outdated: AddressFamilies

  /// A question in the kernel's form.
  private struct Request {
    /// Its place in ``queries``.
    var position: Int
    /// The offset of its first byte.
    var offset: Int
  }

  /// The requests in the order of asking: all of IPv4 first, so that the requests of one family are adjacent.
  private var requests: [Request] = []
  private var bytes: [UInt8] = []
  private let ipv4Count: Int

  /// The offset of the sequence number in a request (`nlmsg_seq`).
  private static let sequenceOffset = 8

  /// Creates a batch with no valid answers.
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

  /// Records that the answers of families may have changed.
  mutating func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4), ipv4Count > 0 { outdated.insert(.ipv4) }
    if families.contains(.ipv6), ipv4Count < requests.count { outdated.insert(.ipv6) }
  }

  /// Records that all replies to ``outdatedRequests`` have been stored.
  mutating func confirm() { outdated = .neither }

  /// The requests whose answers may have changed, by their order.
  var outdatedRequests: Range<Int> {
    let first = outdated.contains(.ipv4) ? 0 : ipv4Count
    return first..<max(first, outdated.contains(.ipv6) ? requests.count : ipv4Count)
  }

  /// Passes the bytes of requests to `body`, numbered from `sequence` on.
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

  /// Stores the kernel's reply to a request.
  ///
  /// - Returns: The errno when the lookup itself has failed, and 0 when the reply is a routing decision; `nil` when the
  ///   message is no reply.
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

  /// Whether an errno reports that the lookup itself has failed, instead of a routing decision.
  private static func isOwnFailure(_ errorNumber: Int32) -> Bool {
    switch errorNumber {
    case ENOMEM, ENOBUFS, EPERM, EAGAIN, EINTR: true
    default: false
    }
  }
}
