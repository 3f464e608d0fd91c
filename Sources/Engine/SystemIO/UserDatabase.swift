internal import Glibc

/// The system's users and groups.
package enum UserDatabase {
  /// The number of a user, wherever users are kept (nsswitch.conf(5)); `nil` when no user has the name.
  package static func user(named name: String) -> UInt32? {
    var entry = unsafe Glibc.passwd()
    var found: UnsafeMutablePointer<Glibc.passwd>?
    var buffer = [CChar](repeating: 0, count: 4_096)
    let failure = unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
    return unsafe failure == 0 && found != nil ? entry.pw_uid : nil
  }

  /// The number of a group in a file as group(5) has it; `nil` when no group there has the name.
  ///
  /// Only the file is read. A name service (nsswitch.conf(5)) may take minutes to answer, and it cannot know of a group
  /// that a package has made on this machine.
  package static func group(named name: String, in path: String = "/etc/group") -> UInt32? {
    let contents = (try? Files.read(path, limit: 1 << 20)) ?? []
    for line in contents.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      if fields.count > 2, fields[0].elementsEqual(name.utf8) {
        return UInt32(String(decoding: fields[2], as: UTF8.self))
      }
    }
    return nil
  }
}
