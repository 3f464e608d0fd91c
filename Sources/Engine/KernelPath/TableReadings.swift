internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The routes that were read from the beginnings of tables for explanations.
///
/// A table can be as long as that of the Internet, and the kernel walks through all of it to find the few routes of a
/// type. Any user may ask for explanations. Readings therefore take at most a twentieth of the time, after a first
/// tenth of a second. Between them, an explanation shows the routes that were read last.
struct TableReadings: Sendable {
  /// The routes of one type in a table.
  struct Question: Hashable, Sendable {
    var family: IPAddress.Family
    var table: UInt32
    var type: UInt8
  }

  /// The time that readings may take before they have to wait.
  static var allowance: Duration { .milliseconds(100) }
  /// Readings may take one part in this many of the time that passes.
  static var share: Int { 20 }
  /// The most answers that are kept.
  static var limit: Int { 64 }

  private var answers: [Question: [RoutingFacts.TableRoute]] = [:]
  private var allowed = Self.allowance
  private var counted: MonotonicInstant?

  /// The number of answers that are kept.
  var count: Int { answers.count }

  /// The answer that was read last; `nil` when there is none.
  func latest(_ question: Question) -> [RoutingFacts.TableRoute]? { answers[question] }

  /// Whether a table may be read now.
  mutating func mayRead(at now: MonotonicInstant) -> Bool {
    if let counted { allowed = min(Self.allowance, allowed + counted.duration(to: now) / Self.share) }
    counted = now
    return allowed > .zero
  }

  /// Records the answer of a reading, and the time that it took.
  mutating func record(_ answer: [RoutingFacts.TableRoute], to question: Question, taking time: Duration) {
    allowed -= time
    if answers.count >= Self.limit, answers[question] == nil { answers.removeAll() }
    answers[question] = answer
  }
}
