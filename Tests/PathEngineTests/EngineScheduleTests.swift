import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@testable import KernelPath
@testable import PathEngine

@Suite("The engine's schedule")
struct EngineScheduleTests {
  /// A schedule whose evaluations take one millisecond each. The first one ends at 1 ms.
  private var schedule = EngineSchedule(evaluatedFrom: MonotonicInstant(0), to: MonotonicInstant(1))

  /// Evaluates from a moment on, for some milliseconds.
  private mutating func evaluate(
    at start: Int, taking time: Int = 1, hasFailed: Bool = false, showsRemoval: Bool = false
  ) {
    schedule.evaluationStarted(at: MonotonicInstant(start))
    schedule.evaluated(
      from: MonotonicInstant(start), to: MonotonicInstant(start + time), hasFailed: hasFailed,
      showsRemoval: showsRemoval)
  }

  /// The messages of a drain: by default the removal of one route, which is announced before it is made.
  private static func messages(
    _ count: Int = 1, isEarly: Bool = true, isOneRemoval: Bool = false, overran: Bool = false,
    of family: IPAddress.Family? = nil
  ) -> Kernel.News {
    Kernel.News(messages: count, overran: overran, isEarly: isEarly, isOneRemoval: isOneRemoval, family: family)
  }

  /// The times of the second looks that follow an evaluation, each of which takes no time.
  private mutating func secondLooks() -> [MonotonicInstant] {
    var looks: [MonotonicInstant] = []
    while let due = schedule.secondLookDue {
      looks.append(due)
      schedule.evaluationStarted(at: due)
      schedule.evaluated(from: due, to: due, hasFailed: false, showsRemoval: false)
    }
    return looks
  }

  // MARK: Pacing

  @Test mutating func `a message after a rest leads to an evaluation at once`() {
    schedule.drained(Self.messages(), at: MonotonicInstant(50))
    let isAtOnce = schedule.evaluatesAtOnce(at: MonotonicInstant(50))
    #expect(isAtOnce)
    #expect(schedule.evaluationDue == nil)
  }

  @Test mutating func `a message waits as long as the evaluation before it took, and no longer`() {
    evaluate(at: 100, taking: 8)
    schedule.drained(Self.messages(), at: MonotonicInstant(110))
    // Further messages do not postpone it.
    for moment in [110, 115] {
      let isAtOnce = schedule.evaluatesAtOnce(at: MonotonicInstant(moment))
      #expect(!isAtOnce)
      #expect(schedule.evaluationDue == MonotonicInstant(116))
    }
    evaluate(at: 116)
    #expect(schedule.evaluationDue == nil)
  }

  @Test mutating func `after a failure another evaluation follows in a second`() {
    evaluate(at: 100, hasFailed: true)
    #expect(schedule.evaluationDue == MonotonicInstant(1_101))
    evaluate(at: 1_101, hasFailed: true)
    #expect(schedule.evaluationDue == MonotonicInstant(2_102))
    evaluate(at: 2_102)
    #expect(schedule.evaluationDue == nil)
    schedule.failed(at: MonotonicInstant(3_000))
    #expect(schedule.evaluationDue == MonotonicInstant(4_000))
  }

  // MARK: Overruns

  @Test mutating func `a socket that overruns once is read at once`() {
    schedule.drained(Self.messages(overran: true), at: MonotonicInstant(10))
    evaluate(at: 10)
    #expect(schedule.pauseEnd(at: MonotonicInstant(11)) == nil)
  }

  @Test mutating func `a socket that overruns again within a second is not read for a quarter of a second`() {
    for moment in [10, 20] {
      schedule.drained(Self.messages(overran: true), at: MonotonicInstant(moment))
      evaluate(at: moment)
    }
    #expect(schedule.pauseEnd(at: MonotonicInstant(21)) == MonotonicInstant(271))
    // Afterwards it is read at once.
    #expect(schedule.pauseEnd(at: MonotonicInstant(271)) == nil)
  }

  @Test mutating func `the evaluation at the end of a pause replaces the second looks in it`() {
    schedule.drained(Self.messages(overran: true), at: MonotonicInstant(10))
    schedule.paused(until: MonotonicInstant(270))
    #expect(schedule.isPausing)
    #expect(schedule.evaluationDue == MonotonicInstant(270))
    #expect(!schedule.looksAgain)
    schedule.resumed()
    evaluate(at: 270)
    #expect(!schedule.isPausing)
    #expect(schedule.evaluationDue == nil)
    #expect(schedule.looksAgain)
  }

  // MARK: Second looks

