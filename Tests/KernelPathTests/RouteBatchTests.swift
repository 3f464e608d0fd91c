import PathModel
import Testing

@testable import KernelPath

@Suite("Batches of route lookups")
struct RouteBatchTests {
  private static let queries = ["2001:7fd::1", "193.0.14.129", "192.0.2.1"].compactMap { IPAddress($0) }
    .map { RouteQuery(destination: $0, kind: .resolve) }

  private static let replies = [
    CapturedMessage.resolveIPv4, .matchIPv4, .resolveIPv6, .matchIPv6, .matchMultipathIPv4, .matchViaIPv6,
    .matchAdvertised, .resolveAdvertised, .matchLocal, .errorOfUnreachable, .errorOfProhibit,
  ]

  @Test func `the latest reply to a request is its answer`() throws {
    var batch = RouteBatch(Self.queries)
    for metric: UInt32 in 1...3 {
      let payload =
        MessageBuilder.routeHeader(family: 2, prefixLength: 0)
        + MessageBuilder.attribute(RouteAttribute.priority, metric)
        + MessageBuilder.attribute(RouteAttribute.outputInterface, 3)
      try Self.take(MessageBuilder.message(MessageType.newRoute, payload), &batch)
      #expect(batch.answers[1] == .route(RouteFacts(origin: 3, metric: metric, legs: [RouteLeg(interfaceIndex: 3)])))
    }
    try Self.take(CapturedMessage.errorOfProhibit.bytes, &batch)
    #expect(batch.answers[1] == .refused(errorNumber: 13))
  }

  @Test func `only the families that something was heard of are asked for, and IPv4 first`() {
    var batch = RouteBatch(Self.queries)
    #expect(batch.outdatedRequests == 0..<3)
    batch.confirm()
    #expect(batch.outdatedRequests.isEmpty)
    batch.outdate(.ipv4)
    #expect(batch.outdatedRequests == 0..<2)
    batch.outdate(.ipv6)
    #expect(batch.outdatedRequests == 0..<3)
    batch.confirm()
    batch.outdate(.ipv6)
    #expect(batch.outdatedRequests == 2..<3)
  }

  @Test func `a batch of one family does not mind what happens to the other`() {
    var batch = RouteBatch([Self.queries[0]])
    batch.confirm()
    batch.outdate(.ipv4)
    #expect(batch.outdated.isEmpty)
    #expect(batch.outdatedRequests.isEmpty)
  }

  @Test func `requests are numbered in their order, and only theirs are sent`() {
    var batch = RouteBatch(Self.queries)
    batch.confirm()
    batch.outdate(.ipv6)
    let requests = batch.outdatedRequests
    batch.withBytes(of: requests, from: 77) { (bytes, range) throws(Never) in
      #expect(range.upperBound == bytes.count)
      #expect(bytes[range].dropFirst(8).prefix(4) == [77, 0, 0, 0])
      #expect(bytes[range].dropFirst(16).first == IPAddress.Family.ipv6.rawValue)
    }
    batch.outdate(.ipv4)
    batch.withBytes(of: batch.outdatedRequests, from: 0xffff_ffff) { (bytes, range) throws(Never) in
      var numbers: [[UInt8]] = []
      var start = range.lowerBound
      while start < range.upperBound {
        numbers.append(Array(bytes[start + 8..<start + 12]))
        start += Int(bytes[start])
      }
      #expect(numbers == [[255, 255, 255, 255], [0, 0, 0, 0], [1, 0, 0, 0]])
    }
  }

  @Test func `a failure of our own is told apart from an answer and leaves the answer as it was`() throws {
    var batch = RouteBatch(Self.queries)
    try Self.take(CapturedMessage.resolveIPv4.bytes, &batch)
    let before = batch.answers
    let outOfMemory = MessageBuilder.message(MessageType.error, MessageBuilder.bytes(Int32(-12)))
    #expect(try Self.take(outOfMemory, &batch) == 12)
    #expect(batch.answers == before)
  }

  /// Hands the message in the datagram to the batch, as the reply to its first request.
  @discardableResult
  private static func take(_ datagram: [UInt8], _ batch: inout RouteBatch) throws(NetlinkDecodingError) -> Int32? {
    let span = datagram.span
    var offset = 0
    guard let message = try NetlinkMessage.next(in: span, &offset) else { return nil }
    let failure = try batch.take(message, in: span, to: 0)
    if failure == 0 { batch.confirm() }
    return failure
  }
}
