import PathModel
import Testing

/// A text that is not JSON, the code of the error and the byte it names.
struct Rejected: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var code: JSONError.Code
  var offset: Int

  init(_ text: String, _ code: JSONError.Code, at offset: Int) {
    self.init(Array(text.utf8), code, at: offset)
  }

  init(_ bytes: [UInt8], _ code: JSONError.Code, at offset: Int) {
    self.bytes = bytes
    self.code = code
    self.offset = offset
  }

  /// A string of these bytes, which are not UTF-8 from `offset` on.
  init(stringOf content: UInt8..., at offset: Int) {
    self.init([0x22] + content + [0x22], .invalidUTF8, at: offset)
  }

  var testDescription: String { "\(String(decoding: bytes, as: UTF8.self).debugDescription) \(bytes)" }
}

@Suite("Rejected JSON")
struct JSONReaderRejectedTests {
  @Test(arguments: structures + literals + numbers + strings + escapes + encodings)
  func `an invalid text is refused with the code and the byte of its first mistake`(_ example: Rejected) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: example.bytes) }
    #expect(error?.code == example.code)
    #expect(error?.offset == example.offset)
  }

  @Test func `a lone surrogate escape is refused`() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(#"["\ud800"]"#.utf8)) }
    #expect(
      error?.description == #"invalid JSON at byte 2: the escape '\uD800' is one half of a surrogate pair"#)
  }

  static let structures = [
    Rejected("", .unexpectedEnd, at: 0),
    Rejected(" \n", .unexpectedEnd, at: 2),
    Rejected("[", .unexpectedEnd, at: 1),
    Rejected("]", .unexpectedByte, at: 0),
    Rejected("[1", .unexpectedEnd, at: 2),
    Rejected("[1,", .unexpectedEnd, at: 3),
    Rejected("[1,]", .unexpectedByte, at: 3),
    Rejected("[,1]", .unexpectedByte, at: 1),
    Rejected("[1,,2]", .unexpectedByte, at: 3),
    Rejected("[1 2]", .unexpectedByte, at: 3),
    Rejected("[1;2]", .unexpectedByte, at: 2),
    Rejected("[1}", .unexpectedByte, at: 2),
    Rejected("[1]]", .trailingBytes, at: 3),
    Rejected("{", .unexpectedEnd, at: 1),
    Rejected("}", .unexpectedByte, at: 0),
    Rejected("{]", .unexpectedByte, at: 1),
    Rejected("{1:2}", .unexpectedByte, at: 1),
    Rejected("{a:1}", .unexpectedByte, at: 1),
    Rejected("{'a':1}", .unexpectedByte, at: 1),
    Rejected("{null:1}", .unexpectedByte, at: 1),
    Rejected(#"{"a"}"#, .unexpectedByte, at: 4),
    Rejected(#"{"a" 1}"#, .unexpectedByte, at: 5),
    Rejected(#"{"a",1}"#, .unexpectedByte, at: 4),
    Rejected(#"{"a"::1}"#, .unexpectedByte, at: 5),
    Rejected(#"{"a":}"#, .unexpectedByte, at: 5),
    Rejected(#"{"a":1"#, .unexpectedEnd, at: 6),
    Rejected(#"{"a":1,}"#, .unexpectedByte, at: 7),
    Rejected(#"{,"a":1}"#, .unexpectedByte, at: 1),
    Rejected(#"{"a":1,,"b":2}"#, .unexpectedByte, at: 7),
    Rejected(#"{"a":1 "b":2}"#, .unexpectedByte, at: 7),
    Rejected(#"{"a":1]"#, .unexpectedByte, at: 6),
    Rejected("{}{}", .trailingBytes, at: 2),
    Rejected("1 2", .trailingBytes, at: 2),
    Rejected("null,", .trailingBytes, at: 4),
    Rejected("{}\0", .trailingBytes, at: 2),
    Rejected("[1] // one", .trailingBytes, at: 4),
    Rejected("/* one */ 1", .unexpectedByte, at: 0),
    Rejected("# 1", .unexpectedByte, at: 0),
    Rejected("\u{FEFF}1", .unexpectedByte, at: 0),
    Rejected("\u{A0}1", .unexpectedByte, at: 0),
    Rejected("\u{B}1", .unexpectedByte, at: 0),
    Rejected("\u{C}1", .unexpectedByte, at: 0),
    Rejected("1\0", .trailingBytes, at: 1),
    Rejected([0xFE, 0xFF, 0x00, 0x31], .unexpectedByte, at: 0),
    Rejected([0x31, 0x00], .trailingBytes, at: 1),
  ]

  static let literals = [
    Rejected("n", .unexpectedEnd, at: 1),
    Rejected("nul", .unexpectedEnd, at: 3),
    Rejected("nulL", .unexpectedByte, at: 3),
    Rejected("nullx", .trailingBytes, at: 4),
    Rejected("NULL", .unexpectedByte, at: 0),
    Rejected("nil", .unexpectedByte, at: 1),
    Rejected("True", .unexpectedByte, at: 0),
    Rejected("tru ", .unexpectedByte, at: 3),
    Rejected("truefalse", .trailingBytes, at: 4),
    Rejected("fals", .unexpectedEnd, at: 4),
    Rejected("undefined", .unexpectedByte, at: 0),
    Rejected("hello", .unexpectedByte, at: 0),
    Rejected("NaN", .unexpectedByte, at: 0),
    Rejected("nan", .unexpectedByte, at: 1),
    Rejected("Infinity", .unexpectedByte, at: 0),
    Rejected("inf", .unexpectedByte, at: 0),
  ]

  static let numbers = [
    Rejected("-", .unexpectedEnd, at: 1),
    Rejected("--1", .invalidNumber, at: 1),
    Rejected("-a", .invalidNumber, at: 1),
    Rejected("- 1", .invalidNumber, at: 1),
    Rejected("-Infinity", .invalidNumber, at: 1),
    Rejected("-NaN", .invalidNumber, at: 1),
    Rejected("+1", .unexpectedByte, at: 0),
    Rejected("00", .invalidNumber, at: 0),
    Rejected("01", .invalidNumber, at: 0),
    Rejected("-01", .invalidNumber, at: 1),
    Rejected("[00.5]", .invalidNumber, at: 1),
    Rejected("0x1F", .trailingBytes, at: 1),
    Rejected("1_000", .trailingBytes, at: 1),
    Rejected("1,5", .trailingBytes, at: 1),
    Rejected(".5", .unexpectedByte, at: 0),
    Rejected("-.5", .invalidNumber, at: 1),
    Rejected("1.", .unexpectedEnd, at: 2),
    Rejected("[1.]", .invalidNumber, at: 3),
    Rejected("1.e2", .invalidNumber, at: 2),
    Rejected("1.2.3", .trailingBytes, at: 3),
    Rejected("1e", .unexpectedEnd, at: 2),
    Rejected("1e+", .unexpectedEnd, at: 3),
    Rejected("[1e]", .invalidNumber, at: 3),
    Rejected("[1E-]", .invalidNumber, at: 4),
    Rejected("1e+-2", .invalidNumber, at: 3),
    Rejected("1e2.5", .trailingBytes, at: 3),
    Rejected("1ee2", .invalidNumber, at: 2),
    Rejected("1a", .trailingBytes, at: 1),
    Rejected("１", .unexpectedByte, at: 0),
    Rejected("1e999", .numberOutOfRange, at: 0),
    Rejected("[-1e999]", .numberOutOfRange, at: 1),
    Rejected("1.7976931348623159e308", .numberOutOfRange, at: 0),
    Rejected("1e99999999999999999999999999", .numberOutOfRange, at: 0),
    Rejected(String(repeating: "9", count: 400), .numberOutOfRange, at: 0),
  ]

  static let strings = [
    Rejected("\"", .unexpectedEnd, at: 1),
    Rejected("\"a", .unexpectedEnd, at: 2),
    Rejected("'a'", .unexpectedByte, at: 0),
    Rejected("a", .unexpectedByte, at: 0),
    Rejected("“a”", .unexpectedByte, at: 0),
    Rejected("\"a\"b\"", .trailingBytes, at: 3),
    Rejected("\"a\" \"b\"", .trailingBytes, at: 4),
    Rejected("\"a\nb\"", .controlCharacter, at: 2),
    Rejected("\"\t\"", .controlCharacter, at: 1),
    Rejected("\"\0\"", .controlCharacter, at: 1),
    Rejected("\"\u{1F}\"", .controlCharacter, at: 1),
    Rejected("{\"a\r\":1}", .controlCharacter, at: 3),
  ]

  static let escapes = [
    Rejected(#""\"#, .unexpectedEnd, at: 2),
    Rejected(#""\""#, .unexpectedEnd, at: 3),
    Rejected(#""\\\""#, .unexpectedEnd, at: 5),
    Rejected(#""\a""#, .invalidEscape, at: 2),
    Rejected(#""\x41""#, .invalidEscape, at: 2),
    Rejected(#""\'""#, .invalidEscape, at: 2),
    Rejected(#""\0""#, .invalidEscape, at: 2),
    Rejected(#""\N""#, .invalidEscape, at: 2),
    Rejected("\"\\\n\"", .invalidEscape, at: 2),
    Rejected("\"\\é\"", .invalidEscape, at: 2),
    Rejected(#""\u""#, .invalidEscape, at: 3),
    Rejected(#""\u12""#, .invalidEscape, at: 5),
    Rejected(#""\u123""#, .invalidEscape, at: 6),
    Rejected(#""\u00G0""#, .invalidEscape, at: 5),
    Rejected(#""\u{41}""#, .invalidEscape, at: 3),
    Rejected(#""\U0041""#, .invalidEscape, at: 2),
    Rejected(#""\u+041""#, .invalidEscape, at: 3),
    Rejected(#""\ud800""#, .loneSurrogate, at: 1),
    Rejected(#""\udbff!""#, .loneSurrogate, at: 1),
    Rejected(#""ab\udc00""#, .loneSurrogate, at: 3),
    Rejected(#""\udfff\ud800""#, .loneSurrogate, at: 1),
    Rejected(#""\ud800\ud800""#, .loneSurrogate, at: 1),
    Rejected(#""\ud800\n""#, .loneSurrogate, at: 1),
    Rejected(#""\ud800\u0041""#, .loneSurrogate, at: 1),
    Rejected(#""\ud800\u""#, .invalidEscape, at: 9),
    Rejected(#""\ud800\udc0""#, .invalidEscape, at: 12),
    Rejected(#"{"\ud800":1}"#, .loneSurrogate, at: 2),
  ]

  static let encodings = [
    Rejected(stringOf: 0x80, at: 1),  // a continuation without a beginning
    Rejected(stringOf: 0x61, 0xBF, at: 2),
    Rejected(stringOf: 0xC3, at: 1),  // cut short
    Rejected(stringOf: 0xC3, 0x28, at: 1),
    Rejected(stringOf: 0xE2, 0x82, at: 1),
    Rejected(stringOf: 0xF0, 0x9F, 0x98, at: 1),
    Rejected(stringOf: 0xC0, 0xAF, at: 1),  // overlong
    Rejected(stringOf: 0xC1, 0xBF, at: 1),
    Rejected(stringOf: 0xE0, 0x80, 0xAF, at: 1),
    Rejected(stringOf: 0xF0, 0x80, 0x80, 0xAF, at: 1),
    Rejected(stringOf: 0xC0, 0x80, at: 1),
    Rejected(stringOf: 0xED, 0xA0, 0x80, at: 1),  // surrogates
    Rejected(stringOf: 0xED, 0xBF, 0xBF, at: 1),
    Rejected(stringOf: 0xF4, 0x90, 0x80, 0x80, at: 1),  // above U+10FFFF
    Rejected(stringOf: 0xF5, 0x80, 0x80, 0x80, at: 1),
    Rejected(stringOf: 0xF8, 0x88, 0x80, 0x80, 0x80, at: 1),
    Rejected(stringOf: 0xFE, at: 1),
    Rejected(stringOf: 0xFF, at: 1),
    Rejected(stringOf: 0x5C, 0x6E, 0xFF, at: 3),  // behind an escape
    Rejected(stringOf: 0xC3, 0x5C, 0x6E, at: 1),  // an escape instead of the continuation
    Rejected([0x80], .unexpectedByte, at: 0),
    Rejected([0x5B, 0x31, 0xFF, 0x5D], .unexpectedByte, at: 2),
    Rejected([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .invalidUTF8, at: 2),
  ]
}
