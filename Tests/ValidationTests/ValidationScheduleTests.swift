import PathModel
import PathTestSupport
import SystemIO
import Testing

@testable import Validation

/// When rounds are made, and how many it takes to be sure, with a clock that the test turns.
@Suite("The schedule of the rounds")
struct ValidationScheduleTests {
  private static func moment(_ seconds: Int) -> MonotonicInstant { .init(nanoseconds: Int64(seconds) * 1_000_000_000) }

  /// A schedule whose pauses are as they are on average, and whose first rounds come at once or after two seconds.
  private static func schedule(
    revalidation: Duration? = nil, random: @escaping @Sendable () -> Double = { 0.5 }
  ) -> ValidationSchedule { ValidationSchedule(revalidation: revalidation, random: random) }

  @Test func `while not validated, the pauses double up to ten minutes, and each network begins anew`() {
    var schedule = Self.schedule()
    #expect(schedule.networkChanged(isAllowed: true, at: Self.moment(0)) == .wake(at: Self.moment(1)))
    var now = Self.moment(1)
    #expect(schedule.timerFired(at: now) == .ask)
    var pauses: [Int] = []
    for _ in 0..<12 {
      guard case .wake(let due) = schedule.concluded(isValidated: false, at: now) else { break }
      pauses.append(Int(now.duration(to: due).components.seconds))
      #expect(schedule.timerFired(at: now) == .wake(at: due), "a timer that is early waits on")
      #expect(schedule.timerFired(at: due) == .ask)
      now = due
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
    #expect(schedule.networkChanged(isAllowed: true, at: now) == .wake(at: now.advanced(by: .seconds(1))))
    _ = schedule.timerFired(at: now.advanced(by: .seconds(1)))
    #expect(schedule.concluded(isValidated: false, at: now) == .wake(at: now.advanced(by: .seconds(1))))
  }

  @Test func `while validated, no round is made, but for a doubt or the administrator's time`() {
    var schedule = Self.schedule()
    _ = schedule.networkChanged(isAllowed: true, at: Self.moment(0))
    #expect(schedule.concluded(isValidated: true, at: Self.moment(0)) == .none)
    #expect(schedule.timerFired(at: Self.moment(1_000_000)) == .none)
    #expect(schedule.suspected(at: Self.moment(1_000_000)) == .ask)
    let later = schedule.concluded(isValidated: false, at: Self.moment(1_000_000))
    #expect(later == .wake(at: Self.moment(1_000_001)), "the pauses begin anew")
    var eager = Self.schedule(revalidation: .seconds(300))
    _ = eager.networkChanged(isAllowed: true, at: Self.moment(0))
    #expect(eager.concluded(isValidated: true, at: Self.moment(5)) == .wake(at: Self.moment(242)))
  }

  @Test func `over a network where it is not allowed, nothing is ever asked`() {
    var schedule = Self.schedule(revalidation: .seconds(1))
    #expect(schedule.suspected(at: Self.moment(0)) == .none)
    _ = schedule.networkChanged(isAllowed: true, at: Self.moment(0))
    #expect(schedule.networkChanged(isAllowed: false, at: Self.moment(0)) == .none)
    #expect(schedule.suspected(at: Self.moment(0)) == .none)
    #expect(schedule.concluded(isValidated: false, at: Self.moment(0)) == .none)
    #expect(schedule.timerFired(at: Self.moment(1_000)) == .none)
  }

  @Test(arguments: [(0.0, 0, 177), (0.999, 1_998, 296)] as [(Double, Int, Int)])
  func `the first round comes within two seconds, and a pause is within the administrator's time`(
    random: Double, first: Int, pause: Int
  ) {
    var schedule = Self.schedule(revalidation: .seconds(300), random: { random })
    let moment = MonotonicInstant(nanoseconds: Int64(first) * 1_000_000)
    #expect(
      schedule.networkChanged(isAllowed: true, at: Self.moment(0)) == (first == 0 ? .ask : .wake(at: moment)))
    guard case .wake(let due) = schedule.concluded(isValidated: true, at: Self.moment(0)) else {
      Issue.record("there is no pause")
      return
    }
    #expect(Int(Self.moment(0).duration(to: due).components.seconds) == pause)
  }

  @Test func `twenty rounds may follow each other, then one each 45 s, however often the network changes`() {
    var schedule = Self.schedule(random: { 0 })
    var rounds: [Int] = []
    for second in 0..<3_600 {
      let now = Self.moment(second)
      var action = schedule.networkChanged(isAllowed: true, at: now)
      if case .wake(let due) = action, due <= now { action = schedule.timerFired(at: now) }
      if action == .ask { rounds.append(second) }
    }
    #expect(rounds.prefix(20) == Array(0..<20)[...])
    #expect(rounds.count == 99)
    #expect(zip(rounds.dropFirst(20), rounds.dropFirst(21)).allSatisfy { $1 - $0 == 45 })
  }

  @Test(
    arguments: [
      (false, 30, nil, 30), (false, 3_600, nil, 600), (true, 30, nil, 2_844), (true, nil, 90, 91),
      (false, nil, 90, 1), (true, 30, 5, 30), (true, nil, 100_000, 2_844),
    ] as [(Bool, Int?, Int?, Int)])
  func `a host may ask for a longer pause of up to ten minutes, and the end of a sign-in shortens one`(
    isValidated: Bool, notBefore: Int?, remaining: Int?, pause: Int
  ) {
    var schedule = Self.schedule(revalidation: .seconds(3_600))
    _ = schedule.networkChanged(isAllowed: true, at: Self.moment(0))
    let action = schedule.concluded(
      isValidated: isValidated, notBefore: notBefore.map { .seconds($0) }, remaining: remaining.map { .seconds($0) },
      at: Self.moment(0))
    #expect(action == .wake(at: Self.moment(pause)))
  }

