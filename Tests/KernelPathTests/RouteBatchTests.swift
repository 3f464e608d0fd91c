import PathDecisions
import PathModel
import Testing

@testable import KernelPath

@Suite("Batches of route lookups")
struct RouteBatchTests {
  private static let queries = ["2001:7fd::1", "193.0.14.129", "192.0.2.1"].compactMap { IPAddress($0) }
    .map { RouteQuery(destination: $0, kind: .resolve) }

  @Test func `each request knows the place of its question, and IPv4 is asked first`() {
    #expect(RouteBatch(Self.queries).requests.map(\.position) == [1, 2, 0])
  }

  @Test func `renewed replies are all valid`() throws {
    let batch = RouteBatch(Self.queries)
    let errorNumbers: [Int32] = [1, 2, 3]
    batch.renew(try .refusals(errorNumbers, to: Self.queries))
    #expect(try batch.replies.answers(to: Self.queries) == errorNumbers.map { .refused(errorNumber: $0) })
    #expect(batch.outdated.isEmpty)
  }

  @Test func `only families with a message since their last answer are asked for, and IPv4 first`() {
    let batch = RouteBatch(Self.queries)
    #expect(batch.outdatedRequests == 0..<3)
    Self.answer(batch)
    #expect(batch.outdatedRequests.isEmpty)
    batch.outdate(.ipv4)
    #expect(batch.outdatedRequests == 0..<2)
    batch.outdate(.ipv6)
    #expect(batch.outdatedRequests == 0..<3)
    Self.answer(batch)
    batch.outdate(.ipv6)
    #expect(batch.outdatedRequests == 2..<3)
  }

  @Test func `a message of one family leaves a batch of the other valid`() {
    let batch = RouteBatch([Self.queries[0]])
    Self.answer(batch)
    batch.outdate(.ipv4)
    #expect(batch.outdated.isEmpty)
    #expect(batch.outdatedRequests.isEmpty)
  }

  @Test func `requests are numbered in order, and only those of the families are sent`() {
    let batch = RouteBatch(Self.queries)
    Self.answer(batch)
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

  /// Answers all outdated requests of the batch.
  private static func answer(_ batch: RouteBatch) { batch.renew(RouteReplies()) }
}
