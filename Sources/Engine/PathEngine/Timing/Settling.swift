package import PathModel
package import SystemIO

/// Debounces a changing value: decides when it is announced. Pure: the clock is a parameter, and the owner of the timer
/// obeys.
///
/// - The first value is announced at once.
/// - A value that differs from the announced one is announced after it has rested.
/// - A value that returns to the announced one before that is never announced.
/// - A value that keeps changing is announced after the longest time, whatever it is then.
package struct Settling<Value: Sendable>: Sendable {
  /// The action that the owner must take.
  package enum Action {
    /// Nothing; a timer that was set before is no longer needed.
    case none
    /// Call ``timerFired(at:)`` at that moment.
    case wake(at: MonotonicInstant)
    /// Announce the value now; a timer that was set before is no longer needed.
    case announce(Value)
  }

  private struct Pending {
    var value: Value
    /// When the value first differed from the announced one.
    var since: MonotonicInstant
    /// When the value last changed.
    var changed: MonotonicInstant
  }

  private let times: SettleTimes
  private let isLoss: @Sendable (_ announced: Value, _ next: Value) -> Bool
  private var announced: Value?
  private var pending: Pending?

  /// Creates a settling with these times; `isLoss` decides whether a change takes something away.
  package init(_ times: SettleTimes, isLoss: @escaping @Sendable (_ announced: Value, _ next: Value) -> Bool) {
    self.times = times
    self.isLoss = isLoss
  }
}

/// The type itself requires no equality: a program that starts would search all its conformances for that of the path.
extension Settling where Value: Equatable {
  /// Observes the current value.
  package mutating func observe(_ value: Value, at now: MonotonicInstant) -> Action {
    guard let announced else { return announce(value) }
    if value == announced {
      pending = nil
      return .none
    }
    if restingTime(from: announced, to: value) <= .zero { return announce(value) }
    if pending == nil {
      pending = Pending(value: value, since: now, changed: now)
    } else if pending?.value != value {
      pending?.value = value
      pending?.changed = now
    }
    return timerFired(at: now)
  }

  /// Announces the pending value if it is due; otherwise returns the time when it will be.
  package mutating func timerFired(at now: MonotonicInstant) -> Action {
    guard let pending, let announced else { return .none }
    let rest = restingTime(from: announced, to: pending.value)
    let due = min(pending.changed.advanced(by: rest), pending.since.advanced(by: times.longest))
    return now < due ? .wake(at: due) : announce(pending.value)
  }

  private func restingTime(from announced: Value, to next: Value) -> Duration {
    isLoss(announced, next) ? times.loss : times.gain
  }

  private mutating func announce(_ value: Value) -> Action {
    announced = value
    pending = nil
    return .announce(value)
  }
}

extension Settling.Action: Sendable {}

extension Settling.Action: Equatable where Value: Equatable {}
