import ConnectivityTesting
import SystemIO

/// A manual clock that tells until when it was asked to sleep.
struct WatchedClock: Clock {
  let manual = ManualClock()
  private let deadlines = Guarded<Set<Duration>>([])

  var now: ManualClock.Instant { manual.now }
  var minimumResolution: Duration { manual.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    deadlines.withLock { _ = $0.insert(deadline.offset) }
    try await manual.sleep(until: deadline, tolerance: tolerance)
  }

  /// Waits until somebody sleeps to that long after the clock's beginning, or has slept.
  func waitForSleep(until offset: Duration) async {
    while !deadlines.copy.contains(offset), !Task.isCancelled { await Task.yield() }
  }
}
