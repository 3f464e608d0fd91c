import PathModel
import Testing

@Suite("Limits of the JSON reader")
struct JSONReaderLimitsTests {
  @Test(arguments: [0, 1, 2, 64, JSONValue.greatestDepth])
  func `nesting is followed down to the maximum depth and no further`(depth: Int) throws {
    #expect(throws: Never.self) { try JSONValue(parsing: nested(depth), maximumDepth: depth) }
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: nested(depth + 1), maximumDepth: depth)
    }
    #expect(error?.code == .tooDeep)
    #expect(error?.offset == depth)
  }

  @Test func `the depth is that of the deepest branch and not their sum`() throws {
    let value = try JSONValue(parsing: Array(#"[[],[],{},{"a":[]},[[]]]"#.utf8), maximumDepth: 3)
    #expect(value == [[], [], [:], ["a": []], [[]]])
  }

  @Test(arguments: ["[", #"{"a":"#, #"[{"a":"#])
  func `a million openings are an error whatever depth is asked for`(opening: String) {
    let bomb = Array(String(repeating: opening, count: 1_000_000).utf8)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bomb, maximumDepth: .max) }
    #expect(error?.code == .tooDeep)
    #expect(error?.message == "arrays and objects are nested more than 512 deep")
  }

  // A reading that looks for each key among those before it would need 5,000,000,000 comparisons.

  @Test(
    "a hundred thousand members are read in linear time, and of equal keys the last one applies",
    .timeLimit(.minutes(1)), arguments: [20, 100_000])
  func manyMembers(distinct: Int) throws {
    let keys = (0..<100_000).map { "key\($0 % distinct)" }
    let object = try #require(try JSONValue(parsing: object(keys)).objectValue)
    #expect(object.members.map(\.key) == keys)
    #expect((0..<20).allSatisfy { object["key\($0)"] == .integer(Int64(100_000 - distinct + $0)) })
    #expect(object["key"] == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `keys that are canonically equivalent but different bytes are distinguished in linear time`() throws {
    // Each bit chooses the composed or the decomposed form: all keys are equal as Swift strings.
    let keys = (0..<16_384).map { number in
      (0..<14).map { number >> $0 & 1 == 0 ? "\u{E9}" : "e\u{301}" }.joined()
    }
    let value = try JSONValue(parsing: object(keys))
    let object = try #require(value.objectValue)
    #expect(object.count == keys.count)
    #expect(object[keys[12_345]] == 12_345)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["a", "é", "😀", #"\n"#, #"\u00e9"#, #"\ud83d\ude00"#, #"\\"#])
  func `a string of a mebibyte is read in linear time`(piece: String) throws {
    let count = (1 << 20) / piece.utf8.count
    let text = "\"" + String(repeating: piece, count: count) + "\""
    let unit = try #require(try JSONValue(parsing: Array("\"\(piece)\"".utf8)).stringValue)
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(value.stringValue == String(repeating: unit, count: count))
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8.dropLast())) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a number of a hundred thousand digits is read in linear time`() throws {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(try JSONValue(parsing: Array("0.\(zeros)1".utf8)) == 0.0)
    #expect(try JSONValue(parsing: Array("1.\(zeros)1".utf8)) == 1.0)
    #expect(try JSONValue(parsing: Array("0.\(zeros)1e100001".utf8)) == 1.0)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array("1\(zeros)".utf8)) }
    #expect(error?.code == .numberOutOfRange)
  }

  private func nested(_ depth: Int) -> [UInt8] {
    let openings = String(repeating: "[", count: depth)
    let closings = String(repeating: "]", count: depth)
    return Array((openings + (depth == 0 ? "0" : "") + closings).utf8)
  }

  private func object(_ keys: [String]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (number, key) in keys.enumerated() {
      writer.key(key)
      writer.integer(number)
    }
    writer.endObject()
    return writer.bytes
  }
}
