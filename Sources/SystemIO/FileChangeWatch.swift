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

  /// Watches these places and no others. A path that does not exist is left out, and returned.
  package func watch(_ places: WatchedPlaces) -> Set<String> {
    let additions = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    let names = additions | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
    let changes = names | UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE)
    var missing: Set<String> = []
    var current: Set<Int32> = []
    // What was asked for last of an inode holds.
    let all =
      places.additions.subtracting(places.names).subtracting(places.paths).map { ($0, additions) }
      + places.names.subtracting(places.paths).map { ($0, names) } + places.paths.map { ($0, changes) }
    for (path, events) in all {
      // Adding again is how a watch follows a path to another file: the kernel watches the inode.
      let watch = unsafe inotify_add_watch(descriptor.number, path, events)
      if watch >= 0 { current.insert(watch) } else { missing.insert(path) }
    }
    for watch in watches.subtracting(current) { inotify_rm_watch(descriptor.number, watch) }
    watches = current
    return missing
  }

  /// Watches the places that a look at the file system leads to, and looks again when they are set: a directory that
  /// appears meanwhile has to be watched too.
  package func follow(_ look: () -> WatchedPlaces) {
    var places = look()
    // Somebody who makes and removes directories all the time does not keep us here: what is watched tells of the next.
    for _ in 0..<8 {
      _ = watch(places)
      let now = look()
      if now == places { return }
      places = now
    }
  }

  /// Takes note of the changes. Returns whether there were any.
  package func drain() -> Bool {
    var any = false
    while unsafe read(descriptor.number, &buffer, buffer.count) > 0 { any = true }
    return any
  }
}

/// What a ``FileChangeWatch`` watches.
package struct WatchedPlaces: Hashable, Sendable {
  /// Files and directories of which every change matters.
  package var paths: Set<String>
  /// Directories of which it matters what comes and goes.
  package var names: Set<String> = []
  /// Directories of which it only matters what is put into them: others may remove things there all the time.
  package var additions: Set<String> = []

  /// Every change of these paths.
  package init(_ paths: Set<String> = []) {
    self.paths = paths
  }

  /// What may be put where it is not yet, and nothing else; see ``insert(comingOf:)``.
  package init(comingOf path: String) {
    self.init()
    insert(comingOf: path)
  }

  /// Watches for something that may be put where it is not yet: of a directory that does not exist the nearest one that
  /// does.
  package mutating func insert(comingOf path: String) {
    additions.insert(Files.existingDirectory(above: path))
  }

  /// Watches for every change of a file or directory that is there or may come.
  package mutating func insert(_ path: String) {
    if Files.exists(path) { paths.insert(path) }
    insert(comingOf: path)
  }
}
