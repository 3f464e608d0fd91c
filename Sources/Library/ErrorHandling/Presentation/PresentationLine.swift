/// The decisions about several errors that want to be presented at once. Its owner performs them.
///
/// One error is shown at a time. An error that looks like the one that is shown shares its answer; others wait in the
/// order in which they came.
struct PresentationLine: Sendable {
  /// The parts of a presentation by which users distinguish it. Equal ones are shown once.
  struct Key: Hashable, Sendable {
    var category: ErrorCategory
    var message: ErrorMessage
    var options: [RecoveryOption.ID]

    init(_ presentation: ErrorPresentation) {
      category = presentation.category
      message = presentation.message
      options = presentation.options.map(\.id)
    }
  }

  /// The end of a wait.
  enum Wakeup: Hashable, Sendable {
    /// The error is shown now; `leave` ends it.
    case turn
    /// An equal error was shown meanwhile; this was the choice.
    case answer(RecoveryOption.ID?)
    /// The task was cancelled before its turn.
    case cancelled
  }

  typealias Ticket = Int

  private var shown: Key?
  private var waiting: [(ticket: Ticket, key: Key)] = []
  private var nextTicket = 0

  /// Whether nothing is shown and nothing waits.
  var isIdle: Bool { shown == nil && waiting.isEmpty }

  /// Takes the turn, or a place in the line.
  ///
  /// - Returns: The ticket of the place; `nil` when the turn has come at once.
  mutating func enter(_ key: Key) -> Ticket? {
    guard shown != nil else {
      shown = key
      return nil
    }
    nextTicket += 1
    waiting.append((nextTicket, key))
    return nextTicket
  }

  /// Ends the turn.
  ///
  /// - Parameter choice: The choice of the user, for all that wait with an equal error; `nil` when there was none
  ///   because the task was cancelled. Those that wait with an equal error then have a turn of their own.
  mutating func leave(choice: RecoveryOption.ID??) -> [(ticket: Ticket, wakeup: Wakeup)] {
    var woken: [(Ticket, Wakeup)] = []
    if let choice, let shown {
      woken = waiting.filter { $0.key == shown }.map { ($0.ticket, .answer(choice)) }
      waiting.removeAll { $0.key == shown }
    }
    shown = nil
    if !waiting.isEmpty {
      let next = waiting.removeFirst()
      shown = next.key
      woken.append((next.ticket, .turn))
    }
    return woken
  }

  /// Gives up a place in the line.
  ///
  /// - Returns: Whether the place was still in the line. If not, its wakeup is on its way.
  mutating func abandon(_ ticket: Ticket) -> Bool {
    guard let place = waiting.firstIndex(where: { $0.ticket == ticket }) else { return false }
    waiting.remove(at: place)
    return true
  }
}
