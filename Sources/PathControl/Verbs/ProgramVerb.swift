internal import Glibc
internal import KernelPath
internal import SystemIO

/// The common part of `watch --exec`, `hooks` and `targets`: programs that run one at a time beside the path.
class ProgramVerb: FollowingVerb {
  private let launcher: ProgramLauncher
  private var group: ProcessGroup?

  override init(_ invocation: Invocation) throws(KernelPathError) {
    launcher = try KernelPathError.translating { () throws(SystemError) in
      try ChildProcesses.adoptOrphans()
      return try ProgramLauncher()
    }
    try super.init(invocation)
  }

  /// Reacts to a signal that asks this program to end.
  func handle(endingSignal signal: Int32) { end(ExitStatus.signal(signal)) }

  /// Reacts to the end of the program.
  func programEnded(_ ending: ChildProcesses.Ending) {}

  /// Follows the path until ``end(_:)``; returns the exit status. Signals that were ignored stay ignored.
  final func follow() throws(KernelPathError) -> Int32 {
    let ending = (Self.endingSignals + [SIGQUIT]).filter { !SignalWatch.isIgnored($0) }
    return try follow(signals: ending + [SIGCHLD])
  }

  /// Starts the program with nothing to read.
  final func start(
    _ words: [[CChar]], adding variables: [(name: String, value: String)] = []
  ) throws(SystemError) {
    group = try launcher.start(words, adding: variables, input: .none)
  }

  /// Sends a signal to the process group of the program, if it runs.
  final func send(_ signal: Int32) { try? group?.send(signal) }

  final override func handle(signal: Int32) {
    guard signal == SIGCHLD else { return handle(endingSignal: signal) }
    for (process, change) in ChildProcesses.collectChanges() where process == group?.number {
      guard case .ended(let ending) = change else { continue }
      group = nil
      programEnded(ending)
    }
  }
}
