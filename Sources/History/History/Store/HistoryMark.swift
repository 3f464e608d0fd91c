internal import SystemIO

/// The file beside the history that says how long the present span has lasted.
///
/// It has 32 bytes, which are written in place and without fsync(2). So a minute without a change costs one write of
/// one sector. A mark that is torn is not used. The file also says that the history beside it is one of ours.
struct HistoryMark: Hashable {
  /// The number of the present span.
  var number: Int64
  /// Its duration in microseconds.
  var duration: Int64

  /// The longest duration that is believed: a span with it still ends before any clock does.
  private static let longest: Int64 = 1 << 56
  private static let signature: Int64 = 0x3130_6b72_614d_6150  // "PaMark01"

  init(number: Int64, duration: Int64) {
    (self.number, self.duration) = (number, duration)
  }

  /// The mark in a file; `nil` when there is none, or when it is torn.
  init?(_ path: String) {
    guard let bytes = try? Files.read(path, limit: 64), bytes.count == 32 else { return nil }
    let words = stride(from: 0, to: 32, by: 8).map { start in
      bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    self.init(number: Int64(bitPattern: words[1]), duration: Int64(bitPattern: words[2]))
    guard bytes == self.bytes, (0...Self.longest).contains(duration) else { return nil }
  }

  /// The content of the file: four little-endian numbers, the signature first and the check sum last.
  var bytes: [UInt8] {
    let words = [Self.signature, number, duration].map { UInt64(bitPattern: $0) }
    let content = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    let sum = StableHash.value(of: content)
    return content + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }

  /// The place of the mark of a history.
  static func path(of history: String) -> String { history + "-mark" }
}

/// A hash that is the same in each process: FNV-1a with 64 bits.
enum StableHash {
  static func value(of bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
