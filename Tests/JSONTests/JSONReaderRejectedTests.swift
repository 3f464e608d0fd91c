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

  static let structures: [Rejected] = [
    .init("", .unexpectedEnd, at: 0), .init(" \n", .unexpectedEnd, at: 2), .init("[", .unexpectedEnd, at: 1),
    .init("]", .unexpectedByte, at: 0), .init("[1", .unexpectedEnd, at: 2), .init("[1,", .unexpectedEnd, at: 3),
    .init("[1,]", .unexpectedByte, at: 3), .init("[,1]", .unexpectedByte, at: 1),
    .init("[1,,2]", .unexpectedByte, at: 3), .init("[1 2]", .unexpectedByte, at: 3),
    .init("[1;2]", .unexpectedByte, at: 2), .init("[1}", .unexpectedByte, at: 2), .init("[1]]", .trailingBytes, at: 3),
    .init("{", .unexpectedEnd, at: 1), .init("}", .unexpectedByte, at: 0), .init("{]", .unexpectedByte, at: 1),
    .init("{1:2}", .unexpectedByte, at: 1), .init("{a:1}", .unexpectedByte, at: 1),
    .init("{'a':1}", .unexpectedByte, at: 1), .init("{null:1}", .unexpectedByte, at: 1),
    .init(#"{"a"}"#, .unexpectedByte, at: 4), .init(#"{"a" 1}"#, .unexpectedByte, at: 5),
    .init(#"{"a",1}"#, .unexpectedByte, at: 4), .init(#"{"a"::1}"#, .unexpectedByte, at: 5),
    .init(#"{"a":}"#, .unexpectedByte, at: 5), .init(#"{"a":1"#, .unexpectedEnd, at: 6),
    .init(#"{"a":1,}"#, .unexpectedByte, at: 7), .init(#"{,"a":1}"#, .unexpectedByte, at: 1),
    .init(#"{"a":1,,"b":2}"#, .unexpectedByte, at: 7), .init(#"{"a":1 "b":2}"#, .unexpectedByte, at: 7),
    .init(#"{"a":1]"#, .unexpectedByte, at: 6), .init("{}{}", .trailingBytes, at: 2),
    .init("1 2", .trailingBytes, at: 2), .init("null,", .trailingBytes, at: 4), .init("{}\0", .trailingBytes, at: 2),
    .init("[1] // one", .trailingBytes, at: 4), .init("/* one */ 1", .unexpectedByte, at: 0),
    .init("# 1", .unexpectedByte, at: 0), .init("\u{FEFF}1", .unexpectedByte, at: 0),
    .init("\u{A0}1", .unexpectedByte, at: 0), .init("\u{B}1", .unexpectedByte, at: 0),
    .init("\u{C}1", .unexpectedByte, at: 0), .init("1\0", .trailingBytes, at: 1),
    .init([0xFE, 0xFF, 0x00, 0x31], .unexpectedByte, at: 0), .init([0x31, 0x00], .trailingBytes, at: 1),
  ]

  static let literals: [Rejected] = [
    .init("n", .unexpectedEnd, at: 1), .init("nul", .unexpectedEnd, at: 3), .init("nulL", .unexpectedByte, at: 3),
    .init("nullx", .trailingBytes, at: 4), .init("NULL", .unexpectedByte, at: 0), .init("nil", .unexpectedByte, at: 1),
    .init("True", .unexpectedByte, at: 0), .init("tru ", .unexpectedByte, at: 3),
    .init("truefalse", .trailingBytes, at: 4), .init("fals", .unexpectedEnd, at: 4),
    .init("undefined", .unexpectedByte, at: 0), .init("hello", .unexpectedByte, at: 0),
    .init("NaN", .unexpectedByte, at: 0), .init("nan", .unexpectedByte, at: 1),
    .init("Infinity", .unexpectedByte, at: 0), .init("inf", .unexpectedByte, at: 0),
  ]

  static let numbers: [Rejected] = [
    .init("-", .unexpectedEnd, at: 1), .init("--1", .invalidNumber, at: 1), .init("-a", .invalidNumber, at: 1),
    .init("- 1", .invalidNumber, at: 1), .init("-Infinity", .invalidNumber, at: 1),
    .init("-NaN", .invalidNumber, at: 1), .init("+1", .unexpectedByte, at: 0), .init("00", .invalidNumber, at: 0),
    .init("01", .invalidNumber, at: 0), .init("-01", .invalidNumber, at: 1), .init("[00.5]", .invalidNumber, at: 1),
    .init("0x1F", .trailingBytes, at: 1), .init("1_000", .trailingBytes, at: 1), .init("1,5", .trailingBytes, at: 1),
    .init(".5", .unexpectedByte, at: 0), .init("-.5", .invalidNumber, at: 1), .init("1.", .unexpectedEnd, at: 2),
    .init("[1.]", .invalidNumber, at: 3), .init("1.e2", .invalidNumber, at: 2), .init("1.2.3", .trailingBytes, at: 3),
    .init("1e", .unexpectedEnd, at: 2), .init("1e+", .unexpectedEnd, at: 3), .init("[1e]", .invalidNumber, at: 3),
    .init("[1E-]", .invalidNumber, at: 4), .init("1e+-2", .invalidNumber, at: 3), .init("1e2.5", .trailingBytes, at: 3),
    .init("1ee2", .invalidNumber, at: 2), .init("1a", .trailingBytes, at: 1), .init("１", .unexpectedByte, at: 0),
    .init("1e999", .numberOutOfRange, at: 0), .init("[-1e999]", .numberOutOfRange, at: 1),
    .init("1.7976931348623159e308", .numberOutOfRange, at: 0),
    .init("1e99999999999999999999999999", .numberOutOfRange, at: 0),
    .init(String(repeating: "9", count: 400), .numberOutOfRange, at: 0),
  ]

  static let strings: [Rejected] = [
    .init("\"", .unexpectedEnd, at: 1), .init("\"a", .unexpectedEnd, at: 2), .init("'a'", .unexpectedByte, at: 0),
    .init("a", .unexpectedByte, at: 0), .init("“a”", .unexpectedByte, at: 0), .init("\"a\"b\"", .trailingBytes, at: 3),
    .init("\"a\" \"b\"", .trailingBytes, at: 4), .init("\"a\nb\"", .controlCharacter, at: 2),
    .init("\"\t\"", .controlCharacter, at: 1), .init("\"\0\"", .controlCharacter, at: 1),
    .init("\"\u{1F}\"", .controlCharacter, at: 1), .init("{\"a\r\":1}", .controlCharacter, at: 3),
  ]

  static let escapes: [Rejected] = [
    .init(#""\"#, .unexpectedEnd, at: 2), .init(#""\""#, .unexpectedEnd, at: 3),
    .init(#""\\\""#, .unexpectedEnd, at: 5), .init(#""\a""#, .invalidEscape, at: 2),
    .init(#""\x41""#, .invalidEscape, at: 2), .init(#""\'""#, .invalidEscape, at: 2),
    .init(#""\0""#, .invalidEscape, at: 2), .init(#""\N""#, .invalidEscape, at: 2),
    .init("\"\\\n\"", .invalidEscape, at: 2), .init("\"\\é\"", .invalidEscape, at: 2),
    .init(#""\u""#, .invalidEscape, at: 3), .init(#""\u12""#, .invalidEscape, at: 5),
    .init(#""\u123""#, .invalidEscape, at: 6), .init(#""\u00G0""#, .invalidEscape, at: 5),
    .init(#""\u{41}""#, .invalidEscape, at: 3), .init(#""\U0041""#, .invalidEscape, at: 2),
    .init(#""\u+041""#, .invalidEscape, at: 3), .init(#""\ud800""#, .loneSurrogate, at: 1),
    .init(#""\udbff!""#, .loneSurrogate, at: 1), .init(#""ab\udc00""#, .loneSurrogate, at: 3),
    .init(#""\udfff\ud800""#, .loneSurrogate, at: 1), .init(#""\ud800\ud800""#, .loneSurrogate, at: 1),
    .init(#""\ud800\n""#, .loneSurrogate, at: 1), .init(#""\ud800\u0041""#, .loneSurrogate, at: 1),
    .init(#""\ud800\u""#, .invalidEscape, at: 9), .init(#""\ud800\udc0""#, .invalidEscape, at: 12),
    .init(#"{"\ud800":1}"#, .loneSurrogate, at: 2),
  ]

  static let encodings: [Rejected] = [
    // a continuation without a beginning
    .init(stringOf: 0x80, at: 1), .init(stringOf: 0x61, 0xBF, at: 2),
    // cut short
    .init(stringOf: 0xC3, at: 1), .init(stringOf: 0xC3, 0x28, at: 1), .init(stringOf: 0xE2, 0x82, at: 1),
    .init(stringOf: 0xF0, 0x9F, 0x98, at: 1),
    // overlong
    .init(stringOf: 0xC0, 0xAF, at: 1), .init(stringOf: 0xC1, 0xBF, at: 1), .init(stringOf: 0xE0, 0x80, 0xAF, at: 1),
    .init(stringOf: 0xF0, 0x80, 0x80, 0xAF, at: 1), .init(stringOf: 0xC0, 0x80, at: 1),
    // surrogates
    .init(stringOf: 0xED, 0xA0, 0x80, at: 1), .init(stringOf: 0xED, 0xBF, 0xBF, at: 1),
    // above U+10FFFF
    .init(stringOf: 0xF4, 0x90, 0x80, 0x80, at: 1), .init(stringOf: 0xF5, 0x80, 0x80, 0x80, at: 1),
    .init(stringOf: 0xF8, 0x88, 0x80, 0x80, 0x80, at: 1), .init(stringOf: 0xFE, at: 1), .init(stringOf: 0xFF, at: 1),
    // behind an escape
    .init(stringOf: 0x5C, 0x6E, 0xFF, at: 3),
    // an escape instead of the continuation
    .init(stringOf: 0xC3, 0x5C, 0x6E, at: 1),
    // outside of a string, and in a key
    .init([0x80], .unexpectedByte, at: 0), .init([0x5B, 0x31, 0xFF, 0x5D], .unexpectedByte, at: 2),
    .init([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], .invalidUTF8, at: 2),
  ]
}
