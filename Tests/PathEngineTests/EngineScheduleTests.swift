import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@testable import KernelPath
@testable import PathEngine

@Suite("The engine's schedule")
struct EngineScheduleTests {
  /// A schedule whose evaluations take one millisecond each. The first one ends at 1 ms.
  private var schedule = EngineSchedule(evaluatedFrom: 0, to: 1)

  /// Evaluates from a moment on, for some milliseconds.
  private mutating func evaluate(
    at start: MonotonicInstant, taking time: Int = 1, hasFailed: Bool = false, showsRemoval: Bool = false,
    of family: IPAddress.Family? = nil
  ) {
    schedule.evaluationStarted(at: start, of: family)
    schedule.evaluated(
      from: start, to: start.advanced(by: .milliseconds(time)), hasFailed: hasFailed, showsRemoval: showsRemoval)
  }

  /// Drains messages: by default the removal of one route, which is announced before it is made.
  private mutating func drain(
    at now: MonotonicInstant, isEarly: Bool = true, isOneRemoval: Bool = false, overran: Bool = false,
    of family: IPAddress.Family? = nil
  ) {
    schedule.drained(
      Kernel.News(messages: 1, overran: overran, isEarly: isEarly, isOneRemoval: isOneRemoval, family: family), at: now)
  }

  /// The times of the second looks that follow an evaluation, each of which takes no time.
  private mutating func secondLooks() -> [MonotonicInstant] {
    var looks: [MonotonicInstant] = []
    while let due = schedule.secondLookDue {
      looks.append(due)
      evaluate(at: due, taking: 0)
    }
    return looks
  }

  // MARK: Pacing

  @Test mutating func `a message waits as long as the evaluation before it took, and no longer`() {
    let isAtOnce = schedule.evaluatesAtOnce(at: 50)
    #expect(isAtOnce && schedule.evaluationDue == nil, "after a rest")
    evaluate(at: 100, taking: 8)
    // Further messages do not postpone it.
    for now: MonotonicInstant in [110, 115] {
      drain(at: now)
      let isAtOnce = schedule.evaluatesAtOnce(at: now)
      #expect(!isAtOnce && schedule.evaluationDue == 116)
    }
    evaluate(at: 116)
    #expect(schedule.evaluationDue == nil)
  }

  @Test mutating func `after a failure another evaluation follows in a second`() {
    evaluate(at: 100, hasFailed: true)
    #expect(schedule.evaluationDue == 1_101)
    evaluate(at: 1_101)
    #expect(schedule.evaluationDue == nil)
    schedule.failed(at: 3_000)
    #expect(schedule.evaluationDue == 4_000)
  }

  @Test mutating func `a socket that overruns again within a second is not read for a quarter of a second`() {
    for (now, end) in [(10, nil), (20, 271)] as [(MonotonicInstant, MonotonicInstant?)] {
      drain(at: now, overran: true)
      evaluate(at: now)
      #expect(schedule.pauseEnd(at: now.advanced(by: .milliseconds(1))) == end)
    }
    #expect(schedule.pauseEnd(at: 271) == nil)
  }

  @Test mutating func `the evaluation at the end of a pause replaces the second looks in it`() {
    schedule.paused(until: 270)
    #expect(schedule.isPausing && schedule.evaluationDue == 270 && !schedule.looksAgain)
    schedule.resumed()
    evaluate(at: 270)
    #expect(!schedule.isPausing && schedule.evaluationDue == nil && schedule.looksAgain)
  }

  // MARK: Second looks

  @Test(
    arguments: [
      (true, false, false, [51, 80, 1_050]), (false, false, false, []), (true, true, true, [1_050]),
      (true, true, false, [51, 80, 1_050]),
    ] as [(Bool, Bool, Bool, [MonotonicInstant])])
  mutating func `an early change has three second looks within a second, one removal that shows only the last`(
    isEarly: Bool, isOneRemoval: Bool, showsRemoval: Bool, expected: [MonotonicInstant]
  ) {
    drain(at: 50, isEarly: isEarly, isOneRemoval: isOneRemoval)
    #expect(schedule.awaitsRemoval == isOneRemoval)
    evaluate(at: 50, taking: 0, showsRemoval: showsRemoval)
    #expect(!schedule.awaitsRemoval)
    let looks = secondLooks()
    #expect(looks == expected)
  }

  @Test mutating func `a removal beside other messages is not taken for complete`() {
    drain(at: 50, isOneRemoval: true)
    drain(at: 51, isOneRemoval: true)
    #expect(!schedule.awaitsRemoval)
    evaluate(at: 60)
    drain(at: 80, isOneRemoval: true)
    schedule.otherNewsArrived()
    #expect(!schedule.awaitsRemoval)
    // The next evaluation starts afresh.
    evaluate(at: 90)
    drain(at: 100, isOneRemoval: true)
    #expect(schedule.awaitsRemoval)
  }

  // MARK: One family

