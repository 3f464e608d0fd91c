/// Decides when to look again after something was heard. Pure, like ``Settling``.
///
/// The kernel announces a route before it removes it, and a link that goes down or an address that goes away before it
/// removes the routes over it, of which it then says nothing. Who asks in between gets the old answer, and would keep it.
package struct SecondLooks<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
  /// How long after the last message it is looked again: at once after, and when the slowest removal is done.
  package static var delays: [Duration] {
    [.milliseconds(1), .milliseconds(30), .seconds(1)]
  }

  private var lastHeard: Instant?
  /// Whether the first look is due for what was heard last, and for what was heard before that.
  private var isFirstDue = (last: false, before: false)

  /// Nothing has been heard yet.
  package init() {}

  /// Whether all looks after the last message have been made.
  package var isQuiet: Bool { lastHeard == nil }

  /// Takes note of a message.
  package mutating func heard(at now: Instant) {
    isFirstDue.before = (isFirstDue.last || isFirstDue.before) && lastHeard.map { now < Self.first(after: $0) } ?? false
    isFirstDue.last = true
    lastHeard = now
  }

  /// Takes note that what was heard last has been done, as the answers show: it needs no look at once after.
  package mutating func sawItDone() {
    isFirstDue.last = false
  }

  private static func first(after heard: Instant) -> Instant { heard.advanced(by: delays[0]) }

  /// When to look next, after having looked just now; `nil` when no more looks are due.
  package mutating func next(after now: Instant) -> Instant? {
    guard let lastHeard else { return nil }
    let isFirstDue = isFirstDue.last || isFirstDue.before
    for delay in Self.delays.dropFirst(isFirstDue ? 0 : 1) where lastHeard.advanced(by: delay) > now {
      return lastHeard.advanced(by: delay)
    }
    self.lastHeard = nil
    return nil
  }
}
