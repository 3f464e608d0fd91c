import PathModel
import PathTestSupport
import SystemIO
import Testing

@testable import Validation

/// When rounds are made, and how many it takes to be sure, with a clock that the test turns.
@Suite("The schedule of the rounds")
struct ValidationScheduleTests {
  private static func moment(_ seconds: Int) -> MonotonicInstant { .init(nanoseconds: Int64(seconds) * 1_000_000_000) }

  @Test func `while not validated, the pauses double up to ten minutes, and each network begins anew`() {
    var schedule = ValidationSchedule()
    #expect(schedule.networkChanged(isAllowed: true) == .ask)
    var pauses: [Int] = []
    for _ in 0..<12 {
      guard case .wake(let due) = schedule.concluded(isValidated: false, at: Self.moment(0)) else { break }
      pauses.append(Int(due.nanoseconds / 1_000_000_000))
      #expect(schedule.timerFired(at: Self.moment(0)) == .wake(at: due), "a timer that is early waits on")
      #expect(schedule.timerFired(at: due) == .ask)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
    #expect(schedule.networkChanged(isAllowed: true) == .ask)
    #expect(schedule.concluded(isValidated: false, at: Self.moment(9)) == .wake(at: Self.moment(10)))
  }

  @Test func `while validated, no round is made, but for a doubt or the administrator's time`() {
    var schedule = ValidationSchedule()
    _ = schedule.networkChanged(isAllowed: true)
    #expect(schedule.concluded(isValidated: true, at: Self.moment(0)) == .none)
    #expect(schedule.timerFired(at: Self.moment(1_000_000)) == .none)
    #expect(schedule.suspected() == .ask)
    var eager = ValidationSchedule(revalidation: .seconds(300))
    _ = eager.networkChanged(isAllowed: true)
    #expect(eager.concluded(isValidated: true, at: Self.moment(5)) == .wake(at: Self.moment(305)))
  }

  @Test func `over a network where it is not allowed, nothing is ever asked`() {
    var schedule = ValidationSchedule(revalidation: .seconds(1))
    #expect(schedule.networkChanged(isAllowed: false) == .none)
    #expect(schedule.suspected() == .none)
    #expect(schedule.concluded(isValidated: false, at: Self.moment(0)) == .none)
    #expect(schedule.timerFired(at: Self.moment(1_000)) == .none)
  }

  // MARK: Rounds until a verdict

  /// Whether each of these rounds is reported, one after the other.
  private static func reports(_ states: [PathValidation.State]) -> [Bool] {
    var schedule = ValidationSchedule()
    return states.map { schedule.holds($0) }
  }

  @Test func `one round is enough for validated, and any other verdict takes two in a row`() {
    #expect(Self.reports([.unanswered, .unanswered, .validated]) == [false, true, true])
    #expect(Self.reports([.portal, .unanswered, .unanswered]) == [false, false, true], "another verdict begins anew")
    #expect(Self.reports([.portal, .portal, .unknown, .unknown]) == [false, true, false, true], "a verdict ends, too")
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
    var schedule = ValidationSchedule()
    #expect(schedule.suspected() == .none, "starting disconnected: ignore checks")
    #expect(schedule.networkChanged(isAllowed: true) == .ask, "ifup")
    #expect(schedule.concluded(isValidated: true, at: Self.moment(0)) == .none, "success check interval")
    _ = schedule.suspected()
    var pauses: [MonotonicInstant] = []
    for _ in 0..<5 {
      guard case .wake(let due) = schedule.concluded(isValidated: false, at: Self.moment(0)) else { break }
      pauses.append(due)
      _ = schedule.timerFired(at: due)
    }
    #expect(pauses == [1, 2, 4, 8, 16].map(Self.moment), "quicker checks and then slower checks")
    #expect(schedule.networkChanged(isAllowed: false) == .none, "ifdown; internet_checker_test.exs: internet goes away")
    #expect(schedule.timerFired(at: Self.moment(60)) == .none)
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
