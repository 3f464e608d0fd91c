/// The clocks of the machine, read at one moment.
package struct HistoryClocks: Hashable, Sendable {
  /// Microseconds since boot, suspend included (`CLOCK_BOOTTIME`).
  package var boottime: Int64
  /// Microseconds since boot, without suspend (`CLOCK_MONOTONIC`).
  package var monotonic: Int64
  /// The wall clock.
  package var wall: HistoryInstant

  /// A reading.
  package init(boottime: Int64, monotonic: Int64, wall: HistoryInstant) {
    (self.boottime, self.monotonic, self.wall) = (boottime, monotonic, wall)
  }

  /// The wall clock at the moment of boot. It changes only when the wall clock is set: both clocks are slewed alike.
  var wallAtBoot: HistoryInstant { wall.advanced(by: -boottime) }
  /// The microseconds of suspend since boot.
  var asleep: Int64 { boottime - monotonic }
}
