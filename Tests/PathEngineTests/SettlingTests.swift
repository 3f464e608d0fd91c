import PathEngine
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

/// The values are numbers here: going to a smaller one is a loss.
@Suite("Settling")
struct SettlingTests {
  typealias Numbers = Settling<Int>

  enum Input {
    case value(Int)
    case timer
  }

  /// Feeds inputs at times in milliseconds; returns the actions.
  private static func play(
    _ script: [(at: Int, Input)], times: SettleTimes = .standard
  ) -> [Numbers.Action] {
    var settling = Numbers(times) { $1 < $0 }
    return script.map { moment, input in
      switch input {
      case .value(let value): settling.observe(value, at: MonotonicInstant(moment))
      case .timer: settling.timerFired(at: MonotonicInstant(moment))
      }
    }
  }

  @Test func `the first value is announced at once`() {
    #expect(Self.play([(7, .value(1))]) == [.announce(1)])
    #expect(Self.play([(0, .value(0)), (0, .timer)]) == [.announce(0), .none])
  }

  @Test func `a timer before the first value does nothing`() {
    #expect(Self.play([(0, .timer), (1, .value(1))]) == [.none, .announce(1)])
  }

  @Test func `a gain is announced after 50 ms`() {
    #expect(
      Self.play([(0, .value(1)), (100, .value(2)), (149, .timer), (150, .timer)])
        == [.announce(1), .wake(at: MonotonicInstant(150)), .wake(at: MonotonicInstant(150)), .announce(2)])
  }

  @Test func `a loss is announced after 200 ms`() {
    #expect(
      Self.play([(0, .value(2)), (100, .value(1)), (299, .timer), (300, .timer), (301, .timer)])
        == [.announce(2), .wake(at: MonotonicInstant(300)), .wake(at: MonotonicInstant(300)), .announce(1), .none])
  }

  @Test func `a flap that returns to the announced value is never announced`() {
    #expect(
      Self.play([(0, .value(2)), (100, .value(1)), (250, .value(2)), (300, .timer), (2000, .timer)])
        == [.announce(2), .wake(at: MonotonicInstant(300)), .none, .none, .none])
  }

  @Test func `the same value again does not start its settle time afresh`() {
    #expect(
      Self.play([(0, .value(1)), (100, .value(2)), (140, .value(2)), (150, .value(2))])
        == [.announce(1), .wake(at: MonotonicInstant(150)), .wake(at: MonotonicInstant(150)), .announce(2)])
  }

  @Test func `another value starts the settle time afresh, and its kind decides how long it is`() {
    #expect(
      Self.play([(0, .value(5)), (100, .value(6)), (120, .value(4)), (150, .timer), (320, .timer)])
        == [
          .announce(5), .wake(at: MonotonicInstant(150)), .wake(at: MonotonicInstant(320)),
          .wake(at: MonotonicInstant(320)),
          .announce(4),
        ])
  }

  @Test func `a value is a loss compared with the announced value, not with the one before`() {
    #expect(
      Self.play([(0, .value(5)), (100, .value(1)), (120, .value(3)), (320, .timer)])
        == [.announce(5), .wake(at: MonotonicInstant(300)), .wake(at: MonotonicInstant(320)), .announce(3)])
    #expect(
      Self.play([(0, .value(5)), (100, .value(9)), (120, .value(7)), (170, .timer)])
        == [.announce(5), .wake(at: MonotonicInstant(150)), .wake(at: MonotonicInstant(170)), .announce(7)])
  }

  @Test func `a value that never settles is announced after one second, whatever it is then`() {
    var script: [(Int, Input)] = [(0, .value(100))]
    for number in 0..<20 { script.append((1000 + 60 * number, .value(number))) }
    let actions = Self.play(script)
    let announced = zip(script, actions).compactMap { moment, action -> (Int, Int)? in
      if case .announce(let value) = action { (moment.0, value) } else { nil }
    }
    #expect(announced.map(\.0) == [0, 2020])
    #expect(announced.map(\.1) == [100, 17])
    #expect(actions[17] == .wake(at: MonotonicInstant(2000)), "the timer that was missed was set for the longest time")
  }

  @Test func `the longest time begins with the first difference from the announced value`() {
    #expect(
      Self.play([
        (0, .value(5)), (100, .value(1)), (290, .value(2)), (480, .value(5)), (490, .value(1)), (500, .value(2)),
      ])
      .last == .wake(at: MonotonicInstant(700)))
  }

  @Test func `a late timer announces nevertheless`() {
    #expect(Self.play([(0, .value(1)), (10, .value(2)), (99_999, .timer)]).last == .announce(2))
  }

  @Test func `with a settle time of zero every value is announced at once`() {
    #expect(
      Self.play([(0, .value(2)), (0, .value(1)), (0, .value(2)), (1, .value(2)), (1, .value(0))], times: .immediate)
        == [.announce(2), .announce(1), .announce(2), .none, .announce(0)])
  }

  @Test func `a single settle time has a limit of a second, or of itself if it is longer`() {
    #expect(SettleTimes(.zero) == SettleTimes.immediate)
    #expect(SettleTimes.immediate.longest == .zero)
    #expect(SettleTimes(.milliseconds(20)).longest == .seconds(1))
    #expect(SettleTimes(.seconds(5)).longest == .seconds(5))
    let standard = SettleTimes.standard
    #expect([standard.gain, standard.loss, standard.longest] == [.milliseconds(50), .milliseconds(200), .seconds(1)])
  }

  @Test(arguments: SeededGenerator.seeds)
  func `no value is announced twice in a row, and the last value always is announced in time`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 { Self.playRandomly(&generator, seed) }
  }

  /// A clock that obeys the actions, with random values at random times and timers that are a little late.
  private static func playRandomly(_ generator: inout SeededGenerator, _ seed: UInt64) {
    let times =
      [SettleTimes.standard, .immediate, SettleTimes(.milliseconds(30)), SettleTimes(.seconds(2))]
      .randomElement(using: &generator) ?? .standard
    var settling = Numbers(times) { $1 < $0 }
    var announcements: [(value: Int, at: MonotonicInstant)] = []
    var wake: MonotonicInstant?
    func obey(_ action: Numbers.Action, _ now: MonotonicInstant) {
      switch action {
      case .none: wake = nil
      case .wake(let moment):
        #expect(moment > now, "a timer in the past, seed \(seed)")
        wake = moment
      case .announce(let value):
        announcements.append((value, now))
        wake = nil
      }
    }
    var now = MonotonicInstant(0)
    var (value, changed) = (-1, now)
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      let next = now.advanced(by: .milliseconds(Int.random(in: 0...250, using: &generator)))
      while let moment = wake, moment <= next { obey(settling.timerFired(at: moment), moment) }
      now = next
      let seen = Int.random(in: 0..<4, using: &generator)
      if seen != value { (value, changed) = (seen, now) }
      obey(settling.observe(seen, at: now), now)
    }
    while let moment = wake { obey(settling.timerFired(at: moment), moment) }
    for (left, right) in zip(announcements, announcements.dropFirst()) {
      #expect(left.value != right.value, "seed \(seed)")
    }
    #expect(announcements.last?.value == value, "seed \(seed)")
    if let last = announcements.last {
      #expect(last.at <= changed.advanced(by: times.longest), "seed \(seed)")
    }
  }
}
