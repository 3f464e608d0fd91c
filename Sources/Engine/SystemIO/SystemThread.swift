internal import CLinux
internal import Glibc

/// A thread of ours in any process, without Foundation and with the default stack. It blocks the signals that are sent
/// to the process, so that the program's handlers run on the program's own threads.
package enum SystemThread {
  /// Starts a thread that runs the body and ends with it.
  ///
  /// - Parameters:
  ///   - name: The name that `ps -L` shows; at most 15 bytes.
  ///   - body: The work of the thread.
  /// - Throws: ``SystemError`` when no more threads can be made.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // The thread inherits this mask and never runs with another.
    var (blocked, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&blocked)
    // A fault of a thread raises these signals in that thread, and programs that report their crashes handle them.
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { unsafe sigdelset(&blocked, signal) }
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, &attributes, run, start.toOpaque())
    guard result == 0 else {
      unsafe start.release()
      throw SystemError("start the thread \(name)", errorNumber: result)
    }
  }

  /// Makes the calling thread sleep; a signal may wake it earlier.
  package static func pause(for time: Duration) {
    let (seconds, attoseconds) = time.components
    var span = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    unsafe nanosleep(&span, nil)
  }

  /// A number of the calling thread that no other living thread of the process has.
  package static var current: UInt { UInt(pthread_self()) }
}

/// The name and the body of a new thread.
private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

private func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
  unsafe clinux_name_thread(start.name)
  start.body()
  return nil
}
