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

  static let literals: [Accepted] = [
    .init("null", nil), .init("true", true), .init("false", false), .init(" null", nil), .init("null\n", nil),
    .init("\t\r\n true \t\r\n", true),
  ]

  static let integers: [Accepted] = [
    .init("0", 0), .init("-0", 0), .init("7", 7), .init("-1", -1), .init("10", 10), .init("1500", 1500),
    .init("4294967296", 4_294_967_296), .init("9007199254740993", 9_007_199_254_740_993),
    .init("9223372036854775807", .integer(.max)), .init("-9223372036854775807", .integer(.min + 1)),
    .init("-9223372036854775808", .integer(.min)),
  ]

  static let numbers: [Accepted] = [
    .init("9223372036854775808", .number(9_223_372_036_854_775_808)),
    .init("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
    .init("18446744073709551616", .number(18_446_744_073_709_551_616)),
    .init("100000000000000000000000", .number(1e23)), .init("0.0", 0.0), .init("-0.0", .number(-0.0)),
    .init("-0e0", .number(-0.0)), .init("1.0", 1.0), .init("-1.5", -1.5), .init("0.1", 0.1), .init("1e3", 1000.0),
    .init("1E3", 1000.0), .init("1e+3", 1000.0), .init("1e-3", 0.001), .init("1.25e2", 125.0),
    .init("0e999999999999999999999", 0.0), .init("1e00000000002", 100.0), .init("1e-999", 0.0),
    .init("-1e-999", .number(-0.0)), .init("5e-324", .number(.leastNonzeroMagnitude)),
    .init("2.2250738585072011e-308", .number(.leastNormalMagnitude.nextDown)),
    .init("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    .init("0.30000000000000004", .number(0.1 + 0.2)),
    .init("123456789012345678901234567890.5e-10", .number(12_345_678_901_234_567_168)),
  ]

  static let strings: [Accepted] = [
    .init(#""""#, ""), .init(#""a""#, "a"), .init(#"" a b ""#, " a b "),
    .init(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), .init(#""/""#, "/"), .init(#""\u0041\u00e9\u20AC""#, "Aé€"),
    .init(#""\u0000""#, "\0"), .init(#""\u001f""#, "\u{1F}"), .init(#""\ud83d\ude00""#, "😀"),
    .init(#""\uD800\uDC00""#, "\u{10000}"), .init(#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    .init(#""\uD7FF\uE000\uFFFF""#, "\u{D7FF}\u{E000}\u{FFFF}"), .init(#""é€😀""#, "é€😀"),
    .init("\"e\u{301}\"", "e\u{301}"),
    .init(
      "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{FEFF}\u{10FFFF}\"", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{FEFF}\u{10FFFF}"
    ),
    .init("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), .init(#""\\u0041""#, #"\u0041"#), .init(#""\\""#, #"\"#),
    .init(#""null""#, "null"), .init(#""[1,2]//""#, "[1,2]//"),
    .init(#""before\nafter é and quite some more""#, "before\nafter é and quite some more"),
  ]

  static let arrays: [Accepted] = [
    .init("[]", []), .init("[ ]", []), .init("[1]", [1]), .init("[1,2,3]", [1, 2, 3]),
    .init("[ 1 , 2\n,\t3 ]", [1, 2, 3]),
    .init("[null,true,false,0,0.5,\"\",[],{}]", [nil, true, false, 0, 0.5, "", [], [:]]), .init("[[[[]]]]", [[[[]]]]),
    .init("[[],[[]]]", [[], [[]]]),
  ]

  static let objects: [Accepted] = [
    .init("{}", [:]), .init("{ }", [:]), .init(#"{"a":1}"#, ["a": 1]), .init(#"{"":0}"#, ["": 0]),
    .init("\n{ \"a\" :\t1 ,\r\n\"b\": [ ] }\n", ["a": 1, "b": []]), .init(#"{"b":1,"a":2}"#, ["b": 1, "a": 2]),
    .init(#"{"a":{"a":{"a":null}}}"#, ["a": ["a": ["a": nil]]]), .init(#"{"\n\"":"x"}"#, ["\n\"": "x"]),
    .init("{\"\u{E9}\":1,\"e\u{301}\":2}", ["\u{E9}": 1, "e\u{301}": 2]),
    .init(#"{"method":"io.example.Get","more":true}"#, ["method": "io.example.Get", "more": true]),
  ]
}
