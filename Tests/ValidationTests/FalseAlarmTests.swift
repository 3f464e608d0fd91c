import PathDecisions
import PathModel
import PathTestSupport
import SystemIO
import Testing

@testable import Validation

/// Days on bad networks and an hour of flaps, with a clock that the tests turn.
@Suite("False alarms")
struct FalseAlarmTests {
  // MARK: A day of rounds

  /// A day of the validator.
  struct Day {
    /// The verdicts that hold, with the moments at which their last two rounds began.
    var verdicts: [(state: PathValidation.State, begins: [Int])] = []
    /// The alarms that are false, because a program that asked at the same time was answered.
    var falseAlarms: [String] = []
    /// The number of alarms that would be false if one round were enough.
    var rashAlarms = 0
  }

  private static func instant(_ milliseconds: Int) -> MonotonicInstant {
    .init(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// The replies of a round that begins at the time: those that come after its end are not awaited.
  private static func awaited(
    _ asked: [(reply: HostReply, end: Int)], from begin: Int
  ) -> [(reply: HostReply, end: Int)] {
    var path = NetworkPath.unknown
    path.supportsIPv4 = true
    let round = RequestRound(asked.map(\.reply.host), over: path)
    var (answers, end) = ([WebAnswer?](repeating: nil, count: asked.count), Int.max)
    for place in asked.indices.sorted(by: { asked[$0].end < asked[$1].end }) where asked[place].end <= end {
      answers[place] = asked[place].reply.answer
      let limit = round.limit(answers, after: .milliseconds(asked[place].end - begin))
      end = limit.map { min(end, begin + Int($0 / .milliseconds(1))) } ?? Int.max
    }
    return zip(asked, answers).map { asked, answer in
      var reply = asked.reply
      reply.answer = answer ?? WebAnswer(result: .failure(.unawaited))
      return (reply, min(asked.end, end))
    }
  }

  /// A day with another network each hour, and a round each ten minutes while it is validated.
  private static func day(_ seed: UInt64, _ trouble: LossyInternet.Trouble) -> Day {
    var internet = LossyInternet(seed: seed, trouble)
    var schedule = ValidationSchedule(revalidation: .seconds(600), random: { 0.5 })
    var (day, now, begins) = (Day(), 0, [Int]())
    var action = ValidationSchedule.Action.none
    var joined = -1
    while now < 24 * LossyInternet.hour {
      if now / LossyInternet.hour != joined {
        (joined, begins) = (now / LossyInternet.hour, [])
        action = schedule.networkChanged(isAllowed: true, at: instant(now))
      }
      guard action == .ask else {
        guard case .wake(let due) = action else { break }
        now = min(Int(due.nanoseconds / 1_000_000), (joined + 1) * LossyInternet.hour)
        if now / LossyInternet.hour == joined { action = schedule.timerFired(at: instant(now)) }
        continue
      }
      begins = begins.suffix(1) + [now]
      let asked = awaited(LossyInternet.hosts.map { internet.ask($0, at: now) }, from: now)
      let verdict = PathValidation(asked.map(\.reply))
      let conclusion = schedule.conclusion(after: verdict.state)
      let isConcluded = conclusion == verdict.state
      if let conclusion { day.verdicts.append((conclusion, begins)) }
      if verdict.state == .unanswered || verdict.state == .portal,
        begins.contains(where: { internet.reachesAnyHost(at: $0) })
      {
        day.rashAlarms += 1
        if isConcluded { day.falseAlarms.append("\(verdict.state) at \(now / 1_000) s: \(asked.map(\.reply.words))") }
      }
      now = asked.map(\.end).max() ?? now
      action = schedule.concluded(isValidated: verdict.state == .validated, at: instant(now))
    }
    return day
  }

  @Test func `in a day of loss, bad names and failures, a network that answers is never unanswered nor a portal`() {
    let seeds: ClosedRange<UInt64> = 1...4
    let days = seeds.flatMap { seed in LossyInternet.Trouble.allCases.map { Self.day(seed, $0) } }
    for day in days {
      #expect(day.falseAlarms.isEmpty)
      #expect(day.verdicts.contains { $0.state == .validated })
      func isSeen(_ state: PathValidation.State, in window: Range<Int>) -> Bool {
        day.verdicts.contains { $0.state == state && $0.begins.allSatisfy(window.contains) }
      }
      #expect(isSeen(.unanswered, in: LossyInternet.outage), "a real outage is seen")
      #expect(isSeen(.portal, in: LossyInternet.portal), "a real portal is seen")
    }
    #expect(days.contains { $0.rashAlarms > 0 }, "the days are so bad that one round would not be enough")
  }

  // MARK: A day of a router

  @Test(
    "a router over a bad link is unanswered only after the kernel could send nothing for three seconds",
    arguments: 1...4 as ClosedRange<UInt64>)
  func router(seed: UInt64) throws {
    var (entry, kernel) = (LossyRouter(seed: seed), FakeKernel())
    kernel.install(.up(2, "eth0"), "192.0.2.2/24")
    kernel.addRoute(RouteSpec("default", .via("192.0.2.1", "eth0")))
    var records = RouterRecords()
    records.watch([LossyRouter.router])
    let outage = 12 * 3_600..<12 * 3_600 + 600
    var (rashAlarms, seen) = (0, Int?.none)
    for now in 0..<24 * 3_600 {
      guard let message = entry.pass(now, isOn: !outage.contains(now)) else { continue }
      var watch = RouterWatch()
      records.wait(for: [LossyRouter.router], in: &watch)
      // The kernel's event filter drops the answers of a router that counts as answering.
      guard message.state == .failed || !watch.awaited.isEmpty else { continue }
      let isNews = records.observe(message, at: now * 1_000_000)
      if message.state == .failed, now - entry.sendable < 3 { rashAlarms += 1 }
      let isUnanswered = !records.failed.isEmpty
      if isUnanswered { #expect(now - entry.sendable >= 3) }
      if isUnanswered, outage.contains(now) { seen = seen ?? now }
      guard isNews, isUnanswered else { continue }
      kernel.networkFacts.routers = records
      let path = try kernel.evaluate().path
      #expect(path.validation.state == .unanswered && path.status == .satisfied)
    }
    #expect(rashAlarms > 50, "the link is so bad that one failure would not be enough")
    // At most 45 s reachable, 5 s of delay, and twice three questions.
    #expect(try #require(seen) - outage.lowerBound <= 60)
    #expect(records.failed.isEmpty)
  }

  // MARK: An hour of flaps

  /// Paths that come one after the other for 20 s each. Requests are permitted over the first, third and fifth alone.
  private static func flaps() -> [NetworkPath] {
    var wired = NetworkPath.full
    (wired.status, wired.knowledge) = (.satisfied, .known)
    (wired.isExpensive, wired.isConstrained, wired.usesTunnel, wired.cost) = (false, false, false, nil)
    (wired.supportsIPv4, wired.supportsIPv6, wired.validation) = (true, true, .unknown)
    (wired.interfaces[0].type, wired.interfaces[0].driver) = (.wiredEthernet, "e1000e")
    wired.interfaces[0].isExpenseUndetermined = false
    var wireless = wired
    (wireless.interfaces[0].type, wireless.interfaces[0].driver, wireless.supportsIPv6) = (.wifi, "iwlwifi", false)
    var (none, metered, tunnel, container) = (wired, wired, wired, wired)
    none.status = .unsatisfied
    metered.isExpensive = true
    tunnel.usesTunnel = true
    (container.interfaces[0].driver, container.interfaces[0].underlying) = (nil, [])
    return [wired, none, wireless, metered, wired, tunnel, container]
  }

  /// The requests of an hour in which the path is another one each 20 s.
  private static func requests(
    _ hosts: [ValidationHost], isValidated: Bool
  ) -> (made: Int, visits: Int) {
    var (schedule, made, visits) = (ValidationSchedule(random: { 0 }), 0, 0)
    let flaps = flaps()
    for number in 0..<180 {
      let path = flaps[number % flaps.count]
      let round = RequestRound(hosts, over: path)
      let isAllowed = path.obstacle(to: []) == nil && !round.isEmpty
      var action = schedule.networkChanged(isAllowed: isAllowed, at: instant(number * 20_000))
      let end = instant((number + 1) * 20_000)
      var now = instant(number * 20_000)
      while action != .none {
        if case .wake(let due) = action {
          guard due < end else { break }
          now = due
          action = schedule.timerFired(at: now)
        } else {
          made += round.hosts.count * round.families.count
          action = schedule.concluded(isValidated: isValidated, at: now)
        }
      }
      visits += isAllowed ? 1 : 0
    }
    return (made, visits)
  }

  @Test func `in an hour of flaps nothing is asked while off, and twenty rounds and one each 45 s at most while on`() {
    #expect(Self.requests([], isValidated: true).made == 0)
    let hosts = LossyInternet.hosts
    #expect(Self.requests(hosts, isValidated: true).visits == 78)
    // A round has one request to each host by each of two families at most.
    for isValidated in [true, false] {
      #expect(Self.requests(hosts, isValidated: isValidated).made <= 100 * 2 * hosts.count)
    }
  }
}
