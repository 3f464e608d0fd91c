internal import CLinux
internal import Glibc

/// A moment of `CLOCK_MONOTONIC`, which neither jumps nor runs during suspend.
package struct MonotonicInstant: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since an arbitrary moment before boot.
  package var nanoseconds: Int64

  /// The moment with the given count.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The present moment.
  package static var now: MonotonicInstant {
    MonotonicInstant(nanoseconds: nanosecondsOf(CLOCK_MONOTONIC))
  }

  /// The moment after the duration; the last one that can be counted if that is beyond it.
  package func advanced(by duration: Duration) -> MonotonicInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(Self.nanoseconds(of: duration))
    return MonotonicInstant(nanoseconds: overflow ? (duration > .zero ? .max : .min) : sum)
  }

  /// Whole nanoseconds, at most those of thirty years. Durations up to 18 seconds, the usual ones, take a single
  /// division of the processor.
  static func nanoseconds(of duration: Duration) -> Int64 {
    if let short = UInt64(exactly: duration.attoseconds) { return Int64(short / 1_000_000_000) }
    let (seconds, attoseconds) = duration.countable.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  package func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

/// Microseconds since boot, suspend included: `CLOCK_BOOTTIME` of the machine, also in a time namespace.
package func boottimeMicroseconds() -> Int {
  Int((nanosecondsOf(CLOCK_BOOTTIME) &- TimeNamespace.boottimeOffset) / 1_000)
}

/// The time that the machine has slept, up to a constant of its own.
package func timeAsleep() -> Duration {
  .microseconds(boottimeMicroseconds() - Int(MonotonicInstant.now.nanoseconds / 1_000))
}

private func nanosecondsOf(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  _ = unsafe clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
