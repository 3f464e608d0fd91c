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
}
