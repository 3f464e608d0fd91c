import Dispatch

/// The signals that end the program, caught as long as this lives.
@MainActor
final class EndSignals {
  private let (signals, inbox) = AsyncStream.makeStream(of: Void.self)
  private var sources: [any DispatchSourceSignal] = []

  /// Returns when they are caught. One that comes before does what it does by default.
  init(_ numbers: Int32...) async {
    for number in numbers {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [inbox] in inbox.yield() }
      await withCheckedContinuation { caught in
        source.setRegistrationHandler { caught.resume() }
        source.activate()
      }
      sources.append(source)
    }
  }

  isolated deinit {
    for source in sources { source.cancel() }
  }

  /// Returns when one of them has come.
  func first() async {
    for await _ in signals { return }
  }
}
