import Synchronization

/// A stream with any number of consumers: its source is followed once, and each consumer has every element.
final class SharedStream<Element: Sendable>: Sendable {
  private struct State {
    var consumers: [Int: AsyncStream<Element>.Continuation] = [:]
    var next = 0
    var isFinished = false
  }

  private let state = Mutex(State())

  /// A stream for one more consumer. It has the elements from now on.
  func makeStream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    let number: Int? = state.withLock { state in
      if state.isFinished { return nil }
      state.next += 1
      state.consumers[state.next] = continuation
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.consumers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Gives all consumers the elements of a source, to its end.
  func follow(_ source: AsyncStream<Element>) async {
    for await element in source {
      for consumer in state.withLock({ Array($0.consumers.values) }) { consumer.yield(element) }
    }
    let consumers = state.withLock { state in
      state.isFinished = true
      return Array(state.consumers.values)
    }
    for consumer in consumers { consumer.finish() }
  }
}
