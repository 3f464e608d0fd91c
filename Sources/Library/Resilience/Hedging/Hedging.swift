/// The times at which further copies of a slow request are sent: gRPC's hedging (proposal A6).
public struct Hedging: Hashable, Sendable {
  /// The time after which the next copy is sent if no answer has come.
  public var delay: Duration
  /// The largest number of copies, the first one included.
  public var maximumAttempts: Int

  /// A hedging as given.
  public init(delay: Duration, maximumAttempts: Int = 2) {
    self.delay = delay
    self.maximumAttempts = maximumAttempts
  }
}

/// The progress of one hedged request. Times are those since its beginning.
struct HedgingProgress: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case none
    /// The next copy is sent.
    case send
    /// The failure is thrown, and the other copies are cancelled.
    case fail
  }

  let hedging: Hedging
  /// The number of copies that were sent.
  private(set) var sent = 0
  private(set) var running = 0
  /// The time of the next copy; `nil` when no further one is sent.
  private(set) var nextSend: Duration? = .zero

  init(_ hedging: Hedging) { self.hedging = hedging }

  /// Notes the time.
  ///
  /// - Parameter isAllowed: Asked before each copy but the first. If it returns false, no further copy is sent.
  mutating func timerFired(at now: Duration, isAllowed: () -> Bool) -> Action {
    guard let nextSend, now >= nextSend else { return .none }
    return send(at: now, isAllowed)
  }

  /// Notes that a copy has failed.
  ///
  /// - Parameters:
  ///   - isFatal: Whether another copy would fail in the same way.
  ///   - pushback: The time for which the server asks to wait; `nil` when it does not ask.
  mutating func attemptFailed(
    isFatal: Bool, pushback: Duration?, at now: Duration, isAllowed: () -> Bool
  ) -> Action {
    running -= 1
    if isFatal { return .fail }
    guard nextSend != nil else { return running == 0 ? .fail : .none }
    guard let pushback else { return send(at: now, isAllowed) }
    nextSend = now + pushback
    return .none
  }

  private mutating func send(at now: Duration, _ isAllowed: () -> Bool) -> Action {
    guard sent == 0 || isAllowed() else {
      nextSend = nil
      return running == 0 ? .fail : .none
    }
    sent += 1
    running += 1
    nextSend = sent < hedging.maximumAttempts ? now + hedging.delay : nil
    return .send
  }
}
