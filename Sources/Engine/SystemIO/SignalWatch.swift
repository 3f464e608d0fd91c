internal import CLinux
internal import Glibc

/// Delivers signals to an event loop through signalfd(2), instead of to handlers.
package struct SignalWatch: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// The descriptor that a loop watches for reading.
  package var number: Int32 { descriptor.number }

  /// Blocks the signals in the calling thread, and in threads that it starts later, and collects them here.
  package init(_ signals: [Int32]) throws(SystemError) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    let blocked = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard blocked == 0 else { throw SystemError("block signals", errorNumber: blocked) }
    descriptor = OwnedDescriptor(
      owning: try systemCall("watch signals") {
        unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
      })
  }

  /// Whether this process ignores the signal. It may have inherited this from its parent: nohup(1), or a shell without
  /// job control for its background programs.
  package static func isIgnored(_ signal: Int32) -> Bool { clinux_signal_is_ignored(signal) != 0 }

  /// Whether a signal that ends a program waits to be read.
  package static var isEndPending: Bool {
    var pending = sigset_t()
    guard unsafe sigpending(&pending) == 0 else { return false }
    return [SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains { unsafe sigismember(&pending, $0) == 1 }
  }

  /// Returns the signals since the last call, in order.
  package func readSignals() -> [Int32] {
    var signals: [Int32] = []
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while unsafe read(descriptor.number, &information, size) == size {
      signals.append(Int32(information.ssi_signo))
    }
    return signals
  }
}
