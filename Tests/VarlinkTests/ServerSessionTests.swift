import PathModel
import Testing

@testable import Varlink

@Suite("One client's session")
struct ServerSessionTests {
  private static let limit = 64
  private static let tooLong = VarlinkError("org.example.TooLong", ["limit": .integer(Int64(limit))])

  private var session = ServerSession(limit: limit) { error in
    VarlinkError("org.example.TooLong", ["limit": .integer(Int64(error.limit))])
  }

  private mutating func receive(_ text: String) { session.receive(Array(text.utf8)[...]) }

  /// Marks all bytes to send as sent, and returns them.
  private mutating func sendAll() -> String {
    let text = String(decoding: session.frameToSend[session.bytesSent...], as: UTF8.self)
    session.sent(session.frameToSend.count - session.bytesSent)
    return text
  }

  private mutating func answer(_ text: String, continues: Bool = false) {
    session.answer(Array(text.utf8), continues: continues)
  }

  // MARK: Calls

  @Test mutating func `calls sent ahead are served one after the other, each when the one before is sent`() {
    receive("{\"method\":\"a\"}\0{\"method\":\"b\"}\0{\"method\":\"c\"}\0")
    for method in ["a", "b", "c"] {
      #expect(session.next() == .serve(VarlinkCall(method)))
      #expect(session.isServing)
      #expect(session.next() == .wait)
      answer("answer to \(method)")
      #expect(session.next() == .wait)
      #expect(!session.isSent)
      #expect(sendAll() == "answer to \(method)")
      #expect(session.isSent)
    }
    #expect(session.next() == .wait)
    #expect(session.wantsInput)
    #expect(session.bytesHeld == 0)
  }

  @Test mutating func `input is wanted only when nothing is served and everything is sent`() {
    #expect(session.wantsInput)
    receive("{\"method\":")
    #expect(session.next() == .wait)
    #expect(session.wantsInput)
    receive("\"a\"}\0")
    #expect(session.next() == .serve(VarlinkCall("a")))
    #expect(!session.wantsInput)
    answer("12")
    #expect(!session.wantsInput)
    session.sent(1)
    #expect(!session.wantsInput)
    session.sent(1)
    #expect(session.wantsInput)
    session.receiveEnd()
    #expect(!session.wantsInput)
  }

  @Test mutating func `a oneway call gets no reply, neither the last nor one of many`() {
    receive("{\"method\":\"a\",\"oneway\":true}\0{\"method\":\"b\"}\0")
    #expect(session.next() == .serve(VarlinkCall("a", isOneway: true)))
    answer("first", continues: true)
    #expect(session.isSent)
    #expect(session.next() == .wait)
    answer("last")
    #expect(session.isSent)
    #expect(session.next() == .serve(VarlinkCall("b")))
  }

  @Test mutating func `a call is served until the reply that is marked as the last`() {
    receive("{\"method\":\"a\",\"more\":true}\0{\"method\":\"b\"}\0")
    #expect(session.next() == .serve(VarlinkCall("a", acceptsMore: true)))
    for reply in ["1", "2", "3"] {
      answer(reply, continues: true)
      #expect(sendAll() == reply)
      #expect(session.next() == .wait)
      #expect(session.isServing)
    }
    answer("4")
    #expect(!session.isServing)
    #expect(sendAll() == "4")
    #expect(session.next() == .serve(VarlinkCall("b")))
  }

  // MARK: Replies

  @Test mutating func `a reply that comes before the one before is sent follows it`() {
    receive("{\"method\":\"a\",\"more\":true}\0")
    _ = session.next()
    answer("first", continues: true)
    session.sent(2)
    answer("second", continues: true)
    answer("last")
    #expect(sendAll() == "rstsecondlast")
    #expect(session.next() == .wait)
    #expect(session.wantsInput)
  }

