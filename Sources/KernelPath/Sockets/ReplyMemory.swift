internal import PathModel
internal import SystemIO

/// Replies to route lookups that were understood before, with what they say. Their bytes lie side by side, so that
/// finding one touches little memory.
struct ReplyMemory {
  /// Stands for what a reply says: replies with equal numbers say the same.
  typealias Number = UInt64

  private struct Reply {
    var number: Number
    /// The request that it answered.
    var request: Int32
    /// Where its payload begins in the bytes, and how long it is.
    var start: Int32
    var length: Int32
    /// Where in the payload the kernel counts uses of the route (`struct rta_cacheinfo`): of this part only the expiry
    /// matters. At the end and empty when there is no such part.
    var countersStart: Int32
    var countersLength: Int32
  }

  private var replies: [Reply] = []
  private var answers: [RouteAnswer] = []
  private var bytes: [UInt8] = []
  private let limit: Int
  private var nextNumber: Number = 1

  private static let refusals: Number = 1 << 63
  private static let expiryOffset = 8
  private static let expiryLength = 4

  /// Remembers a few different replies to each of so many requests.
  init(requests: Int) {
    limit = 4 * requests
  }

  /// The number of a refusal with the errno.
  static func refusal(_ errorNumber: Int32) -> Number { refusals | Number(UInt32(bitPattern: errorNumber)) }

  /// What a reply with the number says; `nil` when it has been forgotten.
  func answer(_ number: Number) -> RouteAnswer? {
    if number & Self.refusals != 0 { return .refused(errorNumber: Int32(truncatingIfNeeded: number)) }
    return replies.firstIndex { $0.number == number }.map { answers[$0] }
  }

  /// The number of a reply that says the same; `nil` when there is none.
  func number(of message: NetlinkMessage, in datagram: Span<UInt8>, to request: Int) -> Number? {
    let payload = datagram.extracting(message.payload)
    for reply in replies where Int(reply.request) == request && Int(reply.length) == payload.count {
      if equals(reply, payload) { return reply.number }
    }
    return nil
  }

  /// Decodes and remembers a reply. When there are too many, only those in `kept` are not forgotten.
  ///
  /// - Returns: Its number.
  mutating func remember(
    _ message: NetlinkMessage, in datagram: Span<UInt8>, to request: Int, keeping kept: [Number]
  ) throws(NetlinkDecodingError) -> Number {
    let facts = try RouteFacts(message, in: datagram)
    let counters = try RouteFacts.cacheInformation(of: message, in: datagram)
    if replies.count >= limit { forget(except: kept) }
    let payload = message.payload
    replies.append(
      Reply(
        number: nextNumber, request: Int32(request), start: Int32(bytes.count), length: Int32(payload.count),
        countersStart: Int32((counters?.lowerBound ?? payload.upperBound) - payload.lowerBound),
        countersLength: Int32(counters?.count ?? 0)))
    answers.append(.route(facts))
    for index in payload { bytes.append(datagram[index]) }
    defer { nextNumber += 1 }
    return nextNumber
  }

  private mutating func forget(except kept: [Number]) {
    let former = self
    (replies, answers, bytes) = ([], [], [])
    for (index, var reply) in former.replies.enumerated() where kept.contains(reply.number) {
      let start = Int(reply.start)
      reply.start = Int32(bytes.count)
      bytes += former.bytes[start..<start + Int(reply.length)]
      replies.append(reply)
      answers.append(former.answers[index])
    }
  }

  private func equals(_ reply: Reply, _ payload: Span<UInt8>) -> Bool {
    let start = Int(reply.start)
    let known = bytes.span.extracting(start..<start + Int(reply.length))
    let counters = Int(reply.countersStart)..<Int(reply.countersStart + reply.countersLength)
    guard Self.agree(known, payload, 0..<counters.lowerBound),
      Self.agree(known, payload, counters.upperBound..<payload.count)
    else { return false }
    if counters.isEmpty { return true }
    let expiry = counters.lowerBound + Self.expiryOffset
    return Self.agree(known, payload, expiry..<expiry + Self.expiryLength)
  }

  private static func agree(_ one: Span<UInt8>, _ other: Span<UInt8>, _ range: Range<Int>) -> Bool {
    Bytes.areEqual(one.extracting(range), other.extracting(range))
  }
}