  /// The moments of the rounds of a day while the Internet answers, but not after the given moment, and the moment at
  /// which it is reported that it does not. Each round takes a second, and one that nobody answers ten.
  private static func day(
    _ revalidation: Int, outage: Int = 1_000_000, random: @escaping @Sendable () -> Double
  ) -> (rounds: Int, seen: Int?) {
    var schedule = schedule(revalidation: .seconds(revalidation), random: random)
    var action = schedule.networkChanged(isAllowed: true, at: moment(0))
    var (now, rounds) = (moment(0), 0)
    while now < moment(86_400) {
      guard case .wake(let due) = action else {
        rounds += 1
        let state: PathValidation.State = now < moment(outage) ? .validated : .unanswered
        now = now.advanced(by: .seconds(state == .validated ? 1 : 10))
        let conclusion = schedule.conclusion(after: state)
        if conclusion == .unanswered { return (rounds, Int(now.nanoseconds / 1_000_000_000)) }
        action = schedule.concluded(isValidated: state == .validated, at: now)
        continue
      }
      now = due
      action = schedule.timerFired(at: now)
    }
    return (rounds, nil)
  }

  @Test(arguments: [(3_600, 3_600, 30), (60, 85, 1_785)])
  func `an outage behind a living router is seen in the administrator's time, by the same rounds each day`(
    revalidation: Int, limit: Int, rounds: Int
  ) throws {
    let numbers = Guarded(SeededGenerator(seed: 2026))
    let random: @Sendable () -> Double = { numbers.withLock { Double($0.next() >> 11) / 0x1p53 } }
    let count = Self.day(revalidation, random: random).rounds
    #expect(abs(count - rounds) <= rounds / 10, "\(count) rounds")
    for outage in stride(from: 10, to: 40_000, by: 617) {
      let seen = try #require(Self.day(revalidation, outage: outage, random: random).seen)
      #expect(seen - outage <= limit)
    }
    let latest = try #require(Self.day(revalidation, outage: 4, random: { 0.999_999 }).seen)
    #expect(latest - 4 <= limit && latest - 4 > limit - 30, "with the longest pauses it takes \(latest - 4) s")
  }

  // MARK: Rounds until a verdict

  /// The verdicts that are reported after these rounds.
  private static func conclusions(_ states: [PathValidation.State]) -> [PathValidation.State?] {
    var schedule = ValidationSchedule()
    return states.map { schedule.conclusion(after: $0) }
  }

  @Test func `one round is enough for validated, and any other verdict takes two that do not validate`() {
    #expect(Self.conclusions([.unanswered, .unanswered, .validated]) == [nil, .unanswered, .validated])
    #expect(
      Self.conclusions([.validated, .unanswered, .validated, .unanswered]) == [.validated, nil, .validated, nil])
    #expect(Self.conclusions([.validated, .portal, .unanswered]) == [.validated, nil, .partial], "they disagree")
    #expect(Self.conclusions([.validated, .portal, .unknown]) == [.validated, nil, .unknown])
    #expect(Self.conclusions([.portal, .portal, .unknown, .unknown]) == [nil, .portal, .unknown, .unknown])
    var schedule = Self.schedule()
    #expect(schedule.conclusion(after: .portal) == nil)
    _ = schedule.networkChanged(isAllowed: true, at: Self.moment(0))
    #expect(schedule.conclusion(after: .portal) == nil, "the first round over another network")
  }

  @Test func `a host that wants no second question gets its verdict after one round`() {
    var schedule = ValidationSchedule()
    #expect(schedule.conclusion(after: .partial, isLast: true) == .partial)
  }

  // MARK: Permission

  @Test func `metered, constrained, tunnel and container paths need the administrator's word`() {
    var path = NetworkPath.full
    (path.status, path.knowledge) = (.satisfied, .known)
    (path.isExpensive, path.isConstrained, path.usesTunnel, path.cost) = (false, false, false, nil)
    path.interfaces[0].isExpenseUndetermined = false
    path.interfaces[0].driver = "e1000e"
    #expect(path.obstacle(to: []) == nil)
    func check(_ kind: RestrictedPath, _ change: (_ path: inout NetworkPath) -> Void) {
      var changed = path
      change(&changed)
      #expect(RestrictedPath.kinds(of: changed) == [kind])
      #expect(changed.obstacle(to: []) != nil && changed.obstacle(to: [kind]) == nil)
    }
    check(.metered) { $0.isExpensive = true }
    check(.metered) { $0.interfaces[0].isExpenseUndetermined = true }
    check(.constrained) { $0.isConstrained = true }
    check(.tunnel) { $0.usesTunnel = true }
    path.interfaces[0].type = .wiredEthernet
    check(.container) { ($0.interfaces[0].driver, $0.interfaces[0].underlying) = (nil, []) }
    path.interfaces[0].driver = nil
    path.interfaces[0].underlying = ["eth1"]
    #expect(path.obstacle(to: []) == nil, "a bridge with a card, a bond, a VLAN")
    path.status = .unsatisfied
    #expect(path.obstacle(to: Set(RestrictedPath.allCases)) != nil)
  }
}
