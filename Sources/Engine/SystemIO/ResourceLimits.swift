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

  /// Whether this process can open so many more descriptors at once.
  package static func canOpen(descriptors count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<count {
      // Standard error is open, if only to the null device.
      let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 0)
      if descriptor < 0 { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// The number of descriptors that this process may have open; `nil` when the limit cannot be read.
  package static var descriptors: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(clamping: limit.rlim_cur)
  }
}
