internal import CLinux
internal import Glibc

/// Becomes readable when the wall clock is set, which a resume from suspend does, too. Nothing is polled.
///
/// The kernel cancels a timer on CLOCK_REALTIME, set far in the future, when the clock jumps
/// (`TFD_TIMER_CANCEL_ON_SET`, timerfd_create(2)).
package struct ClockChangeWatch: ~Copyable {
  private let timer: OwnedDescriptor

  /// The descriptor that a loop watches for reading.
  package var number: Int32 { timer.number }

  /// Watches from now on.
  package init() throws(SystemError) {
    let created = OwnedDescriptor(
      owning: try systemCall("create a clock watch") {
        timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
      })
    try Self.arm(created.number)
    timer = created
  }

  /// Acknowledges the jump and watches for the next.
  package func acknowledge() throws(SystemError) {
    var expirations: UInt64 = 0
    _ = unsafe read(timer.number, &expirations, MemoryLayout<UInt64>.size)
    try Self.arm(timer.number)
  }

  private static func arm(_ timer: Int32) throws(SystemError) {
    var moment = itimerspec()
    // The latest moment that the kernel can represent.
    moment.it_value.tv_sec = Int.max
    try systemCall("watch the clock") {
      unsafe timerfd_settime(
        timer, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &moment, nil)
    }
  }
}
