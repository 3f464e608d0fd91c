internal import Glibc

/// The limits that the system sets for this process.
package enum ResourceLimits {
  /// Raises the limit of open descriptors to the maximum that the administrator allows.
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

  /// The number of descriptors that this process may have open; `nil` when the limit cannot be read.
  package static var descriptors: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }
}
