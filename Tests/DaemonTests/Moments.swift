import Synchronization

/// When something was seen that is counted.
final class Moments: Sendable {
  private let moments = Mutex<(count: Int, all: [ContinuousClock.Instant])>((0, []))

  /// Notes the moment if the count has grown.
  func note(_ count: Int) {
    moments.withLock { moments in
      if count > moments.count { moments.all.append(.now) }
      moments.count = max(count, moments.count)
    }
  }

  /// The longest time between two of them.
  var longestGap: Duration {
    moments.withLock { moments in zip(moments.all, moments.all.dropFirst()).map { $1 - $0 }.max() ?? .zero }
  }
}
