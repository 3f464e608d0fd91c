internal import SystemIO

/// The retry budget and the circuit breaker of one server, shared by all requests to it.
///
/// ```swift
/// var policy = RetryPolicy.idempotent
/// policy.health = .shared(for: "api.example.org")
/// ```
public final class ServerHealth: Sendable {
  private struct State {
    var budget: RetryBudget?
    var breaker: CircuitBreaker?
  }

  private let state: Guarded<State>
  /// The time since this object was made.
  private let elapsed: @Sendable () -> Duration

  /// The health of a server about which nothing is known.
  ///
  /// - Parameters:
  ///   - budget: The budget for retries; `nil` for no limit.
  ///   - breaker: The circuit breaker; `nil` to admit every request.
  ///   - clock: The clock of the breaker.
  public init<C: Clock>(
    budget: RetryBudget? = .standard, breaker: CircuitBreaker? = .standard, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    state = Guarded(State(budget: budget, breaker: breaker))
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// The present budget; `nil` when there is none.
  public var budget: RetryBudget? { state.copy.budget }
  /// The present state of the breaker; `nil` when there is none.
  public var circuit: CircuitBreaker.State? { state.copy.breaker?.state }

  // MARK: Inputs of a retry

  func requestBegan() { state.withLock { $0.budget?.requestBegan() } }

  func admit() -> CircuitBreaker.Admission? {
    let now = ForeignCode.run { elapsed() }
    return state.withLock { $0.breaker?.admit(at: now) }
  }

  func attemptEnded(_ outcome: CircuitBreaker.Outcome, _ admission: CircuitBreaker.Admission?) {
    let now = ForeignCode.run { elapsed() }
    state.withLock { state in
      if case .admitted(let permit) = admission { state.breaker?.note(outcome, of: permit, at: now) }
      if outcome == .failure { state.budget?.attemptFailed() }
    }
  }

  /// Whether a retry is allowed; the withdrawal for it, if there is a budget.
  func withdraw(hasTimedOut: Bool) -> (isAllowed: Bool, withdrawal: RetryBudget.Withdrawal?) {
    state.withLock { state in
      guard state.budget != nil else { return (true, nil) }
      let withdrawal = state.budget?.withdraw(hasTimedOut: hasTimedOut)
      return (withdrawal != nil, withdrawal)
    }
  }

  func requestSucceeded(after lastRetry: RetryBudget.Withdrawal?) {
    state.withLock { $0.budget?.requestSucceeded(after: lastRetry) }
  }

  // MARK: Servers of the program

  private static let servers = Guarded<[String: ServerHealth]>([:])
  /// The number of servers from which on unused ones are forgotten.
  private static let mostServers = 256

  /// The health of a server that all parts of the program share, with the standard budget and breaker.
  ///
  /// - Parameter server: The name of the server, with its port if it has several: `api.example.org:8443`. Names that
  ///   differ in case are the same.
  public static func shared(for server: String) -> ServerHealth {
    let server = server.lowercased()
    let (health, forgotten) = servers.withLock { servers -> (ServerHealth, [ServerHealth]) in
      if let health = servers[server] { return (health, []) }
      var forgotten: [ServerHealth] = []
      if servers.count >= mostServers {
        forgotten = Array(servers.values)
        servers = [:]
      }
      let health = ServerHealth()
      servers[server] = health
      return (health, forgotten)
    }
    // They end here, outside the lock.
    _ = forgotten
    return health
  }
}
