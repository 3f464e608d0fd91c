internal import CLinux
internal import Glibc

/// What happens to the child processes of this one. SIGCHLD, which a ``SignalWatch`` delivers, says when to look.
package enum ChildProcesses {
  /// How a process has ended.
  package enum Ending: Hashable, Sendable {
    /// With an exit status.
    case exited(Int32)
    /// By a signal.
    case killed(signal: Int32)

    /// The exit status as shells count it: 128 and the number of the signal for a process that one has ended.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  /// What happened to a process.
  package enum Change: Hashable, Sendable {
    /// It has ended.
    case ended(Ending)
    /// It was stopped by a signal, and can be continued.
    case stopped(signal: Int32)
  }

  /// Prepares this process for children: descendants whose parents have ended become its own, so that their end is
  /// noticed too, and no ended one is left as a zombie.
  package static func adoptOrphans() throws(SystemError) {
    // Ignored, as it may have been inherited, children would vanish without a word.
    _ = signal(SIGCHLD, SIG_DFL)
    try systemCall("adopt orphaned processes") { clinux_adopt_orphans() }
  }

  /// What happened since the last call. Processes that have ended are reaped, also those that were adopted.
  package static func takeChanges() -> [(process: Int32, change: Change)] {
    var changes: [(process: Int32, change: Change)] = []
    var next = clinux_child_change()
    // It fails when there are no children left.
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
