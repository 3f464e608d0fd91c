/// A circuit breaker: it rejects requests to a server that fails most of them, and tries one from time to time.
///
/// It knows the path: a failure without a path says nothing about the server, so it neither opens nor closes the
/// circuit. The breaker is a value, and times are those of its owner's clock since any fixed moment; a ``ServerHealth``
/// shares one among all requests to a server.
public struct CircuitBreaker: Hashable, Sendable {
  /// The states of a breaker.
  public enum State: Hashable, Sendable {
    /// Requests are admitted.
    case closed
    /// Requests are rejected until this time.
    case open(until: Duration)
    /// One request at a time is admitted, to find out whether the server works again.
    case halfOpen
  }

  /// The outcome of a request.
  public enum Outcome: Hashable, Sendable {
    /// The server has answered.
    case success
    /// The server has failed.
    case failure
    /// The request says nothing about the server: there was no path, or the request was cancelled.
    case neutral
  }

  /// The permission for one request, which returns with its outcome.
  public struct Permit: Hashable, Sendable {
    fileprivate var period: Int
  }

  /// The answer to a request for admission.
  public enum Admission: Hashable, Sendable {
    /// The request is admitted.
    case admitted(Permit)
    /// The request is rejected, and so are others for this time.
    case rejected(for: Duration)
  }

  private struct Count: Hashable {
    var calls = 0
    var failures = 0
  }

  /// The share of failures that opens the circuit, from 0 to 1.
  public let failureRatio: Double
  /// The number of requests within the window below which the circuit stays closed.
  public let minimumCalls: Int
  /// The time over which failures are counted.
  public let window: Duration
  /// The time for which the circuit stays open.
  public let openTime: Duration
  /// The state.
  public private(set) var state = State.closed

  /// The count of the present half of the window.
  private var count = Count()
  /// The count of the half before.
  private var lastCount = Count()
  private var halfBegan: Duration?
  private var hasProbe = false
  /// Counts the changes of the state: the outcome of a request from an earlier period does not matter.
  private var period = 0

  /// A closed breaker.
  public init(
    failureRatio: Double = 0.5, minimumCalls: Int = 10, window: Duration = .seconds(30),
    openTime: Duration = .seconds(5)
  ) {
    self.failureRatio = failureRatio
    self.minimumCalls = minimumCalls
    self.window = window
    self.openTime = openTime
  }

  /// Opens at half of at least ten requests within 30 seconds, for 5 seconds.
  public static let standard = CircuitBreaker()

  /// Asks for the admission of a request.
  public mutating func admit(at now: Duration) -> Admission {
    switch state {
    case .closed: return .admitted(Permit(period: period))
    case .open(let end):
      guard now >= end else { return .rejected(for: end - now) }
      change(to: .halfOpen)
      hasProbe = true
      return .admitted(Permit(period: period))
    case .halfOpen:
      // The outcome of the probe is not known yet, and neither is the time that it takes.
      guard !hasProbe else { return .rejected(for: openTime) }
      hasProbe = true
      return .admitted(Permit(period: period))
    }
  }

  /// Notes the outcome of an admitted request.
  public mutating func note(_ outcome: Outcome, of permit: Permit, at now: Duration) {
    guard permit.period == period else { return }
    switch (state, outcome) {
    case (.closed, .success), (.closed, .failure): add(outcome, at: now)
    case (.halfOpen, .success): change(to: .closed)
    case (.halfOpen, .failure): change(to: .open(until: now + openTime))
    case (.halfOpen, .neutral): hasProbe = false
    case (.closed, .neutral), (.open, _): break
    }
  }

  private mutating func add(_ outcome: Outcome, at now: Duration) {
    turnWindow(at: now)
    count.calls += 1
    if outcome == .failure { count.failures += 1 }
    let calls = count.calls + lastCount.calls
    let failures = count.failures + lastCount.failures
    guard outcome == .failure, calls >= minimumCalls, Double(failures) >= failureRatio * Double(calls) else { return }
    change(to: .open(until: now + openTime))
  }

  private mutating func turnWindow(at now: Duration) {
    guard let began = halfBegan, now - began < window else {
      (count, lastCount, halfBegan) = (Count(), Count(), now)
      return
    }
    guard now - began >= window / 2 else { return }
    (lastCount, count, halfBegan) = (count, Count(), began + window / 2)
  }

  private mutating func change(to state: State) {
    self.state = state
    period += 1
    hasProbe = false
    (count, lastCount, halfBegan) = (Count(), Count(), nil)
  }
}
