internal import CLinux
internal import Glibc

/// A process group: a program that was started in a group of its own, and its descendants that stay in the group.
package struct ProcessGroup: Hashable, Sendable {
  /// The number of the group, which is the number of its first process.
  ///
  /// While the group has members, including ended ones that are not reaped, the kernel does not reuse the number.
  package let number: Int32

  /// The group that this process belongs to.
  package static var own: ProcessGroup { ProcessGroup(number: getpgrp()) }

  /// Whether the group has no members. Ended members remain until they are reaped.
  package var isEmpty: Bool { kill(-number, 0) == -1 && errno == ESRCH }

  /// Sends a signal to all members. In an empty group, nothing happens.
  ///
  /// - Throws: EPERM when this process may not send signals to any member.
  package func send(_ signal: Int32) throws(SystemError) {
    do throws(SystemError) {
      try systemCall("send signal \(signal) to process group \(number)") { kill(-number, signal) }
    } catch {
      guard error.errorNumber == ESRCH else { throw error }
    }
  }

  /// Stops this process and its group, as Ctrl-Z does. Returns when the process is continued. In an orphaned group it
  /// returns at once: the kernel does not stop such a group, because nobody could continue it.
  package static func suspendOwn() {
    var stop = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &previous)
    // The signal is delivered before kill(2) returns.
    _ = kill(0, SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}
