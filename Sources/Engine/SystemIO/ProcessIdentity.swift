internal import Glibc

/// The identity of this process.
package enum ProcessIdentity {
  /// Its effective user.
  package static let user: UInt32 = geteuid()
}
