import PathModel
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test func `commas and colons are placed between members and elements and nowhere else`() {
    let text = written { writer in
      writer.beginObject()
      writer.key("empty")
      writer.beginArray()
      writer.endArray()
      writer.key("list")
      writer.beginArray()
      writer.integer(1)
      writer.beginObject()
      writer.endObject()
      writer.string("x")
      writer.endArray()
      writer.key("on")
      writer.boolean(true)
      writer.key("number")
      writer.number(0.5)
      writer.endObject()
    }
    #expect(text == #"{"empty":[],"list":[1,{},"x"],"on":true,"number":0.5}"#)
  }

  @Test func `no character separates texts that follow each other, except those that are appended raw`() {
    let text = written { writer in
      writer.beginObject()
      writer.endObject()
      writer.appendRaw(0)
      writer.beginArray()
      writer.endArray()
      writer.appendRaw(UInt8(ascii: "\n"))
      writer.integer(1)
    }
    #expect(text == "{}\0[]\n1")
  }

  @Test func `a writer starts afresh after removing everything, even within a container`() {
    var writer = JSONWriter(reservingCapacity: 64)
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.integer(1)
    writer.removeAll()
    #expect(writer.bytes.isEmpty)
    #expect(writer.bytes.capacity >= 64)
    writer.integer(2)
    #expect(writer.bytes == Array("2".utf8))
  }

  @Test(arguments: [
    ("", #""""#),
    ("plain", #""plain""#),
    ("\"\\/", #""\"\\/""#),
    ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\0\u{1}\u{B}\u{1F}", #""\u0000\u0001\u000b\u001f""#),
    (" ~\u{7F}\u{80}\u{9B}", #"" ~\u007f\u0080\u009b""#),
    ("é€😀\u{2028}", #""é€😀\u2028""#),
    ("\u{202E}\u{2066}\u{200F}\u{FEFF}\u{E0001}", #""\u202e\u2066\u200f\ufeff\udb40\udc01""#),
    (
      "wlan0 \"Café\"\n and a tail longer than a small string",
      #""wlan0 \"Café\"\n and a tail longer than a small string""#
    ),
  ])
  func `a string is escaped where JSON demands it and where it would garble a terminal`(value: String, expected: String)
  {
    #expect(Array(written { $0.string(value) }.utf8) == Array(expected.utf8))
    #expect(
      written { writer in
        writer.beginObject()
        writer.key(value)
        writer.null()
        writer.endObject()
      } == "{\(expected):null}")
  }

  @Test func `every control character is escaped, and all escapes read back`() throws {
    for code in [Array(0...0x9F), [0x61C, 0x200B, 0x202E, 0x2028, 0x2029, 0xE0001]].joined() {
      let string = "a\(try #require(Unicode.Scalar(UInt32(code))))b"
      let text = written { $0.string(string) }
      #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
      #expect(try JSONValue(parsing: Array(text.utf8)) == .string(string))
    }
  }

  @Test func `an integer is written with all its digits at every length, and the extremes of any type`() {
    var power: Int64 = 1
    for _ in 0...18 {
      for value in [power - 1, power, power + 1] {
        #expect(written { $0.integer(value) } == String(value))
        #expect(written { $0.integer(-value) } == String(-value))
      }
      power &*= 10
    }
    #expect(written { $0.integer(Int8.min) } == "-128")
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.integer(10_000_000_000_000_000_000 as UInt64) } == "10000000000000000000")
    #expect(written { $0.integer(Int128.min) } == "-170141183460469231731687303715884105728")
    #expect(written { $0.integer(UInt128.max) } == "340282366920938463463374607431768211455")
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-2.5, "-2.5"), (0.1, "0.1"), (1e16, "1e+16"), (1e-7, "1e-07"),
    (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (.signalingNaN, "null"),
  ])
  func `a number is written in its shortest form and as null when it is not finite`(value: Double, expected: String) {
    #expect(written { $0.number(value) } == expected)
  }

  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
