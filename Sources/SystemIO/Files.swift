internal import CLinux
internal import Glibc

/// Small files and links, read whole. Every path is taken as given.
package enum Files {
  /// The contents of a file.
  ///
  /// - Parameter limit: Reading ends after this many bytes; nothing we read is larger.
  package static func read(_ path: String, limit: Int = 65_536) throws(SystemError) -> [UInt8] {
    let file = OwnedDescriptor(owning: try systemCall("open \(path)") { unsafe clinux_open_for_reading(path) })
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while contents.count < limit {
      let count = try systemCall("read \(path)") { unsafe Glibc.read(file.number, &chunk, chunk.count) }
      if count == 0 { break }
      contents += chunk[..<count]
    }
    return contents
  }

  /// Where a symbolic link points; `nil` when the path is no link or cannot be read.
  package static func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: 4_096)
    let count = unsafe readlink(path, &target, target.count)
    return count > 0 ? String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// Whether something is there, also a dangling link's target being absent counts as no.
  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// The directory part of an absolute path; `/` for entries of the root.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
