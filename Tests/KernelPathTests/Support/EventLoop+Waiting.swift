package import SystemIO

extension EventLoop {
  /// Runs until the condition holds, which is checked at least every 20 ms; `false` when time is up.
  ///
  /// The last check follows a turn of the loop after the deadline, however long the checks take.
  package func run(within limit: Duration, until condition: () throws -> Bool) throws -> Bool {
    let deadline = MonotonicInstant.now.advanced(by: limit)
    var isOver = false
    while try !condition() {
      if isOver { return false }
      let now = MonotonicInstant.now
      isOver = now >= deadline
      try runOnce(until: min(deadline, now.advanced(by: .milliseconds(20))))
    }
    return true
  }
}
