/// The place where the errors of one presenter meet: it shows one at a time, as ``PresentationLine`` decides.
final class PresentationDesk: Sendable {
  /// The end of a presentation.
  enum Outcome: Hashable, Sendable {
    /// The user chose this option; `nil` when the presentation was dismissed.
    case choice(RecoveryOption.ID?)
    /// The task was cancelled before the user chose.
    case cancelled
  }

  private struct State: Sendable {
    var line = PresentationLine()
    /// The waits, and wakeups that came before their wait began.
    var waits: [PresentationLine.Ticket: CheckedContinuation<PresentationLine.Wakeup, Never>] = [:]
    var early: [PresentationLine.Ticket: PresentationLine.Wakeup] = [:]
  }

  private let state = Locked(State())

  /// Whether nothing is shown and nothing waits.
  var isIdle: Bool { state.withLock { $0.line.isIdle && $0.waits.isEmpty && $0.early.isEmpty } }

  /// Presents an error when its turn comes, or takes over the choice for an equal one.
  func present(_ presentation: ErrorPresentation, with presenter: any ErrorPresenter) async -> Outcome {
    switch await turn(for: .init(presentation)) {
    case .answer(let choice): return .choice(choice)
    case .cancelled: return .cancelled
    case .turn:
      let chosen = await presenter.present(presentation)
      let choice = presentation.options.contains { $0.id == chosen } ? chosen : nil
      let isCancelled = choice == nil && Task.isCancelled
      wake(state.withLock { $0.line.leave(choice: isCancelled ? nil : .some(choice)) })
      return isCancelled ? .cancelled : .choice(choice)
    }
  }

  private func turn(for key: PresentationLine.Key) async -> PresentationLine.Wakeup {
    guard let ticket = state.withLock({ $0.line.enter(key) }) else { return .turn }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early = state.withLock { state in
          let early = state.early.removeValue(forKey: ticket)
          if early == nil { state.waits[ticket] = continuation }
          return early
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      if state.withLock({ $0.line.abandon(ticket) }) { wake([(ticket, .cancelled)]) }
    }
  }

  private func wake(_ woken: [(ticket: PresentationLine.Ticket, wakeup: PresentationLine.Wakeup)]) {
    for (ticket, wakeup) in woken {
      let continuation = state.withLock { state in
        let continuation = state.waits.removeValue(forKey: ticket)
        if continuation == nil { state.early[ticket] = wakeup }
        return continuation
      }
      continuation?.resume(returning: wakeup)
    }
  }
}
