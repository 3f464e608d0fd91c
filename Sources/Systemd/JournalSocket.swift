internal import CSystemd
internal import Glibc

/// Sends entries to the journal, sd_journal_sendv(3).
package enum JournalSocket {
  /// Sends an entry of fields `NAME=value`; a value may have several lines.
  package static func send(_ fields: [String]) {
    // All fields lie in one piece of memory, which the journal's function reads within one call.
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for field in fields {
      let start = bytes.count
      bytes += field.utf8
      ranges.append(start..<bytes.count)
    }
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let vectors = unsafe ranges.map { range in
        unsafe iovec(iov_base: buffer.baseAddress?.advanced(by: range.lowerBound), iov_len: range.count)
      }
      // A journal that does not listen must not stop us.
      _ = unsafe sd_journal_sendv(vectors, Int32(vectors.count))
    }
  }
}