  @Test mutating func `a change that is announced early has three second looks within a second`() {
    schedule.drained(Self.messages(), at: MonotonicInstant(50))
    evaluate(at: 50, taking: 0)
    let looks = secondLooks()
    #expect(looks == [51, 80, 1_050].map(MonotonicInstant.init))
  }

  @Test mutating func `a change that is complete when it is announced has no second look`() {
    schedule.drained(Self.messages(isEarly: false), at: MonotonicInstant(50))
    evaluate(at: 50)
    #expect(schedule.secondLookDue == nil)
  }

  // MARK: One removal

  @Test mutating func `one removal that the answers show has a second look only after a second`() {
    schedule.drained(Self.messages(isOneRemoval: true), at: MonotonicInstant(50))
    #expect(schedule.awaitsRemoval)
    evaluate(at: 50, showsRemoval: true)
    #expect(!schedule.awaitsRemoval)
    let looks = secondLooks()
    #expect(looks == [MonotonicInstant(1_050)])
  }

  @Test mutating func `one removal that the answers do not show yet has all second looks`() {
    schedule.drained(Self.messages(isOneRemoval: true), at: MonotonicInstant(50))
    evaluate(at: 50, taking: 0, showsRemoval: false)
    let looks = secondLooks()
    #expect(looks == [51, 80, 1_050].map(MonotonicInstant.init))
  }

  @Test mutating func `a removal beside other messages is not taken for complete`() {
    schedule.drained(Self.messages(isOneRemoval: true), at: MonotonicInstant(50))
    schedule.drained(Self.messages(isOneRemoval: true), at: MonotonicInstant(51))
    #expect(!schedule.awaitsRemoval)
    evaluate(at: 60)
    schedule.drained(Self.messages(2, isOneRemoval: false), at: MonotonicInstant(70))
    #expect(!schedule.awaitsRemoval)
    evaluate(at: 70)
    schedule.drained(Self.messages(isOneRemoval: true), at: MonotonicInstant(80))
    schedule.otherNewsArrived()
    #expect(!schedule.awaitsRemoval)
    // The next evaluation starts afresh.
    evaluate(at: 90)
    schedule.drained(Self.messages(isOneRemoval: true), at: MonotonicInstant(100))
    #expect(schedule.awaitsRemoval)
  }

  // MARK: One family

  @Test mutating func `news about the routes of one family names it until the evaluation`() {
    #expect(schedule.family == nil)
    schedule.drained(Self.messages(of: .ipv6), at: MonotonicInstant(50))
    schedule.drained(Self.messages(of: .ipv6), at: MonotonicInstant(51))
    #expect(schedule.family == .ipv6)
    evaluate(at: 52)
    #expect(schedule.family == nil)
  }

  @Test mutating func `news about anything else concerns both families, in whatever order it comes`() {
    schedule.drained(Self.messages(of: .ipv4), at: MonotonicInstant(50))
    schedule.drained(Self.messages(of: .ipv6), at: MonotonicInstant(51))
    #expect(schedule.family == nil)
    schedule.drained(Self.messages(of: .ipv6), at: MonotonicInstant(52))
    #expect(schedule.family == nil)
    evaluate(at: 60)
    schedule.drained(Self.messages(), at: MonotonicInstant(70))
    schedule.drained(Self.messages(of: .ipv4), at: MonotonicInstant(71))
    #expect(schedule.family == nil)
    evaluate(at: 80)
    schedule.drained(Self.messages(of: .ipv4), at: MonotonicInstant(90))
    schedule.otherNewsArrived()
    #expect(schedule.family == nil)
  }

  // MARK: Questions of clients

  @Test mutating func `an evaluation of one family does not serve further questions`() {
    evaluate(at: 100, taking: 0)
    schedule.drained(Self.messages(isEarly: false, of: .ipv4), at: MonotonicInstant(110))
    schedule.evaluationStarted(at: MonotonicInstant(110), of: schedule.family)
    schedule.evaluated(from: MonotonicInstant(110), to: MonotonicInstant(110), hasFailed: false, showsRemoval: false)
    #expect(!schedule.canReuseAnswers(at: MonotonicInstant(110)))
  }

  @Test mutating func `the latest paths serve further questions for a millisecond`() {
    evaluate(at: 100, taking: 0)
    #expect(schedule.canReuseAnswers(at: MonotonicInstant(100)))
    #expect(!schedule.canReuseAnswers(at: MonotonicInstant(101)))
  }

  @Test mutating func `a question is evaluated while second looks are due`() {
    schedule.drained(Self.messages(), at: MonotonicInstant(100))
    evaluate(at: 100, taking: 0)
    #expect(!schedule.canReuseAnswers(at: MonotonicInstant(100)))
    _ = secondLooks()
    evaluate(at: 2_000, taking: 0)
    #expect(schedule.canReuseAnswers(at: MonotonicInstant(2_000)))
  }

