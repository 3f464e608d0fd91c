import PathModel
import PathTestSupport
import SystemIO
import Testing

@testable import Validation

/// Days on bad networks, with a clock that the test turns.
@Suite("False alarms")
struct FalseAlarmTests {
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
}
