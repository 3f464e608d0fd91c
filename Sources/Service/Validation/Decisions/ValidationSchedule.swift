internal import PathModel
internal import SystemIO

/// Decides when a round is made, and whether its verdict holds. Pure: its owner makes the rounds and sets the timer.
///
/// A round follows a change of the network by two seconds at most, or a suspicion at once. While the network is not
/// validated, further ones follow after 1, 2, 4, up to 600 s; afterwards in the administrator's time. Each pause is
/// longer or shorter by a random quarter, because many machines have the same outage. Ten rounds may follow each other,
/// then one a minute, however often the network changes.
///
/// One round is enough for `validated`. Any other verdict takes two rounds in a row that do not validate. If these
/// disagree, a part of the Internet answers, or nothing is known.
struct ValidationSchedule: Sendable {
  /// The next step of the owner.
  enum Action: Equatable, Sendable {
    /// Nothing until the next input.
    case none
    /// Make a round now.
    case ask
    /// Call ``timerFired(at:)`` at this moment.
    case wake(at: MonotonicInstant)
  }

  /// The longest time before the first round over a network.
  static let spread = Duration.seconds(2)
  /// The number of rounds that may follow each other, and the time that each takes from those that follow.
  static let (burst, interval) = (10, Duration.seconds(60))

  /// The time between the rounds while the network is validated; `nil` for none.
  private let revalidation: Duration?
  private let random: @Sendable () -> Double
  private var pauses = RetryPauses(first: .seconds(1), factor: 2, longest: .seconds(600))
  private var isAllowed = false
  private var due: MonotonicInstant?
  private var last: PathValidation.State?
  /// The moment at which all rounds so far are paid off, one in each interval.
  private var paidOff: MonotonicInstant?

  /// A schedule without a network.
  ///
  /// - Parameter random: A number from 0 to below 1.
  init(revalidation: Duration? = nil, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    (self.revalidation, self.random) = (revalidation, random)
  }

  /// Another network carries the traffic, or none.
  ///
  /// - Parameter isAllowed: Whether packets may be sent over it.
  mutating func networkChanged(isAllowed: Bool, at now: MonotonicInstant) -> Action {
    (self.isAllowed, last) = (isAllowed, nil)
    pauses.reset()
    return plan(after: Self.spread * random(), at: now)
  }

  /// Something else doubts the verdict, such as the router's silence. A doubt during a pause shortens it, and does not
  /// begin the pauses anew: it may come again and again.
  mutating func suspected(at now: MonotonicInstant) -> Action { plan(after: .zero, at: now) }

  /// The verdict that is to be reported after a round with this one; `nil` if the former one still holds.
  mutating func conclusion(after state: PathValidation.State) -> PathValidation.State? {
    defer { last = state }
    if state == .validated || state == last { return state }
    guard let last, last != .validated else { return nil }
    return state == .unknown || last == .unknown ? .unknown : .partial
  }

  /// The step after a round and its report.
  ///
  /// - Parameter isValidated: Whether the network is validated, and the service has taken the verdict.
  mutating func concluded(isValidated: Bool, at now: MonotonicInstant) -> Action {
    if isValidated { pauses.reset() }
    guard isAllowed, let pause = isValidated ? revalidation : pauses.next() else {
      due = nil
      return .none
    }
    return plan(after: pause * (0.75 + random() / 2), at: now)
  }

  /// The moment of the last `wake` has come.
  mutating func timerFired(at now: MonotonicInstant) -> Action {
    guard let due else { return .none }
    return now < due ? .wake(at: due) : ask(at: now)
  }

  private mutating func plan(after pause: Duration, at now: MonotonicInstant) -> Action {
    due = nil
    if !isAllowed { return .none }
    let payment = paidOff?.advanced(by: Self.interval * (1 - Self.burst))
    let moment = max(now.advanced(by: pause), payment ?? now)
    if moment <= now { return ask(at: now) }
    due = moment
    return .wake(at: moment)
  }

  private mutating func ask(at now: MonotonicInstant) -> Action {
    due = nil
    paidOff = max(paidOff ?? now, now).advanced(by: Self.interval)
    return .ask
  }
}
