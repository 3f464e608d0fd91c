/// Decides when to look again after something was heard. Pure, like ``Settling``.
///
/// The kernel announces a route before it removes it, and a link that goes down or an address that goes away before it
/// removes the routes over it, of which it then says nothing. Who asks in between gets the old answer, and would keep it.
package struct SecondLooks<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
  /// How long after the last message it is looked again: at once after, when the slowest removal is done, and for what
  /// nobody thinks of.
  package static var delays: [Duration] {
    [.milliseconds(1), .milliseconds(30), .seconds(1)]
  }

  private var lastHeard: Instant?
  /// The first of the delays after which it is looked, for what was heard last and for what was heard before that.
  private var first = (last: 0, before: 0)
  /// That of the look which is always made.
  private static var final: Int { delays.count - 1 }

  /// Nothing has been heard yet.
  package init() {}

  /// Whether all looks after the last message have been made.
  package var isQuiet: Bool { lastHeard == nil }

  /// Takes note of a message.
  package mutating func heard(at now: Instant) {
    first.before = lastHeard.map { firstDue(after: $0, at: now) } ?? Self.final
    first.last = 0
    lastHeard = now
  }

  /// The first of the looks that have not been made yet.
  private func firstDue(after heard: Instant, at now: Instant) -> Int {
    (min(first.last, first.before)..<Self.final).first { now < heard.advanced(by: Self.delays[$0]) } ?? Self.final
  }

  /// Takes note that what was heard last has been done, as the answers show: it needs only the last look.
  package mutating func sawItDone() {
    first.last = Self.final
  }

  /// When to look next, after having looked just now; `nil` when no more looks are due.
  package mutating func next(after now: Instant) -> Instant? {
    guard let lastHeard else { return nil }
    for delay in Self.delays.dropFirst(min(first.last, first.before)) where lastHeard.advanced(by: delay) > now {
      return lastHeard.advanced(by: delay)
    }
    self.lastHeard = nil
    return nil
  }
}
