import PathModel
import Testing

@Suite("Rejected JSON")
struct JSONReaderRejectedTests {
  private static let texts: [(code: JSONError.Code, rows: [(text: String, offset: Int)])] = [
    (
      .unexpectedEnd,
      [
        ("", 0), (" \n", 2), ("[", 1), ("[1", 2), ("[1,", 3), ("{", 1), (#"{"a":1"#, 6), ("n", 1), ("nul", 3),
        ("fals", 4), ("-", 1), ("1.", 2), ("1e", 2), ("1e+", 3), ("\"", 1), ("\"a", 2), (#""\"#, 2), (#""\""#, 3),
        (#""\\\""#, 5),
      ]
    ),
    (
      .unexpectedByte,
      [
        ("]", 0), ("[1,]", 3), ("[,1]", 1), ("[1;2]", 2), ("[1}", 2), ("}", 0), ("{]", 1), ("{1:2}", 1), ("{a:1}", 1),
        (#"{"a"}"#, 4), (#"{"a" 1}"#, 5), (#"{"a"::1}"#, 5), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), (#"{,"a":1}"#, 1),
        (#"{"a":1 "b":2}"#, 7), (#"{"a":1]"#, 6), ("/* one */ 1", 0), ("# 1", 0), ("\u{FEFF}1", 0), ("\u{A0}1", 0),
        ("\u{B}1", 0), ("\u{C}1", 0), ("nulL", 3), ("NULL", 0), ("tru ", 3), ("hello", 0), ("NaN", 0),
        ("Infinity", 0), ("+1", 0), (".5", 0), ("１", 0), ("'a'", 0),
      ]
    ),
    (
      .trailingBytes,
      [
        ("[1]]", 3), ("{}{}", 2), ("1 2", 2), ("null,", 4), ("[1] // one", 4), ("1\0", 1), ("nullx", 4), ("0x1F", 1),
        ("1_000", 1), ("1.2.3", 3), ("1e2.5", 3), ("\"a\"b\"", 3),
      ]
    ),
    (
      .invalidNumber,
      [
        ("--1", 1), ("- 1", 1), ("-NaN", 1), ("00", 0), ("-01", 1), ("[00.5]", 1), ("-.5", 1), ("[1.]", 3),
        ("1.e2", 2), ("[1e]", 3), ("[1E-]", 4), ("1e+-2", 3),
      ]
    ),
    (
      .numberOutOfRange,
      [
        ("1e999", 0), ("[-1e999]", 1), ("1.7976931348623159e308", 0), ("1e99999999999999999999999999", 0),
        (String(repeating: "9", count: 400), 0),
      ]
    ),
    (.controlCharacter, [("\"a\nb\"", 2), ("\"\0\"", 1), ("\"\u{1F}\"", 1), ("{\"a\r\":1}", 3)]),
    (
      .invalidEscape,
      [
        (#""\a""#, 2), (#""\0""#, 2), ("\"\\\n\"", 2), ("\"\\é\"", 2), (#""\u""#, 3), (#""\u123""#, 6),
        (#""\u00G0""#, 5), (#""\u{41}""#, 3), (#""\U0041""#, 2), (#""\u+041""#, 3), (#""\ud800\u""#, 9),
        (#""\ud800\udc0""#, 12),
      ]
    ),
    (
      .loneSurrogate,
      [
        (#""\ud800""#, 1), (#""\udbff!""#, 1), (#""ab\udc00""#, 3), (#""\udfff\ud800""#, 1), (#""\ud800\ud800""#, 1),
        (#""\ud800\n""#, 1), (#""\ud800\u0041""#, 1), (#"{"\ud800":1}"#, 2),
      ]
    ),
  ]

  private static func error(_ bytes: [UInt8]) -> JSONError? {
    #expect(throws: JSONError.self, "\(bytes)") { try JSONValue(parsing: bytes) }
  }

  @Test(arguments: texts)
  func `an invalid text is refused with the code and the byte of its first mistake`(
    code: JSONError.Code, rows: [(text: String, offset: Int)]
  ) {
    for (text, offset) in rows {
      let error = Self.error(Array(text.utf8))
      #expect(error?.code == code && error?.offset == offset, "\(text): \(error as Any)")
    }
  }

  /// Bytes that are not UTF-8, for a string.
  static let malformed: [[UInt8]] = [
    // A continuation without a beginning, sequences that are cut short, overlong, surrogates, above U+10FFFF.
    [0x80], [0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC0, 0xAF], [0xC1, 0xBF],
    [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    // An escape instead of the continuation.
    [0xC3, 0x5C, 0x6E],
  ]

  @Test(arguments: malformed)
  func `bytes that are not UTF-8 are refused by their place`(bytes: [UInt8]) {
    for before in ["\"", #""é\n"#, #"{""#] {
      let error = Self.error(Array(before.utf8) + bytes + [0x22])
      #expect(error?.code == .invalidUTF8 && error?.offset == before.utf8.count)
    }
    let outside = Self.error([0x5B] + bytes)
    #expect(outside?.code == .unexpectedByte && outside?.offset == 1)
  }

  @Test(arguments: [
    ("", "0: expected a value, found the end of the text"), ("[1,]", "3: expected a value, found ']'"),
    ("[1 2]", "3: expected ',' or ']' after the element, found '2'"),
    (#"{"a":1;}"#, "6: expected ',' or '}' after the member, found ';'"),
    (#"{"a":1,}"#, "7: expected '\"' to begin an object key, found '}'"),
    (#"{"a": 1, "b"}"#, "12: expected ':' after the object key, found '}'"),
    ("1\0", "1: expected nothing after the value, found byte 0x00"), ("nul1", "3: expected 'null', found '1'"),
    ("-", "1: expected a digit after '-', found the end of the text"),
    ("01", "0: a number must not have leading zeros"),
    ("1.e", "2: expected a digit after the decimal point, found 'e'"),
    ("1e999", "0: the number is too large for a 64-bit floating point"),
    ("\"a", "2: the string that begins at byte 0 is not closed"),
    ("\"\n\"", "1: expected control characters in a string to be escaped, found byte 0x0A"),
    (#""\x""#, #"2: expected one of "\/bfnrtu after the backslash, found 'x'"#),
    (#""\u1""#, #"4: expected four hexadecimal digits after '\u', found '"'"#),
    (#"["\ud800"]"#, #"2: the escape '\uD800' is one half of a surrogate pair"#),
    ("\u{FEFF}", "0: expected a value, found byte 0xEF"),
  ])
  func `an error names the expected and the found token, and the place`(text: String, words: String) {
    #expect(Self.error(Array(text.utf8))?.description == "invalid JSON at byte \(words)")
  }
}
