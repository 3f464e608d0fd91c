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
    var eager = Self.schedule(revalidation: .seconds(300))
    _ = eager.networkChanged(isAllowed: true, at: Self.moment(0))
    #expect(eager.concluded(isValidated: true, at: Self.moment(5)) == .wake(at: Self.moment(305)))
  }

  @Test func `over a network where it is not allowed, nothing is ever asked`() {
    var schedule = Self.schedule(revalidation: .seconds(1))
    #expect(schedule.networkChanged(isAllowed: false, at: Self.moment(0)) == .none)
    #expect(schedule.suspected(at: Self.moment(0)) == .none)
    #expect(schedule.concluded(isValidated: false, at: Self.moment(0)) == .none)
    #expect(schedule.timerFired(at: Self.moment(1_000)) == .none)
  }

  @Test(arguments: [(0.0, 0, 225), (0.999, 1_998, 374)] as [(Double, Int, Int)])
  func `the first round comes within two seconds, and a pause is a quarter longer or shorter`(
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

  @Test func `ten rounds may follow each other, then one a minute, however often the network changes`() {
    var schedule = Self.schedule(random: { 0 })
    var rounds: [Int] = []
    for second in 0..<3_600 {
      let now = Self.moment(second)
      var action = schedule.networkChanged(isAllowed: true, at: now)
      if case .wake(let due) = action, due <= now { action = schedule.timerFired(at: now) }
      if action == .ask { rounds.append(second) }
    }
    #expect(rounds.prefix(10) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    #expect(rounds.count == 69)
    #expect(zip(rounds.dropFirst(10), rounds.dropFirst(11)).allSatisfy { $1 - $0 == 60 })
  }

  // MARK: Rounds until a verdict

  /// Whether each of these rounds is reported, one after the other.
  private static func reports(_ states: [PathValidation.State]) -> [Bool] { conclusions(states).map { $0 != nil } }

  /// The verdicts that are reported after these rounds.
  private static func conclusions(_ states: [PathValidation.State]) -> [PathValidation.State?] {
    var schedule = ValidationSchedule()
    return states.map { schedule.conclusion(after: $0) }
  }

  @Test func `one round is enough for validated, and any other verdict takes two that do not validate`() {
    #expect(Self.reports([.unanswered, .unanswered, .validated]) == [false, true, true])
    #expect(Self.conclusions([.validated, .portal, .unanswered]) == [.validated, nil, .partial], "they disagree")
    #expect(Self.conclusions([.validated, .portal, .unknown]) == [.validated, nil, .unknown])
    #expect(Self.conclusions([.portal, .portal, .unknown, .unknown]) == [nil, .portal, .unknown, .unknown])
  }

  /// vintage_net's `check_logic_test.exs`: three failures in a row lose the Internet, one success brings it back.
  @Test("vintage_net: check_logic_test.exs, strikes, other here: two failures are enough, as each asks two hosts")
  func vintageNet() {
    #expect(Self.reports([.validated]) == [true], "check worked -> good internet")
    #expect(Self.reports([.validated, .unanswered]) == [true, false], "check failed once -> add a strike")
    #expect(Self.reports([.validated, .unanswered, .unanswered]) == [true, false, true], "failures revert to :lan")
    #expect(
      Self.reports([.validated, .unanswered, .validated, .unanswered]) == [true, false, true, false],
      "a failure followed by a success fixes everything")
    #expect(Self.reports([.unanswered]) == [false], "starting lan-connected: check failure -> still lan")
  }

  /// There, a check follows half a second after the beginning, each 30 s while it succeeds, and 15, 10, 10, 20 and 30 s
  /// after failures.
  @Test("vintage_net: check_logic_test.exs, intervals, other here: none while all is well, and sooner at first")
  func vintageNetIntervals() {
    var schedule = Self.schedule()
    var now = Self.moment(0)
    #expect(schedule.suspected(at: now) == .none, "starting disconnected: ignore checks")
    #expect(schedule.networkChanged(isAllowed: true, at: now) != .none, "ifup")
    #expect(schedule.concluded(isValidated: true, at: now) == .none, "success check interval")
    _ = schedule.suspected(at: now)
    var pauses: [Int] = []
    for _ in 0..<5 {
      guard case .wake(let due) = schedule.concluded(isValidated: false, at: now) else { break }
      pauses.append(Int(now.duration(to: due).components.seconds))
      _ = schedule.timerFired(at: due)
      now = due
    }
    #expect(pauses == [1, 2, 4, 8, 16], "quicker checks and then slower checks")
    let isOver = schedule.networkChanged(isAllowed: false, at: now) == .none
    #expect(isOver, "ifdown; internet_checker_test.exs: internet goes away")
    #expect(schedule.timerFired(at: now.advanced(by: .seconds(60))) == .none)
  }

  // MARK: Permission

  @Test func `metered, constrained, tunnel and container paths need the administrator's word`() {
    var path = NetworkPath.full
    (path.status, path.knowledge) = (.satisfied, .known)
    (path.isExpensive, path.isConstrained, path.usesTunnel, path.cost) = (false, false, false, nil)
    path.interfaces[0].isExpenseUndetermined = false
    path.interfaces[0].driver = "e1000e"
    #expect(path.permitsRequests(over: []))
    func check(_ kind: RestrictedPath, _ change: (_ path: inout NetworkPath) -> Void) {
      var changed = path
      change(&changed)
      #expect(RestrictedPath.kinds(of: changed) == [kind])
      #expect(!changed.permitsRequests(over: []) && changed.permitsRequests(over: [kind]))
    }
    check(.metered) { $0.isExpensive = true }
    check(.metered) { $0.interfaces[0].isExpenseUndetermined = true }
    check(.constrained) { $0.isConstrained = true }
    check(.tunnel) { $0.usesTunnel = true }
    path.interfaces[0].type = .wiredEthernet
    check(.container) { ($0.interfaces[0].driver, $0.interfaces[0].underlying) = (nil, []) }
    path.interfaces[0].driver = nil
    path.interfaces[0].underlying = ["eth1"]
    #expect(path.permitsRequests(over: []), "a bridge with a card, a bond, a VLAN")
    path.status = .unsatisfied
    #expect(!path.permitsRequests(over: Set(RestrictedPath.allCases)))
  }
}
