package import SystemIO

extension EventLoop {
  /// Runs until the condition holds, which is checked at least every 20 ms; `false` when time is up.
  package func run(within limit: Duration, until condition: () throws -> Bool) throws -> Bool {
    let deadline = MonotonicInstant.now.advanced(by: limit)
    while try !condition() {
      let now = MonotonicInstant.now
      if now >= deadline { return false }
      try runOnce(until: min(deadline, now.advanced(by: .milliseconds(20))))
    }
    return true
  }
}
