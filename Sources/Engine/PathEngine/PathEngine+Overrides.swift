internal import KernelPath
package import PathModel
internal import SystemIO

/// The values that an administrator sets at run time in place of detected ones.
extension PathEngine {
  /// Replaces the overrides and publishes the paths that follow from them.
  package func setOverrides(_ overrides: OverrideTable) {
    reader.overrides = overrides
    endExpiredOverrides()
    publishOverridden()
  }

  /// Removes the overrides that have expired, publishes the paths without them, and sets the timer for the next ones.
  func endExpiredOverrides() {
    let now = boottimeMicroseconds()
    if reader.overrides.removeExpired(at: now) {
      publishOverridden()
      whenOverridesExpired?()
    }
    timers.setEndOfOverrides(
      reader.overrides.nextExpiry.map { MonotonicInstant.now.advanced(by: .microseconds(max(0, $0 - now))) })
  }

  /// Publishes the paths with the overrides of this moment. They are evaluated for it, so that the time of each is that
  /// of the change, and not that of the last message.
  private func publishOverridden() {
    evaluate()
    publish(at: .now)
  }
}
