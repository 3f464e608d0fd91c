internal import CLinux
internal import Glibc

/// The memory of this process.
package enum ProcessMemory {
  /// How many bytes of it are in main memory; `nil` when procfs cannot be read. Source: `/proc/self/statm`.
  package static var residentBytes: Int? {
    guard let contents = try? Files.read("/proc/self/statm") else { return nil }
    let fields = String(decoding: contents, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(getpagesize())
  }

  /// Gives memory that is free back to the system, which the allocator keeps otherwise.
  package static func trim() { clinux_trim_memory() }
}
