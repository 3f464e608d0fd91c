internal import CLinux
internal import Glibc

/// The memory of this process.
package enum ProcessMemory {
  /// The part of it in main memory, in bytes; `nil` when procfs cannot be read. Source: `/proc/self/statm`.
  package static var residentBytes: Int? {
    guard let contents = try? Files.read("/proc/self/statm") else { return nil }
    let fields = String(decoding: contents, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(getpagesize())
  }

  /// Returns free memory to the system; otherwise the allocator keeps it.
  package static func trim() { clinux_trim_memory() }
}
