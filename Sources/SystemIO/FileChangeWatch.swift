internal import CLinux
internal import Glibc

/// Becomes readable when any of a set of files or directories changes: inotify(7).
///
/// What changed is not told apart: a change only means "read again".
package final class FileChangeWatch {
  private let descriptor: OwnedDescriptor
  /// What the kernel watches for us: one number for each inode.
  private var watches: Set<Int32> = []
  private var buffer = [UInt8](repeating: 0, count: 4_096)

  /// What a loop watches for reading.
  package var number: Int32 { descriptor.number }

  /// Watches nothing yet.
  ///
  /// - Throws: When the user's limit of instances is reached.
  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(
      owning: try systemCall("watch files") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
  }

  /// Watches these paths and no others. A path that does not exist is left out, and returned.
  ///
  /// - Parameters:
  ///   - paths: Files and directories of which every change matters.
  ///   - directories: Directories of which it only matters what is put into them: others may write there all the time.
  package func watch(_ paths: Set<String>, additionsTo directories: Set<String> = []) -> Set<String> {
    let additions = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    let changes =
      additions | UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)
      | UInt32(IN_MOVED_FROM)
    var missing: Set<String> = []
    var current: Set<Int32> = []
    let all = directories.subtracting(paths).map { ($0, additions) } + paths.map { ($0, changes) }
    for (path, events) in all {
      // Adding again is how a watch follows a path to another file: the kernel watches the inode.
      let watch = unsafe inotify_add_watch(descriptor.number, path, events)
      if watch >= 0 { current.insert(watch) } else { missing.insert(path) }
    }
    for watch in watches.subtracting(current) { inotify_rm_watch(descriptor.number, watch) }
    watches = current
    return missing
  }

  /// Takes note of the changes. Returns whether there were any.
  package func drain() -> Bool {
    var any = false
    while unsafe read(descriptor.number, &buffer, buffer.count) > 0 { any = true }
    return any
  }
}
