import PathModel
import Testing
import Varlink

/// A frame and the call that it is.
struct AcceptedCall: Sendable, CustomTestStringConvertible {
  var frame: String
  var call: VarlinkCall

  init(_ frame: String, _ call: VarlinkCall) {
    self.frame = frame
    self.call = call
  }

  var testDescription: String { frame }
}

/// A frame that is no call, with the parameter and the reason in the error.
struct RefusedCall: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var parameter: String
  var reason: String

  init(_ frame: String, _ parameter: String, _ reason: String) {
    self.init(Array(frame.utf8), parameter, reason)
  }

  init(_ bytes: [UInt8], _ parameter: String, _ reason: String) {
    self.bytes = bytes
    self.parameter = parameter
    self.reason = reason
  }

  var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self) }
}

@Suite("Calls")
struct VarlinkCallTests {
  @Test(arguments: accepted)
  func `a frame is read as the call that it is`(_ example: AcceptedCall) throws {
    #expect(try VarlinkCall(parsing: Array(example.frame.utf8)[...]) == example.call)
  }

  @Test(arguments: refused)
  func `a frame that is no call is refused with the reason`(_ example: RefusedCall) throws {
    let error = try #require(throws: VarlinkError.self) { try VarlinkCall(parsing: example.bytes[...]) }
    #expect(error.name == "org.varlink.service.InvalidParameter")
    #expect(error.parameters["parameter"] == .string(example.parameter))
    let reason = try #require(error.parameters["reason"]?.stringValue)
    #expect(reason.contains(example.reason), "\(reason)")
  }

  @Test(arguments: written)
  func `a call that is written reads back as the same`(_ call: VarlinkCall) throws {
    let frame = call.frame
    #expect(frame.last == 0)
    #expect(frame.dropLast().allSatisfy { $0 != 0 })
    #expect(try VarlinkCall(parsing: frame.dropLast()) == call)
  }

