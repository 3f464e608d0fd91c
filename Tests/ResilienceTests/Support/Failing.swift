import ConnectivityTesting
import Resilience
import SystemIO

/// An error with the traits that a test gives it.
struct TestFailure: FailureTraitsProviding, InterruptibleFailure, Equatable {
  var number = 0
  var failureTraits: FailureTraits
  var interruption: RetryInterruption.Reason?

  init(
    _ kind: FailureTraits.Kind, isUnsent: Bool = false, isAnswer: Bool = false, retryAfter: Duration? = nil,
    number: Int = 0
  ) {
    failureTraits = FailureTraits(kind, isUnsent: isUnsent, isAnswer: isAnswer, retryAfter: retryAfter)
    self.number = number
  }

  init(_ interruption: RetryInterruption) {
    failureTraits = interruption.failureTraits
    self.interruption = interruption.reason
  }

  static let offline = TestFailure(.offline, isUnsent: true)
  static let transient = TestFailure(.transient)
}

/// A thread-safe list.
final class Record<Element: Sendable>: Sendable {
  private let elements = Guarded<[Element]>([])

  func append(_ element: Element) { elements.withLock { $0.append(element) } }
  var all: [Element] { elements.copy }
  var count: Int { all.count }
}

/// A manual clock whose sleeps take no time: each moves the clock to its deadline at once, and is recorded.
final class SkippingClock: Clock, Sendable {
  typealias Instant = ManualClock.Instant

  private let state = Guarded((now: Instant(), sleeps: [Duration]()))

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  /// How long each sleep would have taken.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(state.now.duration(to: deadline))
      state.now = max(state.now, deadline)
    }
  }
}

/// A generator that always returns the same number.
struct FixedGenerator: RandomNumberGenerator, Sendable {
  var number: UInt64
  mutating func next() -> UInt64 { number }

  static let largest = FixedGenerator(number: .max)
  static let smallest = FixedGenerator(number: 0)
}

extension RetryPolicy {
  /// A policy with pauses of 1, 2, 4 … seconds.
  static func plain(
    _ maximumAttempts: Int = 3, timeout: Duration? = nil, attemptTimeout: Duration? = nil, isIdempotent: Bool = true
  ) -> RetryPolicy {
    RetryPolicy(
      isIdempotent: isIdempotent, maximumAttempts: maximumAttempts, timeout: timeout, attemptTimeout: attemptTimeout,
      backoff: Backoff(base: .seconds(1), cap: .seconds(20), jitter: .none))
  }

  /// The same policy with other values.
  func with(_ change: (inout RetryPolicy) -> Void) -> RetryPolicy {
    var policy = self
    change(&policy)
    return policy
  }
}
