internal import PathModel
internal import SystemIO

/// Decides when a round is made, and whether its verdict holds. Pure: its owner makes the rounds and sets the timer.
///
/// A round follows a change of the network by two seconds at most, or a suspicion at once. While the network is not
/// validated, further ones follow after 1, 2, 4, up to 600 s; afterwards in the administrator's time. Each pause is
/// longer or shorter by a random quarter, because many machines have the same outage. Twenty rounds may follow each
/// other, then one each 45 s, however often the network changes.
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

  /// The longest pause, unless the administrator sets a longer one.
  static let longest = Duration.seconds(600)
  /// The longest time before the first round over a network.
  static let spread = Duration.seconds(2)
  /// The mean time between rounds as a share of the administrator's. Of 30 min or more, the longest pause leaves the
  /// time of two silent rounds, so that the end of an answer is known within it.
  private static let share = 0.79
  /// The number of rounds that may follow each other, and the time that each takes from those that follow.
  static let (burst, interval) = (20, Duration.seconds(45))

  /// The time between the rounds while the network is validated; `nil` for none.
  private let revalidation: Duration?
  private let random: @Sendable () -> Double
  private var pauses = RetryPauses(first: .seconds(1), factor: 2, longest: longest)
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

  /// The pauses begin anew, because somebody may sign in now.
  mutating func renew() { pauses.reset() }

  /// The verdict that is to be reported after a round with this one; `nil` if the former one still holds.
  ///
  /// - Parameter isLast: Whether a host does not want to be asked for a second opinion.
  mutating func conclusion(after state: PathValidation.State, isLast: Bool = false) -> PathValidation.State? {
    defer { last = state }
    if state == .validated || state == last || isLast { return state }
    guard let last, last != .validated else { return nil }
    return state == .unknown || last == .unknown ? .unknown : .partial
  }

  /// The step after a round and its report.
  ///
  /// - Parameters:
  ///   - isValidated: Whether the network is validated, and the service has taken the verdict.
  ///   - notBefore: The time before which a host does not want to be asked again; 600 s of it are kept.
  ///   - remaining: The time after which the network may want another sign-in.
  mutating func concluded(
    isValidated: Bool, notBefore: Duration? = nil, remaining: Duration? = nil, at now: MonotonicInstant
  ) -> Action {
    if isValidated { pauses.reset() }
    let pause = (isValidated ? revalidation.map { $0 * Self.share } : pauses.next()).map { $0 * (0.75 + random() / 2) }
    let end = remaining.map { $0 + Self.spread * random() }
    guard isAllowed, let pause = [pause, end].compactMap(\.self).min() else {
      due = nil
      return .none
    }
    return plan(after: max(pause, min(notBefore ?? .zero, Self.longest)), at: now)
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