  @Test mutating func `a question after a message that has not been evaluated is evaluated`() {
    evaluate(at: 100, taking: 0)
    schedule.drained(Self.messages(isEarly: false), at: MonotonicInstant(100))
    #expect(!schedule.canReuseAnswers(at: MonotonicInstant(100)))
  }

  @Test mutating func `a question is evaluated while a message, a pause or an attempt waits for its evaluation`() {
    evaluate(at: 100, taking: 10)
    let waiting: [(inout EngineSchedule) -> Void] = [
      { _ = $0.evaluatesAtOnce(at: MonotonicInstant(100)) },
      { $0.paused(until: MonotonicInstant(300)) },
      { $0.failed(at: MonotonicInstant(100)) },
    ]
    for wait in waiting {
      var copy = schedule
      #expect(copy.canReuseAnswers(at: MonotonicInstant(100)))
      wait(&copy)
      #expect(!copy.canReuseAnswers(at: MonotonicInstant(100)))
    }
  }

  // MARK: Silent changes

  @Test mutating func `a silent change is looked for at the earliest time that was expected`() {
    schedule.silentChangeExpected(after: nil, lacksWatches: false, at: MonotonicInstant(0))
    #expect(schedule.silentChangeDue == nil)
    schedule.silentChangeExpected(after: .seconds(5), lacksWatches: false, at: MonotonicInstant(0))
    // A route looks at its very end like one that never expires, so a later time is ignored.
    schedule.silentChangeExpected(after: .seconds(9), lacksWatches: false, at: MonotonicInstant(0))
    schedule.silentChangeExpected(after: nil, lacksWatches: false, at: MonotonicInstant(0))
    #expect(schedule.silentChangeDue == MonotonicInstant(5_000))
    schedule.silentChangeExpected(after: .seconds(2), lacksWatches: false, at: MonotonicInstant(1_000))
    #expect(schedule.silentChangeDue == MonotonicInstant(3_000))
  }

  @Test mutating func `the time of the next check starts afresh after a check for a silent change`() {
    schedule.silentChangeExpected(after: .seconds(5), lacksWatches: false, at: MonotonicInstant(0))
    schedule.silentChangeLookStarted()
    #expect(schedule.silentChangeDue == nil)
    schedule.silentChangeExpected(after: .seconds(9), lacksWatches: false, at: MonotonicInstant(5_000))
    #expect(schedule.silentChangeDue == MonotonicInstant(14_000))
  }

  @Test mutating func `without watches for files a silent change is looked for at least every 30 seconds`() {
    schedule.silentChangeExpected(after: nil, lacksWatches: true, at: MonotonicInstant(0))
    #expect(schedule.silentChangeDue == MonotonicInstant(30_000))
    schedule.silentChangeLookStarted()
    schedule.silentChangeExpected(after: .seconds(60), lacksWatches: true, at: MonotonicInstant(30_000))
    #expect(schedule.silentChangeDue == MonotonicInstant(60_000))
    schedule.silentChangeExpected(after: .seconds(7), lacksWatches: true, at: MonotonicInstant(30_000))
    #expect(schedule.silentChangeDue == MonotonicInstant(37_000))
  }

  // MARK: Routers and files

  @Test mutating func `new routers are followed a second after the first of them, however many follow`() {
    schedule.routersChanged(at: MonotonicInstant(100))
    schedule.routersChanged(at: MonotonicInstant(900))
    #expect(schedule.routersDue == MonotonicInstant(1_100))
    schedule.routersFollowed()
    #expect(schedule.routersDue == nil)
    schedule.routersChanged(at: MonotonicInstant(2_000))
    #expect(schedule.routersDue == MonotonicInstant(3_000))
  }

  @Test mutating func `unreadable files are read again after growing pauses, and readable ones end them`() {
    var now = MonotonicInstant(0)
    for pause in [1, 2, 4, 8, 16, 30, 30] {
      schedule.filesRead(hasUnread: true, at: now)
      #expect(schedule.fileRetryDue == now.advanced(by: .seconds(pause)))
      // An evaluation meanwhile does not postpone it.
      schedule.filesRead(hasUnread: true, at: now.advanced(by: .milliseconds(500)))
      #expect(schedule.fileRetryDue == now.advanced(by: .seconds(pause)))
      now = now.advanced(by: .seconds(pause))
      schedule.fileRetryStarted()
    }
    schedule.filesRead(hasUnread: false, at: now)
    #expect(schedule.fileRetryDue == nil)
    schedule.filesRead(hasUnread: true, at: now)
    #expect(schedule.fileRetryDue == now.advanced(by: .seconds(1)))
  }
}
