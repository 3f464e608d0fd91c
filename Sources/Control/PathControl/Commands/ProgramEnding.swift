internal import Glibc
package import SystemIO

/// Decides how a program is ended together with all that it has started. It is asked to end, and killed after the grace
/// time. After that, the wait for it is short. Each input returns actions, and the caller performs them.
///
/// Processes that a program leaves behind are ended in the same way.
package struct ProgramEnding: Hashable, Sendable {
  /// An action for the caller. The actions of a list are performed in order.
  package enum Action: Hashable, Sendable {
    /// Send the signal to all that the program has started.
    case sendToAll(Int32)
    /// Pass ``ProgramEnding/timerFired(isEmpty:at:)`` at the moment; `nil` cancels the timer.
    case wake(at: MonotonicInstant?)
    /// Report that the program was killed and has not ended.
    case reportStuck
    /// The program is over. Its remaining processes cannot be ended, and are left alone.
    case over
  }

  private enum Phase: Hashable {
    case running, asked, killed
    /// The program does not end, although it was killed.
    case stuck
  }

  private let grace: Duration
  private var phase = Phase.running
  private var hasFirstEnded = false
  /// Whether nobody waits for a program that does not end.
  private var isFinal = false

  /// The longest wait for processes after SIGKILL. A process can remain: it waits inside the kernel, or belongs to
  /// another user.
  package static var patienceAfterKilling: Duration { .seconds(1) }

  /// The ending of a program that runs.
  ///
  /// - Parameter grace: The time that the program, or what it leaves behind, may take to end before it is killed.
  package init(grace: Duration) {
    self.grace = grace
  }

  /// Asks the program to end.
  ///
  /// - Parameters:
  ///   - signal: The signal that asks; `nil` for a program that is known to end.
  ///   - isFinal: Whether the caller ends, too. Otherwise it waits for a program that cannot be killed, because two
  ///     must not run at the same time.
  package mutating func ask(with signal: Int32?, isFinal: Bool, at now: MonotonicInstant) -> [Action] {
    self.isFinal = self.isFinal || isFinal
    let request = signal.map { [Action.sendToAll($0), .sendToAll(SIGCONT)] } ?? []
    switch phase {
    case .running:
      phase = .asked
      return request + [.wake(at: now.advanced(by: grace))]
    case .asked: return request
    case .killed: return []
    case .stuck: return self.isFinal ? [.over] : []
    }
  }

  /// Reacts to the end of the first process.
  ///
  /// - Parameter isEmpty: Whether nothing remains of the program.
  package mutating func firstEnded(isEmpty: Bool, at now: MonotonicInstant) -> [Action] {
    hasFirstEnded = true
    if isEmpty { return [.wake(at: nil), .over] }
    switch phase {
    case .running: return ask(with: SIGTERM, isFinal: false, at: now)
    case .asked: return []
    case .killed, .stuck: return kill(at: now)
    }
  }

  /// Reacts to the end of another process.
  package mutating func childEnded(isEmpty: Bool) -> [Action] {
    if hasFirstEnded, isEmpty { return [.wake(at: nil), .over] }
    // The children of a process that has ended may have escaped the signal, and are found now.
    return phase == .killed || phase == .stuck ? [.sendToAll(SIGKILL)] : []
  }

  /// Reacts to the moment of ``Action/wake(at:)``.
  package mutating func timerFired(isEmpty: Bool, at now: MonotonicInstant) -> [Action] {
    if hasFirstEnded, isEmpty { return [.over] }
    switch phase {
    case .running, .stuck: return []
    case .asked: return kill(at: now)
    case .killed where hasFirstEnded || isFinal: return [.over]
    case .killed:
      phase = .stuck
      return [.reportStuck]
    }
  }

  private mutating func kill(at now: MonotonicInstant) -> [Action] {
    phase = .killed
    return [.sendToAll(SIGKILL), .wake(at: now.advanced(by: Self.patienceAfterKilling))]
  }
}
