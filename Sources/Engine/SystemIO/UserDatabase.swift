internal import Glibc

/// The system's users and groups, wherever they are kept (nsswitch.conf(5)).
package enum UserDatabase {
  /// The number of a user; `nil` when no user has the name.
  package static func user(named name: String) -> UInt32? {
    var entry = unsafe Glibc.passwd()
    var found: UnsafeMutablePointer<Glibc.passwd>?
    var buffer = [CChar](repeating: 0, count: 4_096)
    let failure = unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
    return unsafe failure == 0 && found != nil ? entry.pw_uid : nil
  }

  /// The number of a group; `nil` when no group has the name.
  package static func group(named name: String) -> UInt32? {
    var entry = unsafe Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 4_096)
    while true {
      let failure = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found)
      // A group with many members needs more room.
      guard failure == ERANGE, buffer.count < 1 << 20 else { break }
      buffer = [CChar](repeating: 0, count: buffer.count * 4)
    }
    return unsafe found == nil ? nil : entry.gr_gid
  }
}
