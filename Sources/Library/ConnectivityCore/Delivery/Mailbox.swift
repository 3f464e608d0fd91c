internal import PathModel
internal import SystemIO

/// The events that wait to be read from a ``Mailbox``.
protocol MailboxContent: Sendable {
  /// An event as its reader gets it.
  associatedtype Event: Sendable

  /// Stores a path.
  mutating func store(_ path: NetworkPath)
  /// Removes the next event.
  mutating func next() -> Event?
}

/// The events that wait for a reader, and the reader that waits for an event.
///
/// An `AsyncStream` would resume its reader while the event is stored; here these are two steps.
final class Mailbox<Content: MailboxContent>: ClosableReceiver {
  private struct State {
    var content: Content
    /// More than one if a program asks one iteration from several tasks.
    var readers: [CheckedContinuation<Content.Event?, Never>] = []
    var isOver = false
  }

  private let state: Guarded<State>

  init(_ content: Content) {
    state = Guarded(State(content: content))
  }

  func offer(_ path: NetworkPath) -> Bool {
    change { $0.store(path) }?.isWakeDue == true
  }

  /// Changes the events that wait.
  ///
  /// - Returns: The result of the body, and whether ``wake()`` is due; `nil` if the mailbox is closed and the body was
  ///   not called.
  func change<Result>(_ body: (inout Content) -> Result) -> (result: Result, isWakeDue: Bool)? {
    state.withLock { state in
      state.isOver ? nil : (body(&state.content), !state.readers.isEmpty)
    }
  }

  /// Ends the reading. Events that still wait are not read any more.
  ///
  /// - Returns: Whether ``wake()`` is due.
  func close() -> Bool {
    state.withLock { state in
      state.isOver = true
      return !state.readers.isEmpty
    }
  }

  func wake() {
    while let (reader, event) = removeReader() { ForeignCode.run { reader.resume(returning: event) } }
  }

  /// Removes a reader that need not wait any longer, and the event for it.
  private func removeReader() -> (CheckedContinuation<Content.Event?, Never>, Content.Event?)? {
    state.withLock { state in
      guard !state.readers.isEmpty else { return nil }
      if state.isOver { return (state.readers.removeFirst(), nil) }
      guard let event = state.content.next() else { return nil }
      return (state.readers.removeFirst(), event)
    }
  }

  /// Waits for the next event; `nil` once the mailbox is closed. Cancelling the task does not end it by itself.
  func next(isolation actor: isolated (any Actor)?) async -> Content.Event? {
    await withCheckedContinuation(isolation: actor) { continuation in
      state.withLock { $0.readers.append(continuation) }
      wake()
    }
  }
}