  @Test mutating func `a refusal follows a reply that is being sent`() {
    receive("{\"method\":\"a\"}\0{")
    _ = session.next()
    answer("reply")
    session.sent(2)
    session.refuse(Array("no".utf8))
    #expect(session.next() == .wait)
    #expect(sendAll() == "plyno")
    #expect(session.next() == .close)
  }

  @Test mutating func `a reply to no call is not sent`() {
    answer("unasked")
    #expect(session.isSent)
    receive("{\"method\":\"a\"}\0")
    _ = session.next()
    answer("once")
    answer("twice")
    #expect(sendAll() == "once")
  }

  // MARK: Refusals

  @Test(arguments: ["x", "{}", "", "{\"method\":1}", "{\"method\":\"a\",\"more\":1}"])
  mutating func `a frame that is no call is refused after the calls before it, and no later call is served`(
    frame: String
  ) throws {
    receive("{\"method\":\"a\"}\0\(frame)\0{\"method\":\"b\"}\0")
    #expect(session.next() == .serve(VarlinkCall("a")))
    answer("a")
    #expect(sendAll() == "a")
    let error = try #require(throws: VarlinkError.self) { try VarlinkCall(parsing: Array(frame.utf8)[...]) }
    #expect(session.next() == .refuse(error))
    #expect(!session.wantsInput)
    session.refuse(error.frame)
    #expect(session.next() == .wait)
    #expect(session.bytesHeld == 0)
    #expect(sendAll() == String(decoding: error.frame, as: UTF8.self))
    #expect(session.next() == .close)
    #expect(!session.wantsInput)
  }

  @Test(arguments: [false, true])
  mutating func `a call over the limit is refused, whether it has ended or not`(hasEnded: Bool) {
    receive(String(repeating: " ", count: Self.limit + 1) + (hasEnded ? "\0" : ""))
    #expect(session.next() == .refuse(Self.tooLong))
    session.refuse(Self.tooLong.frame)
    #expect(session.bytesHeld == 0)
    _ = sendAll()
    #expect(session.next() == .close)
  }

  @Test mutating func `a call of as many bytes as the limit is served`() {
    let call = "{\"method\":\"a\"}"
    receive(call + String(repeating: " ", count: Self.limit - call.utf8.count))
    #expect(session.next() == .wait)
    receive("\0")
    #expect(session.next() == .serve(VarlinkCall("a")))
  }

  @Test mutating func `a refusal while a call is served ends that call`() {
    receive("{\"method\":\"a\"}\0")
    _ = session.next()
    session.refuse(Array("no".utf8))
    #expect(!session.isServing)
    answer("late")
    #expect(sendAll() == "no")
    #expect(session.next() == .close)
  }

  // MARK: The end of input

  @Test mutating func `a client that ends without a call is disconnected`() {
    session.receiveEnd()
    #expect(session.next() == .close)
  }

  @Test mutating func `a client that ends within a call is disconnected`() {
    receive("{\"method\":")
    session.receiveEnd()
    #expect(session.next() == .close)
  }

  @Test mutating func `a client that ends gets all replies to its calls`() {
    receive("{\"method\":\"a\",\"more\":true}\0{\"method\":\"b\"}\0{")
    session.receiveEnd()
    #expect(session.next() == .serve(VarlinkCall("a", acceptsMore: true)))
    answer("1", continues: true)
    #expect(sendAll() == "1")
    #expect(session.next() == .wait)
    answer("2")
    #expect(sendAll() == "2")
    #expect(session.next() == .serve(VarlinkCall("b")))
    answer("3")
    #expect(session.next() == .wait)
    #expect(sendAll() == "3")
    #expect(session.next() == .close)
  }

  @Test mutating func `a client that ends while it is refused still gets the reason`() throws {
    receive("x\0")
    session.receiveEnd()
    guard case .refuse(let error) = session.next() else { throw error("not refused") }
    session.refuse(error.frame)
    #expect(session.next() == .wait)
    #expect(!sendAll().isEmpty)
    #expect(session.next() == .close)
  }

  private func error(_ text: String) -> VarlinkProtocolError { VarlinkProtocolError(description: text) }
}
