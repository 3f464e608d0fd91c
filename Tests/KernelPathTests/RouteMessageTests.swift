import CNetlink
import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("Route messages, and answers to lookups")
struct RouteMessageTests {
  private static let leg = leg(10, "192.0.2.1")

  private static func leg(_ index: Int32, _ router: String, isLinkDown: Bool = false) -> RouteLeg {
    RouteLeg(interfaceIndex: index, gateway: .literal(router), isLinkDown: isLinkDown)
  }

  @Test(
    arguments: [
      (.routeAdded, RouteFacts(prefixLength: 24, metric: 5, legs: [leg])),
      (.resolveIPv4, RouteFacts(prefixLength: 32, source: .literal("192.0.2.2"), legs: [leg], isCloned: true)),
      (
        .matchMultipathLinkDown,
        RouteFacts(table: 100, legs: [leg(10, "192.0.2.1", isLinkDown: true), leg(20, "192.0.3.1")])
      ),
      (.matchViaIPv6, RouteFacts(table: 100, legs: [leg(10, "fe80::1")])),
      (.matchMultipathViaIPv6, RouteFacts(table: 100, legs: [leg(10, "fe80::1"), leg(20, "fe80::2")])),
      (.matchNextHopObject, RouteFacts(prefixLength: 24, legs: [leg])),
      // The end of an advertised route is in hundredths of a second.
      (.matchAdvertised, RouteFacts(metric: 1_024, legs: [leg(10, "fe80::e425:6cff:fe43:3aa5")], expires: 179_948)),
    ] as [(CapturedMessage, RouteFacts)])
  func `a route has its prefix, table, metric, source, next hops and end`(captured: CapturedMessage, route: RouteFacts)
  {
    #expect(captured.route == route)
  }

  // MARK: Attributes

  private static func route(sequence: UInt32 = 0, _ attributes: [UInt8]...) -> [UInt8] {
    MessageBuilder.message(
      RTM_NEWROUTE, sequence: sequence,
      MessageBuilder.routeHeader(family: 2, prefixLength: 0) + attribute(RTA_OIF.rawValue, 3)
        + attributes.flatMap(\.self))
  }

  private static func answer(_ datagram: [UInt8]) throws -> RouteAnswer? {
    try MessageBuilder.decode(datagram) { (message) throws(NetlinkDecodingError) in try RouteAnswer(message) }.first
      ?? nil
  }

  @Test func `a table above 255, an object without next hops and a preference are taken from their attributes`() throws
  {
    var expected = RouteFacts(table: 51_820, metric: 7, legs: [RouteLeg(interfaceIndex: 3)])
    expected.preference = .high
    #expect(try Self.answer(Self.route(attribute(15, 51_820), attribute(6, 7), attribute(20, [1]))) == .route(expected))
    var header = MessageBuilder.routeHeader(family: 2, prefixLength: 0)
    header[7] = RouteType.local
    #expect(CapturedMessage(bytes: MessageBuilder.message(24, header + attribute(30, 9))).route?.nextHopObject == 9)
    #expect(CapturedMessage(bytes: MessageBuilder.message(24, header)).route?.type == RouteType.local)
  }

  @Test func `only routes and errors are answers, and a failure of our own is none`() throws {
    #expect(try Self.answer(CapturedMessage.errorOfProhibit.bytes) == .refused(errorNumber: 13))
    #expect(try Self.answer(CapturedMessage.errorOfProhibit.bytes)?.failure == nil)
    let outOfMemory = MessageBuilder.message(NLMSG_ERROR, MessageBuilder.bytes(Int32(-12)))
    #expect(try Self.answer(outOfMemory)?.failure == 12)
    for type in [Int(NLMSG_DONE), RTM_NEWLINK] {
      #expect(try Self.answer(MessageBuilder.message(type, MessageBuilder.bytes(Int32(0)))) == nil)
    }
  }

  @Test(arguments: [Int32(1), .max, .min])
  func `a number that is no errno is none, and does not trap`(code: Int32) throws {
    let bytes = MessageBuilder.message(2, MessageBuilder.bytes(code))
    #expect(CapturedMessage(bytes: bytes).errorNumber == 0)
  }

  /// `struct rta_cacheinfo`: references, last use, expiry, error, uses, and three fields of IPv4's old cache.
  private static func usage(lastUse: UInt32, expires: UInt32, uses: UInt32) -> [UInt8] {
    attribute(RTA_CACHEINFO.rawValue, [1, lastUse, expires, 0, uses, 0, 0, 0].flatMap { MessageBuilder.bytes($0) })
  }

  @Test func `the number of a question and the use of a route make no difference, its expiry does`() throws {
    let answer = try Self.answer(Self.route(sequence: 1, Self.usage(lastUse: 7, expires: 0, uses: 2)))
    #expect(try answer == Self.answer(Self.route(sequence: 9, Self.usage(lastUse: 8, expires: 0, uses: 3))))
    let ending = RouteFacts(legs: [RouteLeg(interfaceIndex: 3)], expires: 100)
    #expect(try Self.answer(Self.route(Self.usage(lastUse: 7, expires: 100, uses: 2))) == .route(ending))
  }

  @Test("cache information of any length is kept within its message", arguments: 0...36)
  func usageLength(_ length: Int) throws {
    let message = Self.route(attribute(RTA_CACHEINFO.rawValue, [UInt8](repeating: 0xFF, count: length)))
    guard length >= 12 else {
      #expect(throws: NetlinkDecodingError.self) { try Self.answer(message) }
      return
    }
    #expect(try Self.answer(message) == .route(RouteFacts(legs: [RouteLeg(interfaceIndex: 3)], expires: -1)))
  }
}
