/// The times that a changed value must rest before it is published.
package struct SettleTimes: Hashable, Sendable {
  /// The time for a change that only adds something.
  package var gain: Duration
  /// The time for a change that takes something away.
  package var loss: Duration
  /// The longest that a change may be held back, however often the value changes meanwhile.
  package var longest: Duration

  /// 50 ms for a gain, 200 ms for a loss, 1 s at most: a route that is replaced, a renewed lease or a
  /// reconfiguration do not flash "offline".
  ///
  /// A Wi-Fi link that authenticates anew is dormant for 30 to 150 ms, so a loss rests a little longer. A new network
  /// brings its address, routes and name servers one after another. A gain rests so that they are mostly one update.
  package static let standard = SettleTimes(gain: .milliseconds(50), loss: .milliseconds(200), longest: .seconds(1))

  /// Every change at once.
  package static let immediate = SettleTimes(.zero)

  /// The same time for gains and losses; a change is held back for 1 s at most, or for that time if it is longer.
  package init(_ time: Duration) {
    self.init(gain: time, loss: time, longest: max(time, time == .zero ? .zero : .seconds(1)))
  }

  /// Times for each kind of change.
  package init(gain: Duration, loss: Duration, longest: Duration) {
    self.gain = gain
    self.loss = loss
    self.longest = longest
  }
}
