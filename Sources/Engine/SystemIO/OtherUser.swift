internal import CLinux
internal import Glibc

/// The rights of another user, tried out by root.
package enum OtherUser {
  /// The error when a user opens a file for reading; `nil` when the user can, or when it cannot be tried out, because
  /// this process may not act as others.
  ///
  /// The user's primary group has the number of the user, as those of systemd's dynamic users have.
  ///
  /// - Parameters:
  ///   - user: The number of the user.
  ///   - groups: The numbers of the user's supplementary groups.
  package static func failure(toOpen path: String, user: UInt32, groups: [UInt32]) -> SystemError? {
    guard geteuid() == 0 else { return nil }
    let number = unsafe clinux_open_error_of_user(path, user, groups, groups.count)
    return number > 0 ? SystemError("open \(path)", errorNumber: number) : nil
  }
}
