/// A point at which one task waits until another opens it; waiting ends early when the waiting task is cancelled.
struct Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Lets one waiting task go on, now or later.
  func open() { continuation.yield() }

  /// Waits; returns at once when the gate was opened before.
  func pass() async { await stream.first { _ in true } }
}
