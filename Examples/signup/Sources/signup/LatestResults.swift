import Synchronization

/// The result of work for an element.
struct LatestResult<Element: Equatable & Sendable, Value: Sendable>: Sendable {
  var element: Element
  var value: Value
}

extension AsyncStream where Element: Equatable & Sendable {
  /// Does work for each element that has rested, and delivers the results of the latest elements only.
  ///
  /// - An element that another one follows before the time is over causes no work.
  /// - A new element cancels the work for the one before, whose result is not delivered any more.
  /// - An element that equals the one whose result was delivered last causes no work.
  /// - A failure is a value like any other, so that it does not end the stream.
  ///
  /// - Parameters:
  ///   - time: The time for which an element has to rest.
  ///   - clock: The clock that measures it.
  ///   - work: The work for an element.
  func latestResults<Value: Sendable, C: Clock>(
    restingFor time: Duration, clock: C, _ work: @escaping @Sendable (Element) async -> Value
  ) -> AsyncStream<LatestResult<Element, Value>> where C.Duration == Duration {
    let (results, continuation) = AsyncStream<LatestResult<Element, Value>>.makeStream()
    let turns = Turns<Element>()
    let following = Task {
      for await element in self {
        guard let turn = turns.begin(element) else { continue }
        turns.hold(
          Task {
            guard (try? await clock.sleep(for: time)) != nil, turns.mayWork(turn, for: element) else { return }
            let value = await work(element)
            guard turns.mayDeliver(turn, element) else { return }
            continuation.yield(LatestResult(element: element, value: value))
          }, for: turn)
      }
      await turns.work?.value
      continuation.finish()
    }
    continuation.onTermination = { _ in
      following.cancel()
      turns.end()
    }
    return results
  }
}

/// The order of elements, the work for the newest, and the element whose result was delivered last.
private final class Turns<Element: Equatable & Sendable>: Sendable {
  private struct State {
    var latest = 0
    var isEnded = false
    var current: Element?
    var delivered: Element?
    var work: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// The work for the newest element.
  var work: Task<Void, Never>? { state.withLock(\.work) }

  /// The turn of a new element, which ends the work for the one before; `nil` if that was the same element.
  func begin(_ element: Element) -> Int? {
    let (turn, former) = state.withLock { state -> (Int?, Task<Void, Never>?) in
      if state.isEnded || state.current == element { return (nil, nil) }
      state.latest += 1
      state.current = element
      return (state.latest, state.work.take())
    }
    former?.cancel()
    return turn
  }

  /// Keeps the work of a turn, to cancel it when the turn is over.
  func hold(_ work: Task<Void, Never>, for turn: Int) {
    let isCurrent = state.withLock { state in
      let isCurrent = state.latest == turn && !state.isEnded
      if isCurrent { state.work = work }
      return isCurrent
    }
    if !isCurrent { work.cancel() }
  }

  func mayWork(_ turn: Int, for element: Element) -> Bool {
    state.withLock { $0.latest == turn && !$0.isEnded && $0.delivered != element }
  }

  func mayDeliver(_ turn: Int, _ element: Element) -> Bool {
    state.withLock { state in
      guard state.latest == turn, !state.isEnded else { return false }
      state.delivered = element
      return true
    }
  }

  /// Ends all turns and the work.
  func end() {
    let work = state.withLock { state in
      state.isEnded = true
      return state.work.take()
    }
    work?.cancel()
  }
}
