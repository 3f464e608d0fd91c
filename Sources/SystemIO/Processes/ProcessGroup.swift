internal import CLinux
internal import Glibc

/// A process group: a program that was started in a group of its own, and all that it starts and that stays in it.
package struct ProcessGroup: Hashable, Sendable {
  /// The number of the group, which is that of the process it was started with.
  ///
  /// While the group has members, ended ones that are not reaped included, the kernel gives the number to nobody else.
  package let number: Int32

  /// The group of the number.
  package init(number: Int32) {
    self.number = number
  }

  /// The group that this process belongs to.
  package static var own: ProcessGroup { ProcessGroup(number: getpgrp()) }

  /// Whether it has no members, once those that have ended are reaped.
  package var isEmpty: Bool { kill(-number, 0) == -1 && errno == ESRCH }

  /// Sends a signal to all members; a group that is empty takes none.
  ///
  /// - Throws: EPERM when no member may be sent signals by this process.
  package func send(_ signal: Int32) throws(SystemError) {
    do throws(SystemError) {
      try systemCall("send signal \(signal) to process group \(number)") { kill(-number, signal) }
    } catch {
      guard error.errorNumber == ESRCH else { throw error }
    }
  }

  /// Stops this process and its group, as Ctrl-Z would. Returns when it is continued, or at once where nobody could
  /// continue it: the kernel stops no orphaned process group.
  package static func suspendOwn() {
    var stop = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &previous)
    // It is delivered before kill(2) returns.
    _ = kill(0, SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}
