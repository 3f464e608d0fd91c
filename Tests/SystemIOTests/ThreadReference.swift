import Glibc
import Synchronization

/// A thread that another one interrupts with signals.
final class ThreadReference: Sendable {
  private let thread = Mutex<pthread_t?>(nil)

  /// Called by the thread itself.
  func note() {
    thread.withLock { $0 = pthread_self() }
  }

  /// Interrupts the thread so many times, with time between for it to wait again.
  func interrupt(by signal: Int32, times: Int) {
    var sent = 0
    while sent < times {
      if let thread = thread.withLock({ $0 }), pthread_kill(thread, signal) == 0 { sent += 1 }
      _ = isReadable(-1, within: .milliseconds(2))
    }
  }
}

/// Has the signal interrupt calls, without SA_RESTART, and do nothing else.
func ignoringSignalHandler(_ signal: Int32) {
  var action = sigaction()
  unsafe action.__sigaction_handler.sa_handler = { _ in }
  action.sa_flags = 0
  _ = unsafe sigaction(signal, &action, nil)
}

/// Waits until there is something to read; `false` when time is up.
///
/// Without a descriptor it only waits.
func isReadable(_ descriptor: Int32, within limit: Duration) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&request, 1, Int32(limit / .milliseconds(1))) > 0
}
