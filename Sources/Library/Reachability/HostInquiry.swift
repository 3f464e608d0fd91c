internal import SystemIO

/// The last answer for a host, and the decision when to ask again. It only decides; ``Reachability`` asks.
///
/// - The host is asked for on each path. While it is not reachable, it is asked for again on the same path: after a
///   second, and then after twice the time, up to a minute.
/// - At most one question is under way, because it may take long.
struct HostInquiry: Sendable {
  /// The result of a question.
  enum Answer: Sendable {
    /// The host has an address, and the kernel has a route there.
    case reachable
    /// The host has no address, or the kernel has no route there.
    case unreachable
    /// The question could not be asked, or not answered in time.
    case unknown
  }

  /// The action that the owner performs. The owner passes the number back with the result.
  enum Action: Equatable, Sendable {
    case nothing
    case ask(_ question: Int)
    case askAfter(_ pause: Duration, _ question: Int)
  }

  /// The last answer; `nil` before the first, and after the path was lost.
  private(set) var answer: Answer?
  /// Whether the answer holds for the present path.
  private(set) var isAnswered = false
  private var isSatisfied = false
  private var isAsking = false
  /// Counts the paths. A question that waits for an earlier path is dropped. An answer for an earlier path is ignored,
  /// unless the host is reachable.
  private var question = 0
  /// The number of the newest path that was not satisfied.
  private var lost = 0
  private var pauses = RetryPauses(longest: .seconds(60))

  /// The path has changed.
  mutating func pathChanged(isSatisfied: Bool) -> Action {
    self.isSatisfied = isSatisfied
    question += 1
    pauses.reset()
    isAnswered = false
    if !isSatisfied { (answer, lost) = (nil, question) }
    return ask()
  }

  /// The time to ask again has come.
  mutating func timeIsUp(_ question: Int) -> Action {
    question == self.question ? ask() : .nothing
  }

  /// A question was answered.
  mutating func receive(_ answer: Answer, to question: Int) -> Action {
    isAsking = false
    guard question == self.question else {
      // Otherwise, if paths changed faster than questions are answered, no answer would ever be used.
      if answer == .reachable, question > lost { (self.answer, isAnswered) = (answer, true) }
      return ask()
    }
    isAnswered = true
    // If the host could not be asked for, the last answer stays.
    if answer != .unknown || self.answer == nil { self.answer = answer }
    guard answer != .reachable else { return .nothing }
    return .askAfter(pauses.next(), question)
  }

  private mutating func ask() -> Action {
    guard isSatisfied, !isAsking else { return .nothing }
    isAsking = true
    return .ask(question)
  }
}
