internal import PathModel
internal import SystemIO

/// Decides when a round is made, and whether its verdict holds. Pure: its owner makes the rounds and sets the timer.
///
/// A round follows a change of the network, or a suspicion. While the network is not validated, further ones
/// follow after 1, 2, 4, up to 600 s; afterwards none, unless the administrator has set a time for that.
///
/// One round is enough for `validated`, and any other verdict takes two in a row. If nothing is known twice, the former
/// verdict holds no more.
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

  /// The time between the rounds while the network is validated; `nil` for none.
  private let revalidation: Duration?
  private var pauses = RetryPauses(first: .seconds(1), factor: 2, longest: .seconds(600))
  private var isAllowed = false
  private var due: MonotonicInstant?
  private var last: PathValidation.State?

  /// A schedule without a network.
  init(revalidation: Duration? = nil) { self.revalidation = revalidation }

  /// Another network carries the traffic, or none.
  ///
  /// - Parameter isAllowed: Whether packets may be sent over it.
  mutating func networkChanged(isAllowed: Bool) -> Action {
    (self.isAllowed, last) = (isAllowed, nil)
    pauses.reset()
    return ask()
  }

  /// Something else doubts the verdict, such as the router's silence. A doubt during a pause shortens it, and does not
  /// begin the pauses anew: it may come again and again.
  mutating func suspected() -> Action { ask() }

  /// A round has ended.
  ///
  /// - Returns: Whether its verdict holds, and is to be reported.
  mutating func holds(_ state: PathValidation.State) -> Bool {
    defer { last = state }
    return state == .validated || state == last
  }

  /// The step after a round and its report.
  mutating func concluded(isValidated: Bool, at now: MonotonicInstant) -> Action {
    guard isAllowed else { return .none }
    if isValidated { pauses.reset() }
    due = (isValidated ? revalidation : pauses.next()).map { now.advanced(by: $0) }
    return due.map { .wake(at: $0) } ?? .none
  }

  /// The moment of the last `wake` has come.
  mutating func timerFired(at now: MonotonicInstant) -> Action {
    guard let due else { return .none }
    return now < due ? .wake(at: due) : ask()
  }

  private mutating func ask() -> Action {
    due = nil
    return isAllowed ? .ask : .none
  }
}
