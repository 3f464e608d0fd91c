package import SystemIO

/// Decides when to evaluate again after a kernel message. Pure, like ``Settling``.
///
/// The kernel announces some changes before it makes them. A route is announced before it is removed. A link that goes
/// down, or an address that goes away, is announced before the routes over it are removed, and the removal of these
/// routes is not announced. A question in between gets the old answer, which would then be kept.
package struct SecondLooks: Sendable {
  /// The delays of the looks after the last message: one follows at once, one after the slowest removal, and one covers
  /// unforeseen cases.
  package static var delays: [Duration] { [.milliseconds(1), .milliseconds(30), .seconds(1)] }

  private var lastHeard: MonotonicInstant?
  /// The indices of the first delays that still apply, to the last message and to the messages before it.
  private var first = (last: 0, before: 0)
  /// The index of the look that is always made.
  private static var final: Int { delays.count - 1 }

  /// Nothing has been heard yet.
  package init() {}

  /// Whether all looks after the last message have been made.
  package var isQuiet: Bool { lastHeard == nil }

  /// Records a message.
  package mutating func heard(at now: MonotonicInstant) {
    first.before = lastHeard.map { firstDue(after: $0, at: now) } ?? Self.final
    first.last = 0
    lastHeard = now
  }

  /// The index of the first look that has not been made yet.
  private func firstDue(after heard: MonotonicInstant, at now: MonotonicInstant) -> Int {
    (min(first.last, first.before)..<Self.final).first { now < heard.advanced(by: Self.delays[$0]) } ?? Self.final
  }

  /// Records that the answers already show the change that was announced last: it needs only the last look.
  package mutating func sawItDone() {
    first.last = Self.final
  }

  /// The time of the next look after one at `now`; `nil` when no more looks are due.
  package mutating func next(after now: MonotonicInstant) -> MonotonicInstant? {
    guard let lastHeard else { return nil }
    for delay in Self.delays.dropFirst(min(first.last, first.before)) where now < lastHeard.advanced(by: delay) {
      return lastHeard.advanced(by: delay)
    }
    self.lastHeard = nil
    return nil
  }
}
