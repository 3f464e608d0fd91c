internal import CLinux
internal import Glibc

extension Files {
  /// Replaces the contents of a file as a whole: a reader sees either the old contents or the new.
  ///
  /// Each call writes a draft of its own beside the file, so of several writers the last one wins, and no other file is
  /// touched. A process that is killed meanwhile leaves the draft behind: `.pathmonitor-` and 16 digits.
  ///
  /// - Parameter mode: The permissions of the file, whatever the umask; the file then belongs to the user of this
  ///   process. `nil` keeps the permissions of the old file, and its owner and group if this process may give files
  ///   away; a new file has those that the umask leaves.
  /// - Throws: ``SystemError``; EISDIR for a directory. The old file is unchanged then.
  package static func replace(_ path: String, with contents: [UInt8], mode: UInt32? = nil) throws(SystemError) {
    let draft = Self.draft(beside: path)
    let file = OwnedDescriptor(
      owning: try systemCall("make a draft beside \(path)") { unsafe clinux_make_file(draft, mode ?? 0o666) })
    do throws(SystemError) {
      if let mode {
        try systemCall("set the permissions of \(path)") { fchmod(file.number, mode) }
      } else {
        try keepRights(of: path, on: file.number)
      }
      try write(contents, to: file.number, for: path)
      try systemCall("replace \(path)") { unsafe rename(draft, path) }
    } catch {
      remove(draft)
      throw error
    }
  }

  private static func draft(beside path: String) -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let name = ".pathmonitor-\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return name }
    return path[...slash] + name
  }

  /// Writes the bytes; a failure names the file.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, for path: String) throws(SystemError) {
    do throws(SystemError) {
      try Output.write(bytes, to: descriptor)
    } catch {
      throw SystemError("write \(path)", errorNumber: error.errorNumber)
    }
  }

  /// Gives an open file the owner, group and permissions of the regular file at the path, if there is one.
  private static func keepRights(of path: String, on descriptor: Int32) throws(SystemError) {
    var old = stat()
    var new = stat()
    guard unsafe lstat(path, &old) == 0, old.st_mode & S_IFMT == S_IFREG else { return }
    try systemCall("look at the draft of \(path)") { unsafe fstat(descriptor, &new) }
    var mode = old.st_mode & 0o777
    if old.st_uid != new.st_uid { _ = fchown(descriptor, old.st_uid, .max) }
    if old.st_gid != new.st_gid, fchown(descriptor, .max, old.st_gid) != 0 {
      // The rights of the old group are not for another one: that gets those which everybody has.
      mode = mode & 0o707 | (mode & 0o007) << 3
    }
    try systemCall("set the permissions of \(path)") { fchmod(descriptor, mode) }
  }
}