  @Test func `flags that are not set are not written`() {
    #expect(VarlinkCall("a.B").frame == Array("{\"method\":\"a.B\"}\0".utf8))
    #expect(
      VarlinkCall("a.B", ["c": 1], acceptsMore: true).frame
        == Array("{\"method\":\"a.B\",\"parameters\":{\"c\":1},\"more\":true}\0".utf8))
  }

  @Test(arguments: [
    ("org.varlink.service.GetInfo", "org.varlink.service", "GetInfo"), ("a.B", "a", "B"), (".B", "", "B"),
    ("a.", "a", ""), (".", "", ""), ("a.b.é", "a.b", "é"), ("a.\u{301}B", "a", "\u{301}B"),
  ])
  func `a method's name is cut at its last dot`(method: String, interface: String, name: String) throws {
    let call = VarlinkCall(method)
    #expect(call.interface.map { Array($0.utf8) } == Array(interface.utf8))
    #expect(Array(call.name.utf8) == Array(name.utf8))
  }

  @Test(arguments: ["", "GetInfo"])
  func `a method's name without a dot has no interface`(method: String) {
    #expect(VarlinkCall(method).interface == nil)
    #expect(VarlinkCall(method).name == method)
  }

  // MARK: Tables

  private static func nested(_ depth: Int) -> String {
    let (open, close) = (String(repeating: "[", count: depth - 2), String(repeating: "]", count: depth - 2))
    return "{\"method\":\"a.B\",\"parameters\":{\"c\":\(open)\(close)}}"
  }

  static let accepted = [
    AcceptedCall(#"{"method":"a.B"}"#, VarlinkCall("a.B")),
    AcceptedCall(" {\n\"method\" : \"a.B\"\t}\r\n", VarlinkCall("a.B")),
    AcceptedCall(#"{"method":""}"#, VarlinkCall("")),
    AcceptedCall(#"{"method":"\u0061.\u0000"}"#, VarlinkCall("a.\0")),
    AcceptedCall(#"{"method":"x","method":"a.B"}"#, VarlinkCall("a.B")),
    AcceptedCall(#"{"method":"a.B","parameters":{}}"#, VarlinkCall("a.B")),
    AcceptedCall(#"{"method":"a.B","parameters":null}"#, VarlinkCall("a.B")),
    AcceptedCall(#"{"parameters":{"c":[1]},"method":"a.B"}"#, VarlinkCall("a.B", ["c": [1]])),
    AcceptedCall(#"{"method":"a.B","more":true}"#, VarlinkCall("a.B", acceptsMore: true)),
    AcceptedCall(#"{"method":"a.B","oneway":true}"#, VarlinkCall("a.B", isOneway: true)),
    AcceptedCall(#"{"method":"a.B","upgrade":true}"#, VarlinkCall("a.B", wantsUpgrade: true)),
    AcceptedCall(#"{"method":"a.B","more":false,"oneway":false,"upgrade":false}"#, VarlinkCall("a.B")),
    AcceptedCall(#"{"method":"a.B","more":null,"oneway":null,"upgrade":null}"#, VarlinkCall("a.B")),
    AcceptedCall(#"{"method":"a.B","More":1,"x":{"more":7},"":[]}"#, VarlinkCall("a.B")),
    AcceptedCall(nested(32), VarlinkCall("a.B", ["c": (0..<29).reduce([]) { value, _ in .array([value]) }])),
  ]

  static let refused = [
    RefusedCall("", "call", "invalid JSON at byte 0: expected a value, found the end of the text"),
    RefusedCall("{", "call", "invalid JSON at byte 1"),
    RefusedCall("GET / HTTP/1.1\r\n", "call", "invalid JSON at byte 0"),
    RefusedCall(#"{"method":"a.B"}{}"#, "call", "expected nothing after the value"),
    RefusedCall(Array(#"{"method":""#.utf8) + [0xFF] + Array(#""}"#.utf8), "call", "UTF-8"),
    RefusedCall([0xEF, 0xBB, 0xBF] + Array(#"{"method":"a.B"}"#.utf8), "call", "invalid JSON at byte 0"),
    RefusedCall(nested(33), "call", "nested more than 32 deep"),
    RefusedCall(String(repeating: "[", count: 65_536), "call", "nested more than 32 deep"),
    RefusedCall(String(repeating: "{\"a\":", count: 13_000), "call", "nested more than 32 deep"),
    RefusedCall("null", "call", "a call is a JSON object"),
    RefusedCall("[]", "call", "a call is a JSON object"),
    RefusedCall(#""a.B""#, "call", "a call is a JSON object"),
    RefusedCall("{}", "method", "must be a string"),
    RefusedCall(#"{"Method":"a.B"}"#, "method", "must be a string"),
    RefusedCall(#"{"method":null}"#, "method", "must be a string"),
    RefusedCall(#"{"method":1}"#, "method", "must be a string"),
    RefusedCall(#"{"method":["a.B"]}"#, "method", "must be a string"),
    RefusedCall(#"{"method":"a.B","parameters":[]}"#, "parameters", "must be an object"),
    RefusedCall(#"{"method":"a.B","parameters":"x"}"#, "parameters", "must be an object"),
    RefusedCall(#"{"method":"a.B","parameters":false}"#, "parameters", "must be an object"),
    RefusedCall(#"{"method":"a.B","more":1}"#, "more", "must be true or false"),
    RefusedCall(#"{"method":"a.B","oneway":"true"}"#, "oneway", "must be true or false"),
    RefusedCall(#"{"method":"a.B","upgrade":{}}"#, "upgrade", "must be true or false"),
  ]

  static let written = [
    VarlinkCall(""),
    VarlinkCall("a.\0\u{1F}\"\\é😀"),
    VarlinkCall("a.B", ["": nil, "n": [1, 2.5, true, "x\0"], "o": ["p": [:]]]),
    VarlinkCall("a.B", acceptsMore: true),
    VarlinkCall("a.B", isOneway: true),
    VarlinkCall("a.B", ["c": 1], acceptsMore: true, isOneway: true, wantsUpgrade: true),
  ]
}
