import Foundation
import SystemIO

/// Ends the process when nothing has gone on for a while.
final class Watchdog: Sendable {
  /// Far more than any step takes, also on a machine that is busy: what is stuck is stuck for ever.
  private static let patience = Duration.seconds(20)

  private let steps = Guarded(0)
  private let isOver = Guarded(false)

  /// How many steps have been made.
  var count: Int { steps.copy }

  /// A watchdog that watches from now on.
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

  /// Ends the watch.
  func end() { isOver.withLock { $0 = true } }

  /// Notes that something has gone on.
  func step() { steps.withLock { $0 += 1 } }
}
