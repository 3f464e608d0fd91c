internal import Glibc

/// The processes below this one, as procfs lists them.
///
/// Without the procfs of our own process namespace nothing is listed: a number from another namespace would be that of
/// a foreign process here.
enum ProcessTree {
  /// The children of this process and all that descends from them, in no order; zombies are among them.
  ///
  /// The list is not of one moment. A process whose parent ends meanwhile may be missing; it has become a child of this
  /// process, which gets SIGCHLD for the parent's end or that of a process above it.
  ///
  /// - Parameter strangers: Children that are left out with all that descends from them.
  static func descendants(except strangers: Set<Int32>) -> [Int32] {
    let children = childrenOfAll()
    var found = (children[getpid()] ?? []).filter { !strangers.contains($0) }
    var next = 0
    while next < found.count {
      found += children[found[next]] ?? []
      next += 1
    }
    return found
  }

  /// The children of this process.
  static func children() -> [Int32] { childrenOfAll()[getpid()] ?? [] }

  /// The children of each process by its number. The file `children` of procfs would be shorter, but is an option of
  /// the kernel.
  private static func childrenOfAll() -> [Int32: [Int32]] {
    guard Files.linkTarget("/proc/self") == "\(getpid())" else { return [:] }
    let names = (try? Files.entries(of: "/proc")) ?? []
    var children: [Int32: [Int32]] = [:]
    for process in names.compactMap({ Int32($0) }) {
      guard let line = try? Files.read("/proc/\(process)/stat"), let parent = parent(in: line) else { continue }
      children[parent, default: []].append(process)
    }
    return children
  }

  /// The parent in a line of `/proc/PID/stat`: the second field after the name, which is in parentheses and may contain
  /// some (proc(5)).
  private static func parent(in line: [UInt8]) -> Int32? {
    guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[end...].split(separator: UInt8(ascii: " "), maxSplits: 3)
    return fields.count > 2 ? Int32(String(decoding: fields[2], as: UTF8.self)) : nil
  }
}
