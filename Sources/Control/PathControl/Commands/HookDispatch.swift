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
    /// Pass ``HookDispatch/lookAgain(at:)`` at the moment; `nil` cancels that.
    case lookAgain(at: MonotonicInstant?)
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
    package var moved: PathChanges = []
  }

  private let limit: Duration?
  /// Whether a path is no update that differs by its knowledge alone, as over a restart of the service.
  private let skipsKnowledge: Bool
  /// The run for which programs are started; `nil` between runs.
  private var current: Run?
  /// The programs of the run that have not been started yet, in reverse order.
  private var pending: [String] = []
  private var running: String?
  private var next: NetworkPath?
  private var former: NetworkPath?
  /// Whether the newest path is known.
  private var isKnown = false
  /// The way of the last satisfied path of a run.
  private var footing: PathFooting<MonotonicInstant>?
  /// The moment of ``Action/lookAgain(at:)``.
  private var lookMoment: MonotonicInstant?
  private var endStatus: Int32?

  /// A dispatch that has run nothing yet.
  ///
  /// - Parameters:
  ///   - limit: The time that a program may take; `nil` for as long as it takes.
  ///   - skipsKnowledge: Whether a path is no update that differs by its knowledge alone.
  package init(limit: Duration?, skipsKnowledge: Bool = false) {
    (self.limit, self.skipsKnowledge) = (limit, skipsKnowledge)
  }

  /// Reacts to a new path. During a run only the newest path waits.
  package mutating func handle(_ path: NetworkPath, at now: MonotonicInstant) -> [Action] {
    guard endStatus == nil else { return [] }
    guard current == nil else {
      var newest = path
      // A field that has changed back is among the names: a program may have seen its other value.
      let earlier = next?.changed ?? []
      newest.changed = earlier + path.changed.filter { !earlier.contains($0) }
      next = newest
      return []
    }
    isKnown = path.knowledge == .known
    if skipsKnowledge, former != nil, path.changed == ["knowledge"] { return lookAgain(at: now) }
    var path = path
    if path.knowledge == former?.knowledge { path.changed.removeAll { $0 == "knowledge" } }
    return begin(path, moved: move(to: path, at: now), at: now)
  }

  /// Reacts to the moment of ``Action/lookAgain(at:)``: a source that has not come back until then is gone, which is an
  /// update of its own.
  package mutating func lookAgain(at now: MonotonicInstant) -> [Action] {
    guard endStatus == nil, current == nil, isKnown, var path = former else { return [] }
    let moved = move(to: path, at: now)
    path.changed = []
    return moved.isEmpty ? lookLater(at: now) : begin(path, moved: moved, at: now)
  }

  private mutating func begin(_ path: NetworkPath, moved: PathChanges, at now: MonotonicInstant) -> [Action] {
    current = Run(path: path, former: former, moved: moved)
    return lookLater(at: now) + [.list]
  }

  private mutating func move(to path: NetworkPath, at now: MonotonicInstant) -> PathChanges {
    let changes = footing?.changes(to: path, at: now) ?? []
    guard path.status == .satisfied, path.knowledge == .known else { return [] }
    if footing == nil { footing = PathFooting(path) } else { footing?.move(to: path, at: now) }
    return changes
  }

  private mutating func lookLater(at now: MonotonicInstant) -> [Action] {
    let moment = footing?.due(after: now)
    defer { lookMoment = moment }
    return moment == lookMoment ? [] : [.lookAgain(at: moment)]
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
    return next.take().map { handle($0, at: now) } ?? lookAgain(at: now)
  }
}
