internal import CLinux

/// Sends entries to the journal in its native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL).
///
/// sd_journal_sendv(3) waits for a journal that does not read, and any program can fill its queue. We never wait.
package enum JournalSocket {
  /// Sends an entry of fields `NAME=value`; a value may have several lines.
  ///
  /// - Returns: Whether the entry is in the journal's queue.
  package static func send(_ fields: [String]) -> Bool {
    var bytes: [UInt8] = []
    for field in fields { append(field, to: &bytes) }
    return unsafe clinux_unix_send_datagram("/run/systemd/journal/socket", bytes, bytes.count) == 0
  }

  /// Appends a field as a line, or with the length of its value if that has several lines.
  private static func append(_ field: String, to bytes: inout [UInt8]) {
    let (newline, text) = (UInt8(ascii: "\n"), Array(field.utf8))
    guard text.contains(newline), let sign = text.firstIndex(of: UInt8(ascii: "=")) else {
      bytes += text + [newline]
      return
    }
    let value = text[(sign + 1)...]
    bytes += text[..<sign] + [newline]
    for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: UInt64(value.count) >> UInt64(shift)))
    }
    bytes += value + [newline]
  }
}
