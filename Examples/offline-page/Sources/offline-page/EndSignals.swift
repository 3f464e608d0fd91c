import Dispatch

/// The signals that end the program, caught as long as this object exists.
@MainActor
final class EndSignals {
  private let (signals, inbox) = AsyncStream.makeStream(of: Void.self)
  private var sources: [any DispatchSourceSignal] = []

  /// Returns when the signals are caught. An earlier signal has its default effect.
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

  /// Returns when the first signal has come.
  func first() async {
    for await _ in signals { return }
  }
}
