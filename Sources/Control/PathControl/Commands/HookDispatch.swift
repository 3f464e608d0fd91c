internal import Glibc
package import PathModel
package import SystemIO

/// Decides when `pathctl hooks` and `pathctl watch --exec` run which program: for each path all programs in turn, one
/// at a time, and always for the newest path. Each input returns actions, and the caller performs them.
package struct HookDispatch: Sendable {
  /// An action for the caller. The actions of a list are performed in order.
  package enum Action: Hashable, Sendable {
    /// List the programs, and pass ``HookDispatch/run(programs:at:)``.
    case list
    /// Start the program.
    case start(String, Run)
    /// Ask the running program to end, and pass ``HookDispatch/programEnded(at:)`` when it has; see ``ProgramEnding``.
    case askToEnd(Int32, isFinal: Bool)
    /// Pass ``HookDispatch/timerFired(at:)`` at the moment; `nil` cancels the timer.
    case wake(at: MonotonicInstant?)
    /// Report that the program has taken too long.
    case reportTimeout(String)
    /// End with the exit status.
    case end(status: Int32)
  }

  /// The paths for which programs are run.
  package struct Run: Hashable, Sendable {
    /// The newest path.
    package var path: NetworkPath
    /// The path of the run before; `nil` for the first run.
    package var former: NetworkPath?
    /// The changes since the last run with a satisfied path; empty if there was none.
    package var moved: PathChanges

    /// A run for a path.
    package init(path: NetworkPath, former: NetworkPath?, moved: PathChanges = []) {
      (self.path, self.former, self.moved) = (path, former, moved)
    }
  }

  private let limit: Duration?
  /// The run for which programs are started; `nil` between runs.
  private var current: Run?
  /// The programs of the run that have not been started yet, in reverse order.
  private var pending: [String] = []
  private var running: String?
  private var next: NetworkPath?
  private var former: NetworkPath?
  /// The way of the last satisfied path of a run.
  private var footing: PathFooting?
  private var endStatus: Int32?

  /// A dispatch that has run nothing yet.
  ///
  /// - Parameter limit: The time that a program may take; `nil` for as long as it takes.
  package init(limit: Duration?) {
    self.limit = limit
  }

  /// Reacts to a new path. During a run only the newest path waits.
  package mutating func handle(_ path: NetworkPath) -> [Action] {
    guard endStatus == nil else { return [] }
    guard current == nil else {
      var newest = path
      // A field that has changed back is among the names: a program may have seen its other value.
      let earlier = next?.changed ?? []
      newest.changed = earlier + path.changed.filter { !earlier.contains($0) }
      next = newest
      return []
    }
    current = Run(path: path, former: former, moved: move(to: path))
    return [.list]
  }

  private mutating func move(to path: NetworkPath) -> PathChanges {
    guard path.status == .satisfied, path.knowledge == .known else { return [] }
    defer { footing = PathFooting(path) }
    return footing?.changes(to: path) ?? []
  }

  /// Runs the programs for the path of ``Action/list``.
  package mutating func run(programs: [String], at now: MonotonicInstant) -> [Action] {
    pending = programs.reversed()
    return proceed(at: now)
  }

  /// Reacts to the end of the running program and of all that it has started, or to the failure of its start.
  package mutating func programEnded(at now: MonotonicInstant) -> [Action] {
    running = nil
    return cancelLimit() + proceed(at: now)
  }

  /// Reacts to the moment of ``Action/wake(at:)``.
  package func timerFired() -> [Action] {
    running.map { [.reportTimeout($0), .askToEnd(SIGTERM, isFinal: false)] } ?? []
  }

  /// Ends with the exit status, as soon as the running program has ended.
  ///
  /// - Parameter signal: The signal that asks the program to end; `nil` to wait for it.
  package mutating func end(_ status: Int32, asking signal: Int32?) -> [Action] {
    let isFirst = endStatus == nil
    endStatus = endStatus ?? status
    pending = []
    next = nil
    if running == nil { return isFirst ? [.end(status: status)] : [] }
    return signal.map { cancelLimit() + [.askToEnd($0, isFinal: true)] } ?? []
  }

  private func cancelLimit() -> [Action] { limit == nil ? [] : [.wake(at: nil)] }

  private mutating func proceed(at now: MonotonicInstant) -> [Action] {
    if let endStatus { return [.end(status: endStatus)] }
    guard let run = current else { return [] }
    if let program = pending.popLast() {
      running = program
      // The timer comes first: a program that cannot be started ends at once.
      return (limit.map { [.wake(at: now.advanced(by: $0))] } ?? []) + [.start(program, run)]
    }
    former = run.path
    current = nil
    guard let path = next.take() else { return [] }
    return handle(path)
  }
}
