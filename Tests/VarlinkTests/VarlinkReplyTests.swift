import PathModel
import Testing
import Varlink

@Suite("Replies")
struct VarlinkReplyTests {
  /// A frame and the reply that it is.
  typealias Accepted = (frame: String, reply: VarlinkReply)

  static let accepted: [Accepted] = [
    ("{}", VarlinkReply()),
    (#"{"parameters":{}}"#, VarlinkReply()),
    (#"{"parameters":null,"error":null,"continues":null}"#, VarlinkReply()),
    (#"{"parameters":{"a":[1]},"x":1}"#, VarlinkReply(["a": [1]])),
    (#"{"continues":true,"parameters":{"a":1}}"#, VarlinkReply(["a": 1], continues: true)),
    (#"{"continues":false}"#, VarlinkReply()),
    (#"{"error":"a.B"}"#, VarlinkReply(error: "a.B")),
    (#"{"error":"","parameters":{"c":1}}"#, VarlinkReply(["c": 1], error: "")),
  ]

  @Test(arguments: accepted)
  func `a frame is read as the reply that it is`(_ example: Accepted) throws {
    #expect(try VarlinkReply(parsing: Array(example.frame.utf8)[...]) == example.reply)
  }

  @Test(arguments: [
    ("", "the reply is no JSON: invalid JSON at byte 0: expected a value, found the end of the text"),
    ("HTTP/1.1 400", "the reply is no JSON: invalid JSON at byte 0: expected a value, found 'H'"),
    ("[]", "the reply is no JSON object"),
    ("null", "the reply is no JSON object"),
    (#"{"parameters":[]}"#, "the reply's \"parameters\" is no object"),
    (#"{"parameters":1}"#, "the reply's \"parameters\" is no object"),
    (#"{"error":1}"#, "the reply's \"error\" is no string"),
    (#"{"error":false}"#, "the reply's \"error\" is no string"),
    (#"{"continues":1}"#, "the reply's \"continues\" is neither true nor false"),
    (#"{"continues":"true"}"#, "the reply's \"continues\" is neither true nor false"),
  ])
  func `a frame that is no reply is refused with the reason`(frame: String, description: String) throws {
    let error = try #require(throws: VarlinkProtocolError.self) {
      try VarlinkReply(parsing: Array(frame.utf8)[...])
    }
    #expect(error.description == description)
  }

  @Test(arguments: [true, false])
  func `a reply that is written reads back as the same`(continues: Bool) throws {
    let frame = VarlinkReply.frame(continues: continues) { writer in
      writer.key("a\0")
      writer.string("b\0")
    }
    #expect(frame.last == 0)
    #expect(frame.dropLast().allSatisfy { $0 != 0 })
    #expect(try VarlinkReply(parsing: frame.dropLast()) == VarlinkReply(["a\0": "b\0"], continues: continues))
    #expect(VarlinkReply.frame { _ in } == Array("{\"parameters\":{}}\0".utf8))
  }

  @Test(arguments: [
    (VarlinkError("a.B"), #"{"error":"a.B","parameters":{}}"#),
    (VarlinkError("a.B", ["c": 1]), #"{"error":"a.B","parameters":{"c":1}}"#),
    (.interfaceNotFound("a"), #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a"}}"#),
    (.methodNotFound("a.B"), #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"a.B"}}"#),
    (
      .methodNotImplemented("a.B"),
      #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"a.B"}}"#
    ),
    (
      .invalidParameter("c", "why"),
      #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"c","reason":"why"}}"#
    ),
    (.expectedMore, #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
  ])
  func `an error is a reply that names it`(error: VarlinkError, frame: String) throws {
    #expect(String(decoding: error.frame, as: UTF8.self) == frame + "\0")
    let reply = try VarlinkReply(parsing: error.frame.dropLast())
    #expect(reply == VarlinkReply(error.parameters, error: error.name))
  }
}
