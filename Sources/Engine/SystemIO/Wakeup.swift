internal import CLinux
internal import Glibc

/// Wakes an event loop from any thread: an eventfd(2) that the loop watches.
package final class Wakeup: Sendable {
  private let descriptor: Int32

  /// A wakeup that has not been signalled.
  package init() throws(SystemError) {
    descriptor = try systemCall("create a wakeup") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
  }

  deinit {
    _ = Glibc.close(descriptor)
  }

  /// The descriptor that the loop watches for reading.
  package var number: Int32 { descriptor }

  /// Makes the descriptor readable. Several calls before ``clear()`` have the effect of one.
  package func signal() {
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes the descriptor unreadable until the next ``signal()``.
  package func clear() {
    var count: UInt64 = 0
    _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}
