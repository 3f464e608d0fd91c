import PathModel
import Testing

@Suite("Accepted JSON")
struct JSONReaderAcceptedTests {
  @Test(arguments: literals + integers + numbers + strings + containers)
  func `a valid text is read as exactly the value it stands for`(text: String, expected: JSONValue) throws {
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(value == expected)
    // Equality alone would not notice the sign of zero and the composition of characters.
    #expect(Array(value.description.utf8) == Array(expected.description.utf8))
  }

  @Test func `a text is read from a span of a larger buffer`() throws {
    let buffer: [UInt8] = Array(#"....{"a":1}...."#.utf8)
    #expect(try JSONValue(parsing: buffer.span.extracting(4..<11)) == ["a": 1])
  }

  static let literals: [(String, JSONValue)] = [
    ("null", nil), ("true", true), ("false", false), ("\t\r\n true \t\r\n", true),
  ]

  static let integers: [(String, JSONValue)] = [
    ("0", 0), ("-0", 0), ("-1", -1), ("10", 10), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775807", .integer(.min + 1)),
    ("-9223372036854775808", .integer(.min)),
  ]

  static let numbers: [(String, JSONValue)] = [
    ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("-9223372036854775809", .number(-9_223_372_036_854_775_808)), ("100000000000000000000000", .number(1e23)),
    ("0.0", 0.0), ("-0.0", .number(-0.0)), ("-0e0", .number(-0.0)), ("-1.5", -1.5), ("0.1", 0.1), ("1e3", 1000.0),
    ("1E3", 1000.0), ("1e+3", 1000.0), ("1e-3", 0.001), ("1.25e2", 125.0), ("0e999999999999999999999", 0.0),
    ("1e00000000002", 100.0), ("-1e-999", .number(-0.0)), ("5e-324", .number(.leastNonzeroMagnitude)),
    ("2.2250738585072011e-308", .number(.leastNormalMagnitude.nextDown)),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("0.30000000000000004", .number(0.1 + 0.2)),
    ("123456789012345678901234567890.5e-10", .number(12_345_678_901_234_567_168)),
  ]

  static let strings: [(String, JSONValue)] = [
    (#""""#, ""), (#"" a b ""#, " a b "), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""/""#, "/"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\u0000\u001f""#, "\0\u{1F}"), (#""\ud83d\ude00""#, "😀"),
    (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
    (#""\uD7FF\uE000\uFFFF""#, "\u{D7FF}\u{E000}\u{FFFF}"), (#""é€😀""#, "é€😀"), ("\"e\u{301}\"", "e\u{301}"),
    (
      "\"\u{7F}\u{80}\u{7FF}\u{800}\u{2028}\u{FEFF}\u{10FFFF}\"", "\u{7F}\u{80}\u{7FF}\u{800}\u{2028}\u{FEFF}\u{10FFFF}"
    ),
    (#""\\u0041""#, #"\u0041"#), (#""\\""#, #"\"#), (#""[1,2]//""#, "[1,2]//"),
    (#""before\nafter é and quite some more""#, "before\nafter é and quite some more"),
  ]

  static let containers: [(String, JSONValue)] = [
    ("[ ]", []), ("[1]", [1]), ("[ 1 , 2\n,\t3 ]", [1, 2, 3]),
    ("[null,true,false,0,0.5,\"\",[],{}]", [nil, true, false, 0, 0.5, "", [], [:]]), ("[[],[[]]]", [[], [[]]]),
    ("{ }", [:]), (#"{"":0}"#, ["": 0]), ("\n{ \"a\" :\t1 ,\r\n\"b\": [ ] }\n", ["a": 1, "b": []]),
    (#"{"b":1,"a":2}"#, ["b": 1, "a": 2]), (#"{"a":{"a":{"a":null}}}"#, ["a": ["a": ["a": nil]]]),
    (#"{"\n\"":"x"}"#, ["\n\"": "x"]), ("{\"\u{E9}\":1,\"e\u{301}\":2}", ["\u{E9}": 1, "e\u{301}": 2]),
  ]
}
