internal import PathModel

/// One reader's subscription to the events of a monitor. It ends with ``end()``, with the task that reads, with the
/// monitor's ``PathMonitor/cancel()``, and when it is released.
final class PathIteration<Content: MailboxContent>: Sendable {
  /// Keeps the monitor alive: `for await path in PathMonitor()` has no other owner of it.
  let monitor: PathMonitor
  let mailbox: Mailbox<Content>
  private let number: Int

  /// Subscribes before it returns.
  init(_ monitor: PathMonitor, _ content: Content) {
    self.monitor = monitor
    mailbox = Mailbox(content)
    number = monitor.core.subscribe(mailbox)
  }

  deinit { end() }

  /// Waits for the next event; `nil` at the end, and at once in a task that is cancelled.
  func next(isolation actor: isolated (any Actor)?) async -> Content.Event? {
    await withTaskCancellationHandler(
      operation: { await mailbox.next(isolation: actor) }, onCancel: { end() }, isolation: actor)
  }

  /// Ends the subscription. A reader that waits gets `nil`.
  func end() {
    if mailbox.close() { mailbox.wake() }
    monitor.core.unsubscribe(number)
  }
}

/// The newest path, unless it is the one that was read last.
struct NewestPath: MailboxContent {
  private var waiting: NetworkPath?
  private var last: NetworkPath?

  mutating func store(_ path: NetworkPath) { waiting = path }

  mutating func next() -> NetworkPath? {
    guard let path = waiting.take(), path != last else { return nil }
    last = path
    return path
  }
}
