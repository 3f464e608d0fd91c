import PathModel
import PathTestSupport
import Testing

@Suite("JSON round trips")
struct JSONRoundTripTests {
  @Test(arguments: [0, 1, 2, UInt64.random(in: .min ... .max)])
  func `any value that is written reads back as itself`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let value = JSONValue.random(depth: 5, using: &generator)
      let text = value.description
      let readBack = try JSONValue(parsing: Array(text.utf8))
      #expect(readBack == value, "seed \(seed)")
      #expect(Array(readBack.description.utf8) == Array(text.utf8))
    }
  }

  @Test("every truncation of a document ends unexpectedly, at the truncation", arguments: 0..<document.count)
  func truncation(length: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(document[..<length])) }
    #expect(error?.code == .unexpectedEnd)
    #expect(error?.offset == length)
  }

  @Test("a document with any byte changed is refused or reads back as itself", arguments: 0..<document.count)
  func mutation(position: Int) throws {
    var mutant = document
    for byte in UInt8.min ... .max {
      mutant[position] = byte
      guard let value = try? JSONValue(parsing: mutant) else { continue }
      let text = Array(value.description.utf8)
      let readBack = try JSONValue(parsing: text)
      #expect(readBack == value)
      #expect(Array(readBack.description.utf8) == text)
    }
  }
}

private let document = Array(
  #"""
  { "status": "satisfied", "a\"\u00e9\ud83d\ude00": [1, -20, 3.5e-7, 9223372036854775807, "é😀\n"],
    "cost": null, "flags": {"isExpensive": true, "isConstrained": false, "": [[], {}]} }
  """#.utf8)

extension JSONValue {
  /// Any value that can be written without loss, nested up to `depth` deep.
  fileprivate static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0: return .null
    case 1: return .boolean(.random(using: &generator))
    case 2: return .integer(.random(in: -1000...1000, using: &generator))
    case 3:
      let shift = Int64.random(in: 0..<64, using: &generator)
      return .integer(Int64(truncatingIfNeeded: generator.next()) >> shift)
    case 4:
      let number = Double(bitPattern: generator.next())
      return .number(number.isFinite ? number : 0.5)
    case 5: return .string(randomString(using: &generator))
    case 6:
      let count = Int.random(in: 0..<6, using: &generator)
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      var object = JSONObject()
      // Sometimes enough members for the object to index its keys.
      for _ in 0..<([0, 1, 3, 5, 24].randomElement(using: &generator) ?? 0) {
        object[randomString(using: &generator)] = random(depth: depth - 2, using: &generator)
      }
      return .object(object)
    }
  }

  private static func randomString(using generator: inout some RandomNumberGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x20...0x7F, 0x22...0x22, 0x5C...0x5C, 0x61...0x7A, 0x80...0x7FF, 0x300...0x320, 0x800...0xD7FF,
      0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    var string = ""
    for _ in 0..<Int.random(in: 0..<24, using: &generator) {
      let range = ranges.randomElement(using: &generator) ?? 0x20...0x7F
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
        string.unicodeScalars.append(scalar)
      }
    }
    return string
  }
}
