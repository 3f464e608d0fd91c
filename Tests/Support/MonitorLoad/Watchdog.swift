import Foundation
import SystemIO

/// Ends the process when it has made no progress for a while.
final class Watchdog: Sendable {
  /// Far longer than any step, also on a busy machine: a thread that is stuck this long is stuck for ever.
  private static let patience = Duration.seconds(20)

  private let steps = Guarded(0)
  private let isOver = Guarded(false)

  var count: Int { steps.copy }

  init() {
    Thread.detachNewThread { [self] in
      var (seen, since) = (-1, ContinuousClock.now)
      while !isOver.copy {
        usleep(50_000)
        let count = count
        if count != seen { (seen, since) = (count, .now) }
        guard ContinuousClock.now - since > Self.patience else { continue }
        MonitorLoad.say("stuck after \(count)")
        _exit(3)
      }
    }
  }

  func end() { isOver.withLock { $0 = true } }

  func step() { steps.withLock { $0 += 1 } }
}
