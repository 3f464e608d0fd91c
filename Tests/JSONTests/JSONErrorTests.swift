import PathModel
import Testing

@Suite("JSON errors")
struct JSONErrorTests {
  @Test(arguments: [
    (#"{"addresses": 1, "b"}"#, "invalid JSON at byte 20: expected ':' after the object key, found '}'"),
    ("", "invalid JSON at byte 0: expected a value, found the end of the text"),
    ("[1,]", "invalid JSON at byte 3: expected a value, found ']'"),
    ("[1 2]", "invalid JSON at byte 3: expected ',' or ']' after the element, found '2'"),
    (#"{"a":1;}"#, "invalid JSON at byte 6: expected ',' or '}' after the member, found ';'"),
    (#"{"a":1,}"#, "invalid JSON at byte 7: expected '\"' to begin an object key, found '}'"),
    ("1\0", "invalid JSON at byte 1: expected nothing after the value, found byte 0x00"),
    ("nul1", "invalid JSON at byte 3: expected 'null', found '1'"),
    ("-", "invalid JSON at byte 1: expected a digit after '-', found the end of the text"),
    ("01", "invalid JSON at byte 0: a number must not have leading zeros"),
    ("1.e", "invalid JSON at byte 2: expected a digit after the decimal point, found 'e'"),
    ("1e999", "invalid JSON at byte 0: the number is too large for a 64-bit floating point"),
    ("\"a", "invalid JSON at byte 2: the string that begins at byte 0 is not closed"),
    ("\"\n\"", "invalid JSON at byte 1: expected control characters in a string to be escaped, found byte 0x0A"),
    (#""\x""#, #"invalid JSON at byte 2: expected one of "\/bfnrtu after the backslash, found 'x'"#),
    (#""\u1""#, #"invalid JSON at byte 4: expected four hexadecimal digits after '\u', found '"'"#),
    (#"["\ud800"]"#, #"invalid JSON at byte 2: the escape '\uD800' is one half of a surrogate pair"#),
    ("\u{FEFF}", "invalid JSON at byte 0: expected a value, found byte 0xEF"),
  ])
  func `an error names the expected and the found token, and the place`(text: String, description: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
    #expect(error?.description == description)
  }

  @Test func `an error names the first byte that is not UTF-8`() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0x61, 0xFF, 0x22]) }
    #expect(error == JSONError(.invalidUTF8, offset: 2, message: "the string is not valid UTF-8, found byte 0xFF"))
  }

  @Test func `a code prints as its name`() {
    #expect("\(JSONError.Code.loneSurrogate)" == "loneSurrogate")
  }
}
