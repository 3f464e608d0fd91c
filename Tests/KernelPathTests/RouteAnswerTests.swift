import CNetlink
import PathDecisions
import PathModel
import Testing

@testable import KernelPath

@Suite("Answers to route lookups")
struct RouteAnswerTests {
  @Test func `a route and a refusal are answers`() throws {
    let payload =
      MessageBuilder.routeHeader(family: 2, prefixLength: 0)
      + MessageBuilder.attribute(RTA_PRIORITY.rawValue, 7)
      + MessageBuilder.attribute(RTA_OIF.rawValue, 3)
    let route = try Self.answer(MessageBuilder.message(RTM_NEWROUTE, payload))
    #expect(route == .route(RouteFacts(metric: 7, legs: [RouteLeg(interfaceIndex: 3)])))
    #expect(try Self.answer(CapturedMessage.errorOfProhibit.bytes) == .refused(errorNumber: 13))
  }

  @Test("only routes and errors are answers", arguments: [Int(NLMSG_DONE), RTM_NEWLINK])
  func otherMessages(_ type: Int) throws {
    #expect(try Self.answer(MessageBuilder.message(type, MessageBuilder.bytes(Int32(0)))) == nil)
  }

  /// `struct rta_cacheinfo`: references, last use, expiry, error, uses, and three fields of IPv4's old cache.
  private static func route(sequence: UInt32, lastUse: UInt32, expires: UInt32, uses: UInt32) -> [UInt8] {
    let usage = [1, lastUse, expires, 0, uses, 0, 0, 0].flatMap { MessageBuilder.bytes($0) }
    return MessageBuilder.message(
      RTM_NEWROUTE, sequence: sequence,
      MessageBuilder.routeHeader(family: 2, prefixLength: 0)
        + MessageBuilder.attribute(RTA_CACHEINFO.rawValue, usage)
        + MessageBuilder.attribute(RTA_OIF.rawValue, 3))
  }

  @Test func `the number of a question and the use of a route make no difference, its expiry does`() throws {
    let answer = try Self.answer(Self.route(sequence: 1, lastUse: 7, expires: 0, uses: 2))
    #expect(try answer == Self.answer(Self.route(sequence: 9, lastUse: 8, expires: 0, uses: 3)))
    let ending = try Self.answer(Self.route(sequence: 1, lastUse: 7, expires: 100, uses: 2))
    #expect(answer != ending)
    guard case .route(let facts)? = ending else {
      Issue.record("the answer is no route")
      return
    }
    #expect(facts.expires == 100)
  }

  @Test("cache information of any length is kept within its message", arguments: 0...36)
  func usageLength(_ length: Int) throws {
    let usage = [UInt8](repeating: 0xFF, count: length)
    let message = MessageBuilder.message(
      RTM_NEWROUTE,
      MessageBuilder.routeHeader(family: 2, prefixLength: 0)
        + MessageBuilder.attribute(RTA_CACHEINFO.rawValue, usage)
        + MessageBuilder.attribute(RTA_OIF.rawValue, 3))
    guard length >= 12 else {
      #expect(throws: NetlinkDecodingError.self) { try Self.answer(message) }
      return
    }
    guard case .route(let facts)? = try Self.answer(message) else {
      Issue.record("the answer is no route")
      return
    }
    #expect(facts.firstLeg?.interfaceIndex == 3)
  }

  @Test func `a failure of our own is no answer`() throws {
    let outOfMemory = try Self.answer(MessageBuilder.message(NLMSG_ERROR, MessageBuilder.bytes(Int32(-12))))
    #expect(outOfMemory?.failure == 12)
    #expect(try Self.answer(CapturedMessage.errorOfProhibit.bytes)?.failure == nil)
  }

  private static func answer(_ datagram: [UInt8]) throws -> RouteAnswer? {
    var messages = NetlinkMessages(datagram.span)
    guard let message = try messages.next() else { return nil }
    return try RouteAnswer(message)
  }
}
