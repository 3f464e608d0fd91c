import Resilience
import Testing

@Suite("The circuit breaker")
struct CircuitBreakerTests {
  /// Sends requests with these outcomes at a time; returns how many were admitted.
  private func send(
    _ outcomes: [CircuitBreaker.Outcome], to breaker: inout CircuitBreaker, at second: Int
  ) -> Int {
    var admitted = 0
    for outcome in outcomes {
      guard case .admitted(let permit) = breaker.admit(at: .seconds(second)) else { continue }
      admitted += 1
      breaker.note(outcome, of: permit, at: .seconds(second))
    }
    return admitted
  }

  private func many(_ outcome: CircuitBreaker.Outcome, _ count: Int) -> [CircuitBreaker.Outcome] {
    Array(repeating: outcome, count: count)
  }

  @Test func `it opens at half of at least ten requests`() {
    var breaker = CircuitBreaker()
    #expect(send(many(.failure, 9), to: &breaker, at: 0) == 9)
    #expect(breaker.state == .closed)
    #expect(send([.failure, .failure], to: &breaker, at: 1) == 1)
    #expect(breaker.state == .open(until: .seconds(6)))
    var healthy = CircuitBreaker()
    #expect(send(many(.success, 12) + many(.failure, 11), to: &healthy, at: 0) == 23)
    #expect(healthy.state == .closed)
  }

  @Test func `failures that are older than the window do not count`() {
    var breaker = CircuitBreaker(window: .seconds(30))
    #expect(send(many(.failure, 9), to: &breaker, at: 0) == 9)
    #expect(send(many(.failure, 9), to: &breaker, at: 60) == 9)
    #expect(breaker.state == .closed)
    #expect(send([.failure], to: &breaker, at: 74) == 1)
    #expect(breaker.state == .open(until: .seconds(79)))
  }

  @Test func `an open circuit rejects, then admits one request at a time`() throws {
    var breaker = CircuitBreaker()
    _ = send(many(.failure, 10), to: &breaker, at: 0)
    #expect(breaker.admit(at: .seconds(3)) == .rejected(for: .seconds(2)))
    guard case .admitted(let probe) = breaker.admit(at: .seconds(5)) else {
      Issue.record("the probe was rejected")
      return
    }
    #expect(breaker.state == .halfOpen)
    #expect(breaker.admit(at: .seconds(5)) == .rejected(for: .seconds(5)))
    breaker.note(.failure, of: probe, at: .seconds(6))
    #expect(breaker.state == .open(until: .seconds(11)))
    #expect(send([.success], to: &breaker, at: 11) == 1)
    #expect(breaker.state == .closed)
  }

  @Test func `being offline neither opens nor closes it`() {
    var closed = CircuitBreaker()
    #expect(send(many(.neutral, 1_000), to: &closed, at: 0) == 1_000)
    #expect(closed == CircuitBreaker())
    var open = CircuitBreaker()
    _ = send(many(.failure, 10), to: &open, at: 0)
    // Each probe without a path makes room for the next.
    #expect(send(many(.neutral, 100), to: &open, at: 5) == 100)
    #expect(open.state == .halfOpen)
    #expect(send([.success], to: &open, at: 600) == 1)
    #expect(open.state == .closed)
  }

  @Test func `the outcome of a request from before a change of state is ignored`() {
    var breaker = CircuitBreaker()
    guard case .admitted(let early) = breaker.admit(at: .zero) else { return }
    _ = send(many(.failure, 10), to: &breaker, at: 0)
    breaker.note(.success, of: early, at: .seconds(1))
    #expect(breaker.state == .open(until: .seconds(5)))
    guard case .admitted = breaker.admit(at: .seconds(5)) else { return }
    breaker.note(.success, of: early, at: .seconds(5))
    #expect(breaker.state == .halfOpen)
  }
}

@Suite("The retry budget")
struct RetryBudgetTests {
  @Test func `retries are a share of the requests, and the reserve`() {
    var budget = RetryBudget.share(of: 0.1, reserve: 10, capacity: 100)
    var retries = 0
    for _ in 0..<1_000 {
      budget.requestBegan()
      if budget.withdraw() != nil { retries += 1 }
    }
    #expect(retries == 110)
  }

  @Test func `the number of tokens is limited by the capacity`() {
    var budget = RetryBudget.share(of: 0.5, reserve: 1, capacity: 20)
    for _ in 0..<1_000 { budget.requestBegan() }
    #expect(budget.tokens == 20)
    #expect((0..<30).count { _ in budget.withdraw() != nil } == 20)
  }

  @Test func `a success neither brings nor returns tokens of a share`() {
    var budget = RetryBudget.standard
    let retry = budget.withdraw()
    budget.requestSucceeded(after: retry)
    budget.requestSucceeded(after: nil)
    budget.attemptFailed()
    #expect(budget.tokens == 9)
  }

  @Test func `budgets with invalid values allow nothing and do not trap`() {
    for var budget in [
      RetryBudget.share(of: -1, reserve: -5, capacity: -5), .share(of: .nan, reserve: 0), .tokenBucket(capacity: 0),
    ] {
      budget.requestBegan()
      #expect(budget.withdraw() == nil)
    }
  }

  @Test func `the program has one health record for each server`() {
    let health = ServerHealth.shared(for: "Budget.example.org")
    #expect(ServerHealth.shared(for: "budget.example.org") === health)
    #expect(ServerHealth.shared(for: "budget.example.org:8443") !== health)
  }
}