  @Test(
    arguments: [
      ([], nil), ([.ipv6, .ipv6], .ipv6), ([.ipv4, .ipv6, .ipv6], nil), ([nil, .ipv4], nil), ([.ipv4, nil], nil),
    ] as [([IPAddress.Family?], IPAddress.Family?)])
  mutating func `only news about the routes of one family names it, until the evaluation`(
    news: [IPAddress.Family?], family: IPAddress.Family?
  ) {
    for concerned in news { drain(at: 50, of: concerned) }
    #expect(schedule.family == family)
    evaluate(at: 52)
    #expect(schedule.family == nil)
    drain(at: 60, of: .ipv4)
    schedule.otherNewsArrived()
    #expect(schedule.family == nil)
  }

  // MARK: Questions of clients

  @Test mutating func `the latest paths serve further questions for a millisecond, unless only one family was asked`() {
    evaluate(at: 100, taking: 0)
    #expect(schedule.canReuseAnswers(at: 100))
    #expect(!schedule.canReuseAnswers(at: 101))
    evaluate(at: 110, taking: 0, of: .ipv4)
    #expect(!schedule.canReuseAnswers(at: 110))
  }

  @Test mutating func `a question is evaluated while a message, a second look, a pause or an attempt is waiting`() {
    let waiting: [(String, (inout Self) -> Void)] = [
      ("a message", { $0.drain(at: 100, isEarly: false) }),
      (
        "a second look",
        {
          $0.drain(at: 100)
          $0.evaluate(at: 100, taking: 0)
        }
      ),
      ("an evaluation", { _ = $0.schedule.evaluatesAtOnce(at: 100) }), ("a pause", { $0.schedule.paused(until: 300) }),
      ("an attempt", { $0.schedule.failed(at: 100) }),
    ]
    evaluate(at: 100, taking: 10)
    for (cause, wait) in waiting {
      var copy = self
      #expect(copy.schedule.canReuseAnswers(at: 100))
      wait(&copy)
      #expect(!copy.schedule.canReuseAnswers(at: 100), "\(cause)")
    }
    drain(at: 100)
    evaluate(at: 100, taking: 0)
    _ = secondLooks()
    evaluate(at: 2_000, taking: 0)
    #expect(schedule.canReuseAnswers(at: 2_000))
  }

  // MARK: Silent changes

  @Test mutating func `a silent change is looked for at the earliest time that was expected, and then afresh`() {
    // A route looks at its very end like one that never expires, so a later time is ignored.
    for (wait, now, due) in [
      (nil, 0, nil), (.seconds(5), 0, 5_000), (.seconds(9), 0, 5_000), (nil, 0, 5_000), (.seconds(2), 1_000, 3_000),
    ] as [(Duration?, MonotonicInstant, MonotonicInstant?)] {
      schedule.silentChangeExpected(after: wait, lacksWatches: false, at: now)
      #expect(schedule.silentChangeDue == due)
    }
    schedule.silentChangeLookStarted()
    #expect(schedule.silentChangeDue == nil)
    schedule.silentChangeExpected(after: .seconds(9), lacksWatches: false, at: 5_000)
    #expect(schedule.silentChangeDue == 14_000)
  }

  @Test mutating func `without watches for files a silent change is looked for at least every 30 seconds`() {
    for (wait, due) in [(nil, 30_000), (.seconds(60), 30_000), (.seconds(7), 7_000)] as [(Duration?, MonotonicInstant)]
    {
      schedule.silentChangeExpected(after: wait, lacksWatches: true, at: 0)
      #expect(schedule.silentChangeDue == due)
      schedule.silentChangeLookStarted()
    }
  }

  // MARK: Routers and files

  @Test mutating func `new routers are followed a second after the first of them, and at once when one is silent`() {
    schedule.routersChanged(at: 100)
    schedule.routersChanged(at: 900)
    #expect(schedule.routersDue == 1_100)
    schedule.routersChanged(at: 950, isUrgent: true)
    #expect(schedule.routersDue == 950)
    schedule.routersFollowed()
    #expect(schedule.routersDue == nil)
  }

  @Test mutating func `unreadable files are read again after growing pauses, and readable ones end them`() {
    var now: MonotonicInstant = 0
    for pause in [1, 2, 4, 8, 16, 30, 30] {
      // An evaluation meanwhile does not postpone it.
      for delay in [0, 500] {
        schedule.filesRead(hasUnread: true, at: now.advanced(by: .milliseconds(delay)))
        #expect(schedule.fileRetryDue == now.advanced(by: .seconds(pause)))
      }
      now = now.advanced(by: .seconds(pause))
      schedule.fileRetryStarted()
    }
    schedule.filesRead(hasUnread: false, at: now)
    #expect(schedule.fileRetryDue == nil)
    schedule.filesRead(hasUnread: true, at: now)
    #expect(schedule.fileRetryDue == now.advanced(by: .seconds(1)))
  }
}
