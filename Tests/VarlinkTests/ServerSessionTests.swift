import PathModel
import Testing

@testable import Varlink

/// The tables have rules, each with the events of a session and what is expected after them.
@Suite("One client's session")
struct ServerSessionTests {
  enum Event: Sendable {
    case receive(String)
    case receiveEnd
    case answer(String)
    case update(String)
    case refuse(String)
    case send(Int)
    // Expectations.
    case next(ServerSession.Step)
    case sends(String)
    case wantsInput(Bool)
    case isServing(Bool)
    case isSent(Bool)
    case holds(Int)
  }
  typealias Rules = KeyValuePairs<String, [Event]>

  private static let limit = 64
  private static let tooLong = VarlinkError("org.example.TooLong", ["limit": .integer(Int64(limit))])

  private static func check(_ events: [Event], at location: SourceLocation = #_sourceLocation) {
    var session = ServerSession(limit: limit) { _ in tooLong }
    for (number, event) in events.enumerated() {
      let place: Comment = "event \(number): \(event)"
      switch event {
      case .receive(let text): session.receive(Array(text.utf8)[...])
      case .receiveEnd: session.receiveEnd()
      case .answer(let text): session.answer(Array(text.utf8))
      case .update(let text): session.answer(Array(text.utf8), continues: true)
      case .refuse(let text): session.refuse(Array(text.utf8))
      case .send(let count): session.sent(count)
      case .next(let step): #expect(session.next() == step, place, sourceLocation: location)
      case .sends(let text):
        let bytes = session.frameToSend[session.bytesSent...]
        #expect(String(decoding: bytes, as: UTF8.self) == text, place, sourceLocation: location)
        session.sent(bytes.count)
      case .wantsInput(let wants): #expect(session.wantsInput == wants, place, sourceLocation: location)
      case .isServing(let isServing): #expect(session.isServing == isServing, place, sourceLocation: location)
      case .isSent(let isSent): #expect(session.isSent == isSent, place, sourceLocation: location)
      case .holds(let count): #expect(session.bytesHeld == count, place, sourceLocation: location)
      }
    }
  }

  private static func call(_ method: String, more: Bool = false) -> String {
    "{\"method\":\"\(method)\"\(more ? ",\"more\":true" : "")}\0"
  }
  private static func serve(_ method: String, more: Bool = false) -> Event {
    .next(.serve(VarlinkCall(method, acceptsMore: more)))
  }
  private static let longest = #"{"method":"a"}"# + String(repeating: " ", count: 50)

  @Test(arguments: Array(calls) + Array(replies) + Array(refusals) + Array(ends))
  func `a session serves one call after the other, and ends in order`(rule: String, events: [Event]) {
    Self.check(events)
  }

  static let calls: Rules = [
    "calls sent ahead are served one after the other, each when the one before is sent": [
      .receive(call("a") + call("b")), serve("a"), .isServing(true), .next(.wait), .answer("to a"), .next(.wait),
      .isSent(false), .sends("to a"), .isSent(true), serve("b"), .next(.wait), .answer("to b"), .next(.wait),
      .sends("to b"), .next(.wait), .wantsInput(true), .holds(0),
    ],
    "input is wanted only when nothing is served and everything is sent": [
      .wantsInput(true), .receive("{\"method\":"), .next(.wait), .wantsInput(true), .receive("\"a\"}\0"), serve("a"),
      .wantsInput(false), .answer("12"), .wantsInput(false), .send(1), .wantsInput(false), .send(1), .wantsInput(true),
      .receiveEnd, .wantsInput(false),
    ],
    "a oneway call gets no reply, neither the last nor one of many": [
      .receive("{\"method\":\"a\",\"oneway\":true}\0" + call("b")), .next(.serve(VarlinkCall("a", isOneway: true))),
      .update("first"), .isSent(true), .next(.wait), .answer("last"), .isSent(true), serve("b"),
    ],
    "a call is served until the reply that is marked as the last": [
      .receive(call("a", more: true) + call("b")), serve("a", more: true), .update("1"), .sends("1"), .next(.wait),
      .isServing(true), .update("2"), .sends("2"), .next(.wait), .isServing(true), .answer("3"), .isServing(false),
      .sends("3"), serve("b"),
    ],
  ]

  static let replies: Rules = [
    "a reply that comes before the one before is sent follows it": [
      .receive(call("a", more: true)), serve("a", more: true), .update("first"), .send(2), .update("second"),
      .answer("last"), .sends("rstsecondlast"), .next(.wait), .wantsInput(true),
    ],
    "a refusal follows a reply that is being sent": [
      .receive(call("a") + "{"), serve("a"), .answer("reply"), .send(2), .refuse("no"), .next(.wait), .sends("plyno"),
      .next(.close),
    ],
    "a reply to no call is not sent": [
      .answer("unasked"), .isSent(true), .receive(call("a")), serve("a"), .answer("once"), .answer("twice"),
      .sends("once"),
    ],
  ]

  @Test(arguments: ["x", "{}", "", "{\"method\":1}", "{\"method\":\"a\",\"more\":1}"])
  func `a frame that is no call is refused after the calls before it, and no later call is served`(
    frame: String
  ) throws {
    let error = try #require(throws: VarlinkError.self) { try VarlinkCall(parsing: Array(frame.utf8)[...]) }
    Self.check([
      .receive(Self.call("a") + frame + "\0" + Self.call("b")), Self.serve("a"), .answer("a"), .sends("a"),
      .next(.refuse(error)), .wantsInput(false), .refuse("no"), .next(.wait), .holds(0), .sends("no"), .next(.close),
      .wantsInput(false),
    ])
  }

  static let refusals: Rules = [
    "a call of as many bytes as the limit is served": [
      .receive(longest), .next(.wait), .receive("\0"), serve("a"),
    ],
    "a longer call is refused before it has ended": [
      .receive(longest + " "), .next(.refuse(tooLong)), .refuse("no"), .holds(0), .sends("no"), .next(.close),
    ],
    "a longer call is refused that has ended": [
      .receive(longest + " \0"), .next(.refuse(tooLong)), .refuse("no"), .holds(0), .sends("no"), .next(.close),
    ],
    "a refusal while a call is served ends that call": [
      .receive(call("a")), serve("a"), .refuse("no"), .isServing(false), .answer("late"), .sends("no"), .next(.close),
    ],
  ]

  static let ends: Rules = [
    "a client that ends without a call is disconnected": [.receiveEnd, .next(.close)],
    "a client that ends within a call is disconnected": [.receive("{\"method\":"), .receiveEnd, .next(.close)],
    "a client that ends gets all replies to its calls": [
      .receive(call("a", more: true) + call("b") + "{"), .receiveEnd, serve("a", more: true), .update("1"), .sends("1"),
      .next(.wait), .answer("2"), .sends("2"), serve("b"), .answer("3"), .next(.wait), .sends("3"), .next(.close),
    ],
    "a client that ends while it is refused still gets the reason": [
      .receive(longest + " \0"), .receiveEnd, .next(.refuse(tooLong)), .refuse("no"), .next(.wait), .sends("no"),
      .next(.close),
    ],
  ]
}
