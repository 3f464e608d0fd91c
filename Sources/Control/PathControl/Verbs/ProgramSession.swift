internal import Glibc
internal import KernelPath
internal import Programs
internal import SystemIO

/// The common part of `watch --exec`, `hooks` and `targets` while they run: programs that run one at a time beside the
/// path. A ``ProgramEnding`` decides how each ends, with all that it has started.
class ProgramSession: FollowingSession {
  /// The time between the request to end and SIGKILL.
  static let grace = Duration.seconds(5)

  private let family: ProgramFamily
  /// How the program ends; `nil` while none runs.
  private var programEnding: ProgramEnding?
  /// The end of the first process; `nil` while it runs.
  private var firstEnding: ChildProcesses.Ending?
  private var endingTimer: EventLoop.Timer?

  override init(_ invocation: Invocation) throws(KernelPathError) {
    family = try KernelPathError.translating { () throws(SystemError) in try ProgramFamily() }
    try super.init(invocation)
    endingTimer = loop.makeTimer { [unowned self] in
      self.decide { [isEmpty = self.family.isEmpty] in $0.timerFired(isEmpty: isEmpty, at: .now) }
    }
  }

  /// Whether a program runs, or something remains of it.
  final var isProgramRunning: Bool { programEnding != nil }

  /// Reacts to a signal that asks this program to end.
  func handle(endingSignal signal: Int32) { end(ExitStatus.signal(signal)) }

  /// Reacts to the end of the program and of all that it has started. The ending is that of its first process.
  func programEnded(_ ending: ChildProcesses.Ending) {}

  /// Follows the path until ``end(_:)``; returns the exit status. Signals that were ignored stay ignored.
  final func follow() throws(KernelPathError) -> Int32 {
    // Something remains here only if the event loop has failed, or if it cannot be killed.
    defer { try? family.sendToAll(SIGKILL) }
    let ending = (Self.endingSignals + [SIGQUIT]).filter { !SignalWatch.isIgnored($0) }
    return try follow(signals: ending + [SIGCHLD])
  }

  /// Starts the program with nothing to read.
  final func start(
    _ words: [[CChar]], adding variables: [(name: String, value: String)] = []
  ) throws(SystemError) {
    try family.start(words, adding: variables, input: .none)
    firstEnding = nil
    programEnding = ProgramEnding(grace: Self.grace)
  }

  /// Asks the program to end; see ``ProgramEnding/ask(with:isFinal:at:)``.
  final func askToEnd(_ signal: Int32?, isFinal: Bool) {
    decide { $0.ask(with: signal, isFinal: isFinal, at: .now) }
  }

  final override func handle(signal: Int32) {
    guard signal == SIGCHLD else { return handle(endingSignal: signal) }
    for case .ended(let ending) in family.collectChanges() {
      firstEnding = ending
      decide { [isEmpty = family.isEmpty] in $0.firstEnded(isEmpty: isEmpty, at: .now) }
      return
    }
    decide { [isEmpty = family.isEmpty] in $0.childEnded(isEmpty: isEmpty) }
  }

  private func decide(_ input: (inout ProgramEnding) -> [ProgramEnding.Action]) {
    guard var decided = programEnding else { return }
    let actions = input(&decided)
    programEnding = decided
    for action in actions {
      switch action {
      case .sendToAll(let signal): try? family.sendToAll(signal)
      case .wake(let moment): endingTimer?.set(moment)
      case .reportStuck: complain("a program was killed and does not end; nothing is run before it has ended")
      case .over:
        programEnding = nil
        programEnded(firstEnding ?? .killed(signal: SIGKILL))
      }
    }
  }
}
