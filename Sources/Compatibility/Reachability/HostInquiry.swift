/// What is known of a host, and when it is to be asked for. It decides only; ``Reachability`` asks.
///
/// - It is asked for on each path, and again on the same one as long as it is not reachable: after a second, and then
///   at twice the time, up to a minute.
/// - One question is under way at most: it may take long.
struct HostInquiry: Sendable {
  /// What comes of a question.
  enum Answer: Sendable {
    /// It has an address, and the kernel a route there.
    case reachable
    /// It has not.
    case unreachable
    /// The question could not be asked, or not answered in time.
    case unknown
  }

  /// What is to be done. The number comes back with what comes of it.
  enum Action: Equatable, Sendable {
    case nothing
    case ask(_ question: Int)
    case askAfter(_ pause: Duration, _ question: Int)
  }

  static let shortestPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)

  /// What was answered last; `nil` before, and when there was no path since.
  private(set) var answer: Answer?
  /// Whether that holds for the path as it is.
  private(set) var isAnswered = false
  private var isSatisfied = false
  private var isAsking = false
  /// Counts the paths: what waits to be asked for one before is void, and so is what was asked, but for good news.
  private var question = 0
  /// The newest that there was no path for.
  private var lost = 0
  private var pause = HostInquiry.shortestPause

  /// The path is another.
  mutating func pathChanged(isSatisfied: Bool) -> Action {
    self.isSatisfied = isSatisfied
    question += 1
    pause = Self.shortestPause
    isAnswered = false
    if !isSatisfied { (answer, lost) = (nil, question) }
    return ask()
  }

  /// The time to ask again has come.
  mutating func timeIsUp(_ question: Int) -> Action {
    question == self.question ? ask() : .nothing
  }

  /// A question was answered.
  mutating func take(_ answer: Answer, to question: Int) -> Action {
    isAsking = false
    guard question == self.question else {
      // Else paths that change more often than questions are answered would keep the answer from us.
      if answer == .reachable, question > lost { (self.answer, isAnswered) = (answer, true) }
      return ask()
    }
    isAnswered = true
    // Where we cannot ask, what is known stays.
    if answer != .unknown || self.answer == nil { self.answer = answer }
    guard answer != .reachable else { return .nothing }
    defer { pause = min(pause * 2, Self.longestPause) }
    return .askAfter(pause, question)
  }

  private mutating func ask() -> Action {
    guard isSatisfied, !isAsking else { return .nothing }
    isAsking = true
    return .ask(question)
  }
}
