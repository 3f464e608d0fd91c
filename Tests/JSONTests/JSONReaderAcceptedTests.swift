import PathModel
import Testing

/// A text and the value it stands for.
struct Accepted: Sendable, CustomTestStringConvertible {
  var text: String
  var value: JSONValue

  init(_ text: String, _ value: JSONValue) {
    self.text = text
    self.value = value
  }

  var testDescription: String { text.debugDescription }
}

@Suite("Accepted JSON")
struct JSONReaderAcceptedTests {
  @Test(arguments: literals + integers + numbers + strings + arrays + objects)
  func `a valid text is read as exactly the value it stands for`(_ example: Accepted) throws {
    let value = try JSONValue(parsing: Array(example.text.utf8))
    #expect(value == example.value)
    // Equality alone would not notice the sign of zero and the composition of characters.
    #expect(Array(value.description.utf8) == Array(example.value.description.utf8))
  }

  @Test func `a text is read from a span of a larger buffer`() throws {
    let buffer: [UInt8] = Array(#"....{"a":1}...."#.utf8)
    let value = try JSONValue(parsing: buffer.span.extracting(4..<11))
    #expect(value == ["a": 1])
  }

  static let literals = [
    Accepted("null", nil),
    Accepted("true", true),
    Accepted("false", false),
    Accepted(" null", nil),
    Accepted("null\n", nil),
    Accepted("\t\r\n true \t\r\n", true),
  ]

  static let integers = [
    Accepted("0", 0),
    Accepted("-0", 0),
    Accepted("7", 7),
    Accepted("-1", -1),
    Accepted("10", 10),
    Accepted("1500", 1500),
    Accepted("4294967296", 4_294_967_296),
    Accepted("9007199254740993", 9_007_199_254_740_993),
    Accepted("9223372036854775807", .integer(.max)),
    Accepted("-9223372036854775807", .integer(.min + 1)),
    Accepted("-9223372036854775808", .integer(.min)),
  ]

  static let numbers = [
    Accepted("9223372036854775808", .number(9_223_372_036_854_775_808)),
    Accepted("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
    Accepted("18446744073709551616", .number(18_446_744_073_709_551_616)),
    Accepted("100000000000000000000000", .number(1e23)),
    Accepted("0.0", 0.0),
    Accepted("-0.0", .number(-0.0)),
    Accepted("-0e0", .number(-0.0)),
    Accepted("1.0", 1.0),
    Accepted("-1.5", -1.5),
    Accepted("0.1", 0.1),
    Accepted("1e3", 1000.0),
    Accepted("1E3", 1000.0),
    Accepted("1e+3", 1000.0),
    Accepted("1e-3", 0.001),
    Accepted("1.25e2", 125.0),
    Accepted("0e999999999999999999999", 0.0),
    Accepted("1e00000000002", 100.0),
    Accepted("1e-999", 0.0),
    Accepted("-1e-999", .number(-0.0)),
    Accepted("5e-324", .number(.leastNonzeroMagnitude)),
    Accepted("2.2250738585072011e-308", .number(.leastNormalMagnitude.nextDown)),
    Accepted("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    Accepted("0.30000000000000004", .number(0.1 + 0.2)),
    Accepted("123456789012345678901234567890.5e-10", .number(12_345_678_901_234_567_168)),
  ]

  static let strings = [
    Accepted(#""""#, ""),
    Accepted(#""a""#, "a"),
    Accepted(#"" a b ""#, " a b "),
    Accepted(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    Accepted(#""/""#, "/"),
    Accepted(#""\u0041\u00e9\u20AC""#, "Aé€"),
    Accepted(#""\u0000""#, "\0"),
    Accepted(#""\u001f""#, "\u{1F}"),
    Accepted(#""\ud83d\ude00""#, "😀"),
    Accepted(#""\uD800\uDC00""#, "\u{10000}"),
    Accepted(#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    Accepted(#""\uD7FF\uE000\uFFFF""#, "\u{D7FF}\u{E000}\u{FFFF}"),
    Accepted(#""é€😀""#, "é€😀"),
    Accepted("\"e\u{301}\"", "e\u{301}"),
    Accepted(
      "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{FEFF}\u{10FFFF}\"", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{FEFF}\u{10FFFF}"
    ),
    Accepted("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"),
    Accepted(#""\\u0041""#, #"\u0041"#),
    Accepted(#""\\""#, #"\"#),
    Accepted(#""null""#, "null"),
    Accepted(#""[1,2]//""#, "[1,2]//"),
    Accepted(#""before\nafter é and quite some more""#, "before\nafter é and quite some more"),
  ]

  static let arrays = [
    Accepted("[]", []),
    Accepted("[ ]", []),
    Accepted("[1]", [1]),
    Accepted("[1,2,3]", [1, 2, 3]),
    Accepted("[ 1 , 2\n,\t3 ]", [1, 2, 3]),
    Accepted("[null,true,false,0,0.5,\"\",[],{}]", [nil, true, false, 0, 0.5, "", [], [:]]),
    Accepted("[[[[]]]]", [[[[]]]]),
    Accepted("[[],[[]]]", [[], [[]]]),
  ]

  static let objects = [
    Accepted("{}", [:]),
    Accepted("{ }", [:]),
    Accepted(#"{"a":1}"#, ["a": 1]),
    Accepted(#"{"":0}"#, ["": 0]),
    Accepted("\n{ \"a\" :\t1 ,\r\n\"b\": [ ] }\n", ["a": 1, "b": []]),
    Accepted(#"{"b":1,"a":2}"#, ["b": 1, "a": 2]),
    Accepted(#"{"a":{"a":{"a":null}}}"#, ["a": ["a": ["a": nil]]]),
    Accepted(#"{"\n\"":"x"}"#, ["\n\"": "x"]),
    Accepted("{\"\u{E9}\":1,\"e\u{301}\":2}", ["\u{E9}": 1, "e\u{301}": 2]),
    Accepted(#"{"method":"io.example.Get","more":true}"#, ["method": "io.example.Get", "more": true]),
  ]
}
