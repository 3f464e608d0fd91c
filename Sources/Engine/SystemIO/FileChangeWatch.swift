internal import CLinux
internal import Glibc

/// Becomes readable when any of a set of files or directories changes: inotify(7).
///
/// The kind of a change is not reported: a change only means "read again".
package final class FileChangeWatch {
  private let descriptor: OwnedDescriptor
  /// The watches that the kernel keeps for us: one number for each inode.
  private var watches: [Int32] = []
  private var buffer = [UInt8](repeating: 0, count: 4_096)

  /// The reason why changes of a place that exists are not reported; `nil` when all places are watched. A missing place
  /// is no failure.
  package private(set) var failure: SystemError?

  /// The descriptor that a loop watches for reading.
  package var number: Int32 { descriptor.number }

  /// Watches nothing yet.
  ///
  /// - Throws: When the user's limit of instances is reached.
  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(
      owning: try systemCall("watch files") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
  }

  /// Watches these places and no others. Returns the paths that cannot be watched, such as missing ones.
  package func watch(_ places: WatchedPlaces) -> [String] {
    let additions = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
    let names = additions | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
    let changes = names | UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE)
    failure = nil
    var missing: [String] = []
    var current: [Int32] = []
    // If two paths lead to one inode, the later request replaces the earlier one.
    let all =
      places.additions.filter { !places.names.contains($0) && !places.paths.contains($0) }.map { ($0, additions) }
      + places.names.filter { !places.paths.contains($0) }.map { ($0, names) } + places.paths.map { ($0, changes) }
    for (path, events) in all {
      if let watch = add(path, events) { current.append(watch) } else { missing.append(path) }
    }
    for watch in watches where !current.contains(watch) { inotify_rm_watch(descriptor.number, watch) }
    watches = current
    return missing
  }

  /// Watches one place. Returns the number of the watch; `nil` if the place cannot be watched.
  private func add(_ path: String, _ events: UInt32) -> Int32? {
    // Adding a path again makes its watch follow the path to another file: the kernel watches the inode.
    let watch = unsafe inotify_add_watch(descriptor.number, path, events)
    if watch >= 0 { return watch }
    let errorNumber = errno
    if errorNumber != ENOENT, errorNumber != ENOTDIR {
      // The C library's words for ENOSPC are about a full device.
      let explanation = errorNumber == ENOSPC ? "the limit fs.inotify.max_user_watches is reached" : nil
      failure = SystemError("watch \(path)", errorNumber: errorNumber, because: explanation)
    }
    return nil
  }

  /// Watches the places that `look` finds in the file system, and looks again afterwards: a directory that appears
  /// meanwhile must be watched, too.
  package func follow(_ look: () -> WatchedPlaces) {
    var places = look()
    // A program that makes and removes directories all the time must not keep us here: the watches report its next
    // change.
    for _ in 0..<8 {
      _ = watch(places)
      let now = look()
      if now == places { return }
      places = now
    }
  }

  /// Reads the pending changes. Returns whether there were any.
  package func drain() -> Bool {
    var any = false
    while unsafe read(descriptor.number, &buffer, buffer.count) > 0 { any = true }
    return any
  }
}

/// The places that a ``FileChangeWatch`` watches.
///
/// They are arrays, because they are few, and the first set of texts costs a program 0.1 ms of its start.
package struct WatchedPlaces: Equatable, Sendable {
  /// Files and directories whose every change is reported.
  package var paths: [String]
  /// Directories whose new and removed entries are reported.
  package var names: [String] = []
  /// Directories whose new entries are reported, without removals: others may remove entries there all the time.
  package private(set) var additions: [String] = []

  /// Every change of these paths.
  package init(_ paths: [String] = []) {
    self.paths = paths
  }

  /// Only the appearance of a path that does not exist yet; see ``insert(comingOf:)``.
  package init(comingOf path: String) {
    self.init()
    insert(comingOf: path)
  }

  /// Watches for the appearance of a path: in its directory, or else in the nearest directory above that exists.
  package mutating func insert(comingOf path: String) {
    let directory = Files.existingDirectory(above: path)
    if !additions.contains(directory) { additions.append(directory) }
  }

  /// Watches for every change of a file or directory that exists or may appear.
  package mutating func insert(_ path: String) {
    if Files.exists(path) { paths.append(path) }
    insert(comingOf: path)
  }
}
