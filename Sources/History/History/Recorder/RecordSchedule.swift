internal import SystemIO

/// Decides when spans are written and when the present one is marked.
///
/// - A change is written at once, unless the last one was written a moment ago. Then it waits for those that follow,
///   and they are written together.
/// - A span is marked 1, 2, 4, … 60 s after it was written, and then once a minute, so that a recorder that is killed
///   loses little of it.
/// - A writing that failed is tried again 1, 2, 4, … 60 s later. Of the spans that wait, the newest are kept,
///   and the oldest: the file has its beginning.
struct RecordSchedule {
  /// The steps of the owner.
  enum Step: Hashable {
    /// Write all of ``RecordSchedule/waiting`` and the present span.
    case write
    /// Mark the present span.
    case mark
    /// Do nothing yet.
    case wait
  }

  /// The shortest time between two writings, in microseconds: at most four in a second.
  static let pause: Int64 = 250_000
  /// The most spans that wait.
  static let mostWaiting = 2_000

  /// The spans that have ended and are not written yet, in their order.
  private(set) var waiting: [HistorySpan] = []
  /// The number of spans that were given up since the last writing.
  private(set) var lost = 0
  /// The time of the next step, in microseconds since boot, suspend not counted; `nil` for none.
  private(set) var due: Int64?
  private var isUnwritten = false
  private var lastWriting = Int64.min
  /// The times until the next mark, or the next attempt.
  private var pauses = RetryPauses(longest: .seconds(60))
  private var isFailing = false

  /// Notes that the present span has changed, after others have ended.
  mutating func add(_ closed: [HistorySpan], at now: Int64) {
    waiting += closed
    if waiting.count > Self.mostWaiting {
      let excess = waiting.count - Self.mostWaiting
      lost += excess
      waiting.removeSubrange(1...excess)
    }
    isUnwritten = true
    if isFailing { return }
    due = lastWriting == .min ? now : max(now, lastWriting + Self.pause)
  }

  /// The step at a moment.
  func step(at now: Int64) -> Step {
    guard let due, due <= now else { return .wait }
    return isUnwritten ? .write : .mark
  }

  /// Notes that everything was written.
  mutating func written(at now: Int64) {
    (waiting, lost, isUnwritten, isFailing) = ([], 0, false, false)
    lastWriting = now
    pauses.reset()
    wait(from: now)
  }

  /// Notes that the present span was marked.
  mutating func marked(at now: Int64) { wait(from: now) }

  /// Notes that there is no present span to mark.
  mutating func rested() { due = nil }

  /// Notes that writing has failed.
  mutating func failed(at now: Int64) {
    if !isFailing { pauses.reset() }
    (isFailing, isUnwritten) = (true, true)
    wait(from: now)
  }

  private mutating func wait(from now: Int64) { due = now + Int64(pauses.next() / .microseconds(1)) }
}
