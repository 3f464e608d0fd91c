import PathModel
import Testing
import Varlink

@Suite("Calls")
struct VarlinkCallTests {
  @Test(arguments: accepted)
  func `a frame is read as the call that it is`(frame: String, call: VarlinkCall) throws {
    #expect(try VarlinkCall(parsing: Array(frame.utf8)[...]) == call)
  }

  @Test(arguments: refused)
  func `a frame that is no call is refused with the reason`(frame: String, parameter: String, reason: String) throws {
    let error = try #require(throws: VarlinkError.self) { try VarlinkCall(parsing: Array(frame.utf8)[...]) }
    #expect(error.name == "org.varlink.service.InvalidParameter")
    #expect(error.parameters["parameter"] == .string(parameter))
    #expect(error.parameters["reason"]?.stringValue?.contains(reason) == true)
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
    ("a.", "a", ""), (".", "", ""), ("a.b.é", "a.b", "é"), ("a.\u{301}B", "a", "\u{301}B"), ("", nil, ""),
    ("GetInfo", nil, "GetInfo"),
  ])
  func `a method's name is cut at its last dot`(method: String, interface: String?, name: String) throws {
    let call = VarlinkCall(method)
    #expect(call.interface.map { Array($0.utf8) } == interface.map { Array($0.utf8) })
    #expect(Array(call.name.utf8) == Array(name.utf8))
  }

  // MARK: Tables

  private static func nested(_ depth: Int) -> String {
    let (open, close) = (String(repeating: "[", count: depth - 2), String(repeating: "]", count: depth - 2))
    return "{\"method\":\"a.B\",\"parameters\":{\"c\":\(open)\(close)}}"
  }

  static let accepted: [(frame: String, call: VarlinkCall)] = [
    (#"{"method":"a.B"}"#, VarlinkCall("a.B")),
    (" {\n\"method\" : \"a.B\"\t}\r\n", VarlinkCall("a.B")),
    (#"{"method":""}"#, VarlinkCall("")),
    (#"{"method":"\u0061.\u0000"}"#, VarlinkCall("a.\0")),
    (#"{"method":"x","method":"a.B"}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","parameters":{}}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","parameters":null}"#, VarlinkCall("a.B")),
    (#"{"parameters":{"c":[1]},"method":"a.B"}"#, VarlinkCall("a.B", ["c": [1]])),
    (#"{"method":"a.B","more":true}"#, VarlinkCall("a.B", acceptsMore: true)),
    (#"{"method":"a.B","oneway":true}"#, VarlinkCall("a.B", isOneway: true)),
    (#"{"method":"a.B","upgrade":true}"#, VarlinkCall("a.B", wantsUpgrade: true)),
    (#"{"method":"a.B","more":false,"oneway":false,"upgrade":false}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","more":null,"oneway":null,"upgrade":null}"#, VarlinkCall("a.B")),
    (#"{"method":"a.B","More":1,"x":{"more":7},"":[]}"#, VarlinkCall("a.B")),
    (nested(32), VarlinkCall("a.B", ["c": (0..<29).reduce([]) { value, _ in .array([value]) }])),
  ]

  static let refused: [(frame: String, parameter: String, reason: String)] = [
    ("", "call", "invalid JSON at byte 0: expected a value, found the end of the text"),
    ("{", "call", "invalid JSON at byte 1"),
    ("GET / HTTP/1.1\r\n", "call", "invalid JSON at byte 0"),
    (#"{"method":"a.B"}{}"#, "call", "expected nothing after the value"),
    (nested(33), "call", "nested more than 32 deep"),
    (String(repeating: "[", count: 65_536), "call", "nested more than 32 deep"),
    (String(repeating: "{\"a\":", count: 13_000), "call", "nested more than 32 deep"),
    ("null", "call", "a call is a JSON object"),
    ("[]", "call", "a call is a JSON object"),
    ("{}", "method", "must be a string"),
    (#"{"method":null}"#, "method", "must be a string"),
    (#"{"method":1}"#, "method", "must be a string"),
    (#"{"method":"a.B","parameters":[]}"#, "parameters", "must be an object"),
    (#"{"method":"a.B","parameters":"x"}"#, "parameters", "must be an object"),
    (#"{"method":"a.B","more":1}"#, "more", "must be true or false"),
    (#"{"method":"a.B","oneway":"true"}"#, "oneway", "must be true or false"),
    (#"{"method":"a.B","upgrade":{}}"#, "upgrade", "must be true or false"),
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
