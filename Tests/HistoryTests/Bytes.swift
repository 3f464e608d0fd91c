import Foundation

/// Whole files.
enum Bytes {
  static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The bytes of a mark, as docs/recorder.md describes them.
  static func mark(number: Int64, duration: Int64) -> [UInt8] {
    func little(_ word: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    let content = [0x3130_6b72_614d_6150, UInt64(bitPattern: number), UInt64(bitPattern: duration)].flatMap(little)
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return content + little(sum)
  }
}
