import ConnectivityTesting
import SystemIO

/// A manual clock that records the deadlines of its sleeps.
struct WatchedClock: Clock {
  let manual = ManualClock()
  private let deadlines = Guarded<Set<Duration>>([])

  var now: ManualClock.Instant { manual.now }
  var minimumResolution: Duration { manual.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    deadlines.withLock { _ = $0.insert(deadline.offset) }
    try await manual.sleep(until: deadline, tolerance: tolerance)
  }

  /// Waits until a task sleeps, or has slept, until that time after the clock's beginning.
  func waitForSleep(until offset: Duration) async {
    while !deadlines.copy.contains(offset), !Task.isCancelled { await Task.yield() }
  }
}
