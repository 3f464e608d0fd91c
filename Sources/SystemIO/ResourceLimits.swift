internal import Glibc

/// What the system allows this process.
package enum ResourceLimits {
  /// Allows as many open descriptors as the administrator lets us have.
  package static func raiseDescriptors() throws(SystemError) {
    var limit = rlimit()
    try systemCall("read the limit of descriptors") {
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    limit.rlim_cur = limit.rlim_max
    try systemCall("raise the limit of descriptors") {
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
  }

  /// How many descriptors this process may have open; `nil` when that cannot be read.
  package static var descriptors: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }
}
