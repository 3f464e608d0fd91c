internal import SystemIO

/// Decides when spans are written and when the present one is marked.
///
/// - A change is written at once, unless the last one was written a moment ago. Then it waits for those that follow,
///   and they are written together.
/// - A span is marked 1, 2, 4, … 60 s after it was written, and then once a minute, so that a recorder that is killed
///   loses little of it.
/// - A writing that failed is tried again 1, 2, 4, … 60 s later. Of the spans that wait, the newest are kept,
///   and the oldest: the file has its beginning.
/// - While a writing lasts, nothing else begins, and what changes meanwhile waits for the next one.
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
  /// The number of changes that are missing among those that are written next.
  private(set) var lost = 0
  /// The spans that are being written, and the number that is missing among them; `nil` while nothing is written.
  private var writing: (spans: [HistorySpan], lost: Int)?
  /// Whether a writing has begun and not ended.
  var isWriting: Bool { writing != nil }
  /// The number of changes that cannot be written now; 0 while nothing has failed.
  var unwritten: Int { isFailing ? waiting.count + lost + (writing.map { $0.spans.count + $0.lost } ?? 0) : 0 }
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
    limit()
    isUnwritten = true
    if isFailing || isWriting { return }
    due = lastWriting == .min ? now : max(now, lastWriting + Self.pause)
  }

  /// The step at a moment.
  func step(at now: Int64) -> Step {
    guard let due, due <= now else { return .wait }
    return isUnwritten ? .write : .mark
  }

  /// Notes that the service has merged changes, so that so many are missing.
  mutating func noteLoss(of count: Int) { lost += count }

  /// Notes that the writing of all that waits begins. Its end is ``written(at:)`` or ``failed(at:)``.
  mutating func began() {
    writing = (waiting, lost)
    (waiting, lost, isUnwritten, due) = ([], 0, false, nil)
  }

  /// Notes that everything was written that waited when the writing began.
  mutating func written(at now: Int64) {
    (writing, isFailing, lastWriting) = (nil, false, now)
    pauses.reset()
    if isUnwritten { due = now + Self.pause } else { wait(from: now) }
  }

  /// Notes that the present span was marked.
  mutating func marked(at now: Int64) { wait(from: now) }

  /// Notes that there is no present span to mark.
  mutating func rested() { due = nil }

  /// Notes that writing has failed.
  mutating func failed(at now: Int64) {
    if let writing {
      waiting.insert(contentsOf: writing.spans, at: 0)
      lost += writing.lost
      limit()
    }
    writing = nil
    if !isFailing { pauses.reset() }
    (isFailing, isUnwritten) = (true, true)
    wait(from: now)
  }

  private mutating func limit() {
    let excess = waiting.count - Self.mostWaiting
    if excess <= 0 { return }
    lost += excess
    waiting.removeSubrange(1...excess)
  }

  private mutating func wait(from now: Int64) { due = now + Int64(pauses.next() / .microseconds(1)) }
}
