package import PathModel
internal import SystemIO

/// The values that an administrator sets at run time in place of detected ones.
extension PathEngine {
  /// Replaces the overrides and publishes the paths that follow from them.
  package func setOverrides(_ overrides: OverrideTable) {
    inquiry.overrides = overrides
    endExpiredOverrides()
    publish(at: .now)
  }

  /// Removes the overrides that have expired, publishes the paths without them, and sets the timer for the next ones.
  func endExpiredOverrides() {
    let now = boottimeMicroseconds()
    if inquiry.overrides.removeExpired(at: now) {
      publish(at: .now)
      whenOverridesExpired?()
    }
    overrideTimer?.set(
      inquiry.overrides.nextExpiry.map { MonotonicInstant.now.advanced(by: .microseconds(max(0, $0 - now))) })
  }
}
