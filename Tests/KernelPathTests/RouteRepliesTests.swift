import PathDecisions
import PathModel
import Testing

@testable import KernelPath

@Suite("Replies to route lookups")
struct RouteRepliesTests {
  private static let ipv4 = ["193.0.14.129"].compactMap { IPAddress($0) }
    .map { RouteQuery(destination: $0, kind: .resolve) }

  @Test func `a route and a refusal are answers`() throws {
    let payload =
      MessageBuilder.routeHeader(family: 2, prefixLength: 0)
      + MessageBuilder.attribute(RouteAttribute.priority, 7)
      + MessageBuilder.attribute(RouteAttribute.outputInterface, 3)
    let replies = try RouteReplies.of(
      MessageBuilder.message(MessageType.newRoute, payload), CapturedMessage.errorOfProhibit.bytes)
    #expect(
      try replies.answers(to: Self.ipv4 + Self.ipv4) == [
        .route(RouteFacts(metric: 7, legs: [RouteLeg(interfaceIndex: 3)])), .refused(errorNumber: 13),
      ])
  }

  @Test func `answers follow the order of the questions, whatever their families`() throws {
    let queries = ["2001:7fd::1", "193.0.14.129", "2001:500:2f::f", "192.0.2.1"].compactMap { IPAddress($0) }
      .map { RouteQuery(destination: $0, kind: .match) }
    let replies = try RouteReplies.refusals([101, 113, 13, 22], to: queries)
    #expect(try replies.answers(to: queries) == [101, 113, 13, 22].map { .refused(errorNumber: $0) })
  }

  @Test func `replies of one family are replaced alone`() throws {
    let queries = ["2001:7fd::1", "193.0.14.129"].compactMap { IPAddress($0) }
      .map { RouteQuery(destination: $0, kind: .match) }
    var replies = try RouteReplies.refusals([101, 113], to: queries)
    replies.remove(.ipv4)
    try replies.append(CapturedMessage.errorOfProhibit.bytes, about: .ipv4)
    #expect(try replies.answers(to: queries) == [.refused(errorNumber: 101), .refused(errorNumber: 13)])
  }

  /// `struct rta_cacheinfo`: references, last use, expiry, error, uses, and three fields of IPv4's old cache.
  private static func route(sequence: UInt32, lastUse: UInt32, expires: UInt32, uses: UInt32) -> [UInt8] {
    let usage = [1, lastUse, expires, 0, uses, 0, 0, 0].flatMap { MessageBuilder.bytes($0) }
    return MessageBuilder.message(
      MessageType.newRoute, sequence: sequence,
      MessageBuilder.routeHeader(family: 2, prefixLength: 0)
        + MessageBuilder.attribute(RouteAttribute.cacheInformation, usage)
        + MessageBuilder.attribute(RouteAttribute.outputInterface, 3))
  }

  @Test func `the number of a question and the use of a route make no difference`() throws {
    #expect(
      try RouteReplies.of(Self.route(sequence: 1, lastUse: 7, expires: 0, uses: 2))
        == RouteReplies.of(Self.route(sequence: 9, lastUse: 8, expires: 0, uses: 3)))
  }

  @Test func `the expiry of a route makes a difference`() throws {
    let (soon, later) = (
      try RouteReplies.of(Self.route(sequence: 1, lastUse: 0, expires: 100, uses: 0)),
      try RouteReplies.of(Self.route(sequence: 1, lastUse: 0, expires: 200, uses: 0))
    )
    #expect(soon != later)
    guard case .route(let facts)? = try soon.answers(to: Self.ipv4).first else {
      Issue.record("the reply is no route")
      return
    }
    #expect(facts.expires == 100)
  }

  @Test func `another gateway makes a difference`() throws {
    let replies = try [1, 2].map { (last: UInt8) in
      try RouteReplies.of(
        MessageBuilder.message(
          MessageType.newRoute,
          MessageBuilder.routeHeader(family: 2, prefixLength: 0)
            + MessageBuilder.attribute(RouteAttribute.gateway, [192, 0, 2, last])
            + MessageBuilder.attribute(RouteAttribute.outputInterface, 3)))
    }
    #expect(replies[0] != replies[1])
  }

  @Test("cache information of any length is kept within its message", arguments: 0...36)
  func usageLength(_ length: Int) throws {
    let usage = [UInt8](repeating: 0xFF, count: length)
    let message = MessageBuilder.message(
      MessageType.newRoute,
      MessageBuilder.routeHeader(family: 2, prefixLength: 0)
        + MessageBuilder.attribute(RouteAttribute.cacheInformation, usage)
        + MessageBuilder.attribute(RouteAttribute.outputInterface, 3))
    let replies = try RouteReplies.of(message)
    guard length >= 12 else {
      #expect(throws: NetlinkDecodingError.self) { try replies.answers(to: Self.ipv4) }
      return
    }
    guard case .route(let facts)? = try replies.answers(to: Self.ipv4).first else {
      Issue.record("the reply is no route")
      return
    }
    #expect(facts.firstLeg?.interfaceIndex == 3)
  }

  @Test func `a reply that is missing is reported, not invented`() {
    #expect(throws: NetlinkDecodingError.self) { try RouteReplies().answers(to: Self.ipv4) }
  }

  @Test func `a failure of our own is no answer`() throws {
    #expect(try Self.failure(of: MessageBuilder.message(MessageType.error, MessageBuilder.bytes(Int32(-12)))) == 12)
    #expect(try Self.failure(of: CapturedMessage.errorOfProhibit.bytes) == nil)
  }

  @Test("only routes and errors are replies", arguments: [MessageType.done, MessageType.newLink])
  func otherMessages(_ type: UInt16) throws {
    var offset = 0
    let datagram = MessageBuilder.message(type, MessageBuilder.bytes(Int32(0)))
    #expect(try NetlinkMessage.next(in: datagram.span, &offset)?.isRouteReply == false)
  }

  private static func failure(of datagram: [UInt8]) throws -> Int32? {
    let span = datagram.span
    var offset = 0
    return try NetlinkMessage.next(in: span, &offset)?.lookupFailure(in: span)
  }
}

extension RouteReplies {
  /// The replies in these messages, all about IPv4.
  fileprivate static func of(_ messages: [UInt8]...) throws -> RouteReplies {
    var replies = RouteReplies()
    for message in messages { try replies.append(message, about: .ipv4) }
    return replies
  }

  /// A refusal of each question.
  static func refusals(_ errorNumbers: [Int32], to queries: [RouteQuery]) throws -> RouteReplies {
    var replies = RouteReplies()
    for (errorNumber, query) in zip(errorNumbers, queries) {
      try replies.append(
        MessageBuilder.message(MessageType.error, MessageBuilder.bytes(-errorNumber)), about: query.destination.family)
    }
    return replies
  }

  fileprivate mutating func append(_ datagram: [UInt8], about family: IPAddress.Family) throws {
    let span = datagram.span
    var offset = 0
    let message = try #require(try NetlinkMessage.next(in: span, &offset))
    try append(message, in: span, about: family)
  }
}
