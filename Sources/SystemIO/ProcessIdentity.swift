internal import Glibc

/// Who this process is.
package enum ProcessIdentity {
  /// Its effective user.
  package static let user: UInt32 = geteuid()
}
