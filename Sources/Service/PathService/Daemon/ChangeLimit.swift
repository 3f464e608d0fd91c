package import SystemIO

/// Limits the journal's entries about changes of the path, so that a network that flaps all day does not fill it. Pure.
///
/// There is room for ``burst`` entries at once, and for one more in each ``interval``. Changes without room are
/// counted, and the next entry has their sum. So a day has 308 entries at most, of some 1.2 kB each in the journal.
package struct ChangeLimit: Sendable {
  /// The number of entries that may follow each other at once.
  package static let burst = 20
  /// The time that an entry takes from those that follow it.
  package static let interval = Duration.seconds(300)

  /// The changes since the entry before.
  package struct Sum: Hashable, Sendable {
    /// Their number.
    package var changes = 0
    /// The time since the entry before, and the part of it in which the path was satisfied.
    package var (time, satisfied) = (Duration.zero, Duration.zero)
  }

  /// A step of the owner.
  package enum Action: Hashable, Sendable {
    /// Write an entry about the newest path, with the sum if it stands for changes before it, or comes late.
    case write(Sum?)
    /// Pass ``ChangeLimit/timerFired(at:)`` at the moment.
    case wait(until: MonotonicInstant)
  }

  /// The time saved up for entries.
  private var credit = interval * burst
  private var latest: MonotonicInstant
  private var isSatisfied = false
  private var sum = Sum()

  /// A limit with room for a burst.
  package init(at now: MonotonicInstant) { latest = now }

  /// Notes a change of the path.
  package mutating func change(isSatisfied: Bool, at now: MonotonicInstant) -> Action? {
    advance(to: now)
    self.isSatisfied = isSatisfied
    sum.changes += 1
    return step(isLate: sum.changes > 1, at: now)
  }

  /// Reacts to the moment of ``Action/wait(until:)``; `nil` when there is nothing to do any more.
  package mutating func timerFired(at now: MonotonicInstant) -> Action? {
    advance(to: now)
    return step(isLate: true, at: now)
  }

  /// Takes the changes that no entry has, for the next entry; `nil` when there are none.
  package mutating func take(at now: MonotonicInstant) -> Sum? {
    advance(to: now)
    guard sum.changes > 0 else { return nil }
    defer { (credit, sum) = (credit - Self.interval, Sum()) }
    return sum
  }

  private mutating func step(isLate: Bool, at now: MonotonicInstant) -> Action? {
    if sum.changes == 0 { return nil }
    guard credit >= Self.interval else { return .wait(until: now.advanced(by: Self.interval - credit)) }
    let taken = take(at: now)
    return .write(isLate ? taken : nil)
  }

  private mutating func advance(to now: MonotonicInstant) {
    let time = latest.duration(to: now)
    latest = now
    credit = min(credit + time, Self.interval * Self.burst)
    sum.time += time
    if isSatisfied { sum.satisfied += time }
  }
}
