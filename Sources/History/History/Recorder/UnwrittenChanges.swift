internal import SystemIO

/// The number of changes that a recorder keeps in memory because it cannot write them, for readers of the history.
///
/// The file is in the folder that systemd makes for the recorder in memory. So a full disk does not keep it from being
/// written, and it goes with the recorder.
package enum UnwrittenChanges {
  private static let name = "unwritten"
  /// The file of this recorder; `nil` outside of a unit.
  static var file: String? { Environment.value("RUNTIME_DIRECTORY").map { "\($0)/\(name)" } }

  /// Writes the number, or removes it when there is none. A failure only keeps it from readers.
  static func write(_ count: Int, to file: String) {
    if count > 0 { try? Files.replace(file, with: Array("\(count)\n".utf8)) } else { Files.remove(file) }
  }

  /// The number of changes that wait; 0 when the recorder has none, or does not run.
  package static func read(_ file: String = "/run/pathmonitor-history/\(name)") -> Int {
    let digits = ((try? Files.read(file, limit: 32)) ?? []).prefix { $0 != UInt8(ascii: "\n") }
    return max(0, Int(String(decoding: digits, as: UTF8.self)) ?? 0)
  }
}
