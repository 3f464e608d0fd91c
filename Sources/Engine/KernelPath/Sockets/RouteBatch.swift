internal import PathDecisions
internal import PathModel
internal import SystemIO

/// Questions that are sent to the kernel together, again and again: the requests in the kernel's form, and its latest
/// replies. Only a family with news is asked for again, which mostly halves the lookups.
final class RouteBatch {
  /// The questions. They are only ever replaced by equal ones.
  var queries: [RouteQuery]
  /// The latest replies of the kernel. They are valid except for the ``outdated`` families.
  private(set) var replies = RouteReplies()
  /// The families whose replies may have changed since. A route, rule, address or setting of one family never changes
  /// the routing decisions of the other.
  private(set) var outdated: AddressFamilies
  /// The counts of changes that the batch has taken into account; see ``AnswerCache``.
  var seen = AnswerCache.Changes()

  /// A question in the kernel's form.
  struct Request {
    /// Its place in ``queries``.
    var position: Int
    /// The offset of its first byte.
    fileprivate var offset: Int
  }

  /// The requests in the order of asking: all of IPv4 first, so that the requests of one family are adjacent.
  let requests: [Request]
  private var bytes: [UInt8]
  private let ipv4Count: Int

  /// The offset of the sequence number in a request (`nlmsg_seq`).
  private static let sequenceOffset = 8

  /// Creates a batch without replies.
  init(_ queries: [RouteQuery]) {
    self.queries = queries
    let ipv4 = queries.indices.filter { queries[$0].destination.family == .ipv4 }
    let ipv6 = queries.indices.filter { queries[$0].destination.family == .ipv6 }
    ipv4Count = ipv4.count
    outdated = .neither
    if !ipv4.isEmpty { outdated.formUnion(.ipv4) }
    if !ipv6.isEmpty { outdated.formUnion(.ipv6) }
    var bytes: [UInt8] = []
    requests = (ipv4 + ipv6).map { position in
      defer { bytes += NetlinkRequest.route(queries[position]) }
      return Request(position: position, offset: bytes.count)
    }
    self.bytes = bytes
  }

  // MARK: Asking

  /// Records that the answers of families may have changed.
  func outdate(_ families: AddressFamilies) {
    if families.contains(.ipv4), ipv4Count > 0 { outdated.formUnion(.ipv4) }
    if families.contains(.ipv6), ipv4Count < requests.count { outdated.formUnion(.ipv6) }
  }

  /// The requests whose answers may have changed, by their order.
  var outdatedRequests: Range<Int> {
    let first = outdated.contains(.ipv4) ? 0 : ipv4Count
    return first..<max(first, outdated.contains(.ipv6) ? requests.count : ipv4Count)
  }

  /// Passes the bytes of requests to `body`, numbered from `sequence` on.
  func withBytes<Failure: Error>(
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

  /// The family of the question that a request asks.
  func family(ofRequest index: Int) -> IPAddress.Family { index < ipv4Count ? .ipv4 : .ipv6 }

  /// Replaces the replies, all of which are valid now.
  func renew(_ replies: RouteReplies) {
    self.replies = replies
    outdated = .neither
  }
}
