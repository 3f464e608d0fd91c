internal import CLinux
internal import Glibc

/// A program that this process runs, with all that it has started: its process group, and the processes that have left
/// the group, as daemons and the jobs of shells do.
///
/// The kernel gives a process whose parent has ended to this process, which adopts orphans. So all that a program has
/// started is below this process, whatever group or session it is in, and as long as anything remains of it, this
/// process has a child. Children that are older than the family, such as those of a shell that has executed this
/// program, are left alone.
package final class ProgramFamily {
  private let launcher: ProgramLauncher
  /// Children that do not belong to the program.
  private var strangers: Set<Int32>
  /// Whether the first process has ended and was reaped.
  private var hasFirstEnded = false
  /// Whether the group was empty after that. Its number may belong to others since.
  private var isGroupGone = false

  /// The group of the program; `nil` before the first start and after ``abandon()``.
  package private(set) var group: ProcessGroup?

  /// A family without a program. The signal mask of this process is that of the programs, so make the family before
  /// signals are watched.
  package init() throws(SystemError) {
    try ChildProcesses.adoptOrphans()
    launcher = try ProgramLauncher()
    strangers = Self.children()
  }

  /// Starts a program; see ``ProgramLauncher``. Processes that remain of the former program are abandoned.
  package func start(
    _ words: [[CChar]], adding variables: [(name: String, value: String)] = [],
    input: ProgramLauncher.Input = .inherited, inForegroundOf terminal: ControllingTerminal? = nil
  ) throws(SystemError) {
    abandon()
    group = try launcher.start(words, adding: variables, input: input, inForegroundOf: terminal)
    (hasFirstEnded, isGroupGone) = (false, false)
  }

  /// Returns the changes of the first process since the last call. All ended processes are reaped.
  package func collectChanges() -> [ChildProcesses.Change] {
    var own: [ChildProcesses.Change] = []
    for (process, change) in ChildProcesses.collectChanges() {
      if case .ended = change { strangers.remove(process) }
      guard process == group?.number, !hasFirstEnded else { continue }
      if case .ended = change { hasFirstEnded = true }
      own.append(change)
    }
    if hasFirstEnded, let group, group.isEmpty { isGroupGone = true }
    return own
  }

  /// Whether nothing remains of the program.
  package var isEmpty: Bool {
    if clinux_has_children() == 0 { return true }
    return !strangers.isEmpty && ProcessTree.descendants(except: strangers).isEmpty
  }

  /// Sends a signal to the group and to the first process, wherever that is.
  ///
  /// - Throws: EPERM when this process may not send signals to them.
  package func send(_ signal: Int32) throws(SystemError) {
    guard let group else { return }
    if !isGroupGone { try group.send(signal) }
    if !hasFirstEnded, getpgid(group.number) != group.number { try Self.send(signal, to: group.number) }
  }

  /// Sends a signal to all that the program has started.
  ///
  /// - Throws: EPERM when this process may not send signals to one of them. The others have got it.
  package func sendToAll(_ signal: Int32) throws(SystemError) {
    guard let group, !isEmpty else { return }
    var failure: SystemError?
    do throws(SystemError) { try send(signal) } catch { failure = error }
    for process in ProcessTree.descendants(except: strangers) where process != group.number {
      if !isGroupGone, getpgid(process) == group.number { continue }
      do throws(SystemError) { try Self.send(signal, to: process) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Leaves all that remains of the program alone from now on.
  package func abandon() {
    if group == nil { return }
    group = nil
    strangers.formUnion(Self.children())
  }

  private static func children() -> Set<Int32> { clinux_has_children() == 0 ? [] : Set(ProcessTree.children()) }

  private static func send(_ signal: Int32, to process: Int32) throws(SystemError) {
    do throws(SystemError) {
      try systemCall("send signal \(signal) to process \(process)") { kill(process, signal) }
    } catch {
      guard error.errorNumber == ESRCH else { throw error }
    }
  }
}
