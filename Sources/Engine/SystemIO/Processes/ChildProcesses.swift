internal import CLinux
internal import Glibc

/// The changes of this process's children. SIGCHLD, which a ``SignalWatch`` delivers, announces them.
package enum ChildProcesses {
  /// The end of a process.
  package enum Ending: Hashable, Sendable {
    /// With an exit status.
    case exited(Int32)
    /// By a signal.
    case killed(signal: Int32)

    /// The exit status by the convention of shells: for a killed process, 128 plus the number of the signal.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  /// A change of a process.
  package enum Change: Hashable, Sendable {
    /// It has ended.
    case ended(Ending)
    /// It was stopped by a signal, and can be continued.
    case stopped(signal: Int32)
  }

  /// Has the kernel report the ends of children. If SIGCHLD is ignored, as it may be by inheritance, ended children
  /// vanish without a report, and their exit statuses with them.
  package static func expectReports() { _ = signal(SIGCHLD, SIG_DFL) }

  /// Prepares this process for children: descendants whose parents have ended become its own, so that their end is
  /// noticed, too, and leaves no zombie.
  package static func adoptOrphans() throws(SystemError) {
    expectReports()
    try systemCall("adopt orphaned processes") { clinux_adopt_orphans() }
  }

  /// Returns the changes since the last call. Ended processes are reaped, including adopted ones.
  package static func collectChanges() -> [(process: Int32, change: Change)] {
    var changes: [(process: Int32, change: Change)] = []
    var next = clinux_child_change()
    // The call fails when there are no children left.
    while unsafe clinux_take_child_change(&next) == 0, next.process != 0 {
      let change: Change =
        switch next.code {
        case Int32(CLD_EXITED): .ended(.exited(next.status))
        case Int32(CLD_KILLED), Int32(CLD_DUMPED): .ended(.killed(signal: next.status))
        default: .stopped(signal: next.status)
        }
      changes.append((next.process, change))
    }
    return changes
  }
}
