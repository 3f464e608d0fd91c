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

  /// Feeds values, and timers in place of `nil`, at times in milliseconds; returns the actions.
  private static func play(_ script: [(at: Int, value: Int?)], times: SettleTimes = .standard) -> [Numbers.Action] {
    var settling = Numbers(times) { $1 < $0 }
    return script.map { moment, value in
      value.map { settling.observe($0, at: MonotonicInstant(moment)) }
        ?? settling.timerFired(at: MonotonicInstant(moment))
    }
  }

  @Test(
    arguments: [
      ("the first at once", [(7, 1), (7, nil)], [.announce(1), .none]),
      ("nothing before the first", [(0, nil), (1, 1)], [.none, .announce(1)]),
      (
        "a gain", [(0, 1), (100, 2), (149, nil), (150, nil)],
        [.announce(1), .wake(at: 150), .wake(at: 150), .announce(2)]
      ),
      (
        "a loss", [(0, 2), (100, 1), (299, nil), (300, nil), (301, nil)],
        [.announce(2), .wake(at: 300), .wake(at: 300), .announce(1), .none]
      ),
      (
        "a flap that returns to the announced value never", [(0, 2), (100, 1), (250, 2), (300, nil), (2_000, nil)],
        [.announce(2), .wake(at: 300), .none, .none, .none]
      ),
      (
        "the same value again does not start its time afresh", [(0, 1), (100, 2), (140, 2), (150, 2)],
        [.announce(1), .wake(at: 150), .wake(at: 150), .announce(2)]
      ),
      (
        "another value starts its own time afresh", [(0, 5), (100, 6), (120, 4), (150, nil), (320, nil)],
        [.announce(5), .wake(at: 150), .wake(at: 320), .wake(at: 320), .announce(4)]
      ),
      (
        "a loss compared with the announced value", [(0, 5), (100, 1), (120, 3), (320, nil)],
        [.announce(5), .wake(at: 300), .wake(at: 320), .announce(3)]
      ),
      (
        "a gain compared with it", [(0, 5), (100, 9), (120, 7), (170, nil)],
        [.announce(5), .wake(at: 150), .wake(at: 170), .announce(7)]
      ),
      ("by a late timer", [(0, 1), (10, 2), (99_999, nil)], [.announce(1), .wake(at: 60), .announce(2)]),
      (
        "the longest time begins with the first difference",
        [(0, 5), (100, 1), (290, 2), (480, 5), (490, 1), (500, 2)],
        [.announce(5), .wake(at: 300), .wake(at: 490), .none, .wake(at: 690), .wake(at: 700)]
      ),
    ] as [(String, [(Int, Int?)], [Numbers.Action])])
  func `a gain is announced after 50 ms and a loss after 200 ms, if they last`(
    rule: String, script: [(Int, Int?)], actions: [Numbers.Action]
  ) {
    #expect(Self.play(script) == actions)
  }

  @Test func `a value that never settles is announced after one second, whatever it is then`() {
    let script = [(0, 100)] + (0..<20).map { (1_000 + 60 * $0, $0) }
    let actions = Self.play(script.map { ($0.0, $0.1) })
    let announced = zip(script, actions).compactMap { moment, action -> (Int, Int)? in
      if case .announce(let value) = action { (moment.0, value) } else { nil }
    }
    #expect(announced.map(\.0) == [0, 2020])
    #expect(announced.map(\.1) == [100, 17])
    #expect(actions[17] == .wake(at: 2_000), "the timer that was missed was set for the longest time")
  }

  @Test func `with a settle time of zero every value is announced at once`() {
    #expect(
      Self.play([(0, 2), (0, 1), (0, 2), (1, 2), (1, 0)], times: .immediate)
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
    var now: MonotonicInstant = 0
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
