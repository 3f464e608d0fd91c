import PathControl
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

/// Each test is a table of events with their seconds and the expected actions.
@Suite("The switching of targets")
struct TargetSwitchingTests {
  private typealias Row = (second: Double, input: Input, actions: [TargetSwitching.Action])

  /// An event.
  private enum Input {
    case path(NetworkPath)
    case done, failed, timer
  }

  private static func check(
    of targets: [SystemdTarget] = [.online, .unmetered], onAfter: Duration = .seconds(2),
    offAfter: Duration = .seconds(30), _ rows: [Row],
    at location: SourceLocation = #_sourceLocation
  ) {
    var switching = TargetSwitching(of: targets, onAfter: onAfter, offAfter: offAfter)
    for (number, row) in rows.enumerated() {
      let now = MonotonicInstant(seconds: row.second)
      let actions =
        switch row.input {
        case .path(let path): switching.observe(path, at: now)
        case .done: switching.commandEnded(isSuccess: true, at: now)
        case .failed: switching.commandEnded(isSuccess: false, at: now)
        case .timer: switching.timerFired(at: now)
        }
      #expect(actions == row.actions, "row \(number): \(row.input)", sourceLocation: location)
    }
  }

  // MARK: Rows of the tables

  private static let free = Input.path(NetworkPath(status: .satisfied, knowledge: .known))
  private static let offline = Input.path(NetworkPath(status: .unsatisfied, knowledge: .known))
  private static let metered: Input = {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.isExpensive = true
    return .path(path)
  }()
  private static let ofUndeterminedCost: Input = {
    let unread = Evidence(source: .lease, verdict: .undetermined, confidence: .unknown, text: "")
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.cost = Cost(isExpensive: false, isConstrained: false, confidence: .unknown, evidence: [unread])
    return .path(path)
  }()
  private static let stale = Input.path(NetworkPath(status: .unsatisfied, knowledge: .stale))
  private static let unknown = Input.path(.unknown)

  private static func start(_ target: SystemdTarget) -> TargetSwitching.Action {
    .run(TargetSwitching.Job(target, isStart: true))
  }
  private static func stop(_ target: SystemdTarget) -> TargetSwitching.Action {
    .run(TargetSwitching.Job(target, isStart: false))
  }
  private static func wake(_ second: Double) -> TargetSwitching.Action { .wake(at: MonotonicInstant(seconds: second)) }
  private static let never = TargetSwitching.Action.wake(at: nil)

  /// At second 0 both targets are on.
  private static let bothOn: [Row] = [
    (0, free, [start(.online)]), (0, .done, [start(.unmetered)]), (0, .done, []),
  ]
  /// At second 0 both targets are off.
  private static let bothOff: [Row] = [
    (0, offline, [stop(.online)]), (0, .done, [stop(.unmetered)]), (0, .done, []),
  ]

  @Test func `a path of undetermined cost stops the target for unmetered paths, as a metered one does`() {
    Self.check(
      Self.bothOn + [
        (1, Self.ofUndeterminedCost, [Self.wake(31)]), (31, .timer, [Self.stop(.unmetered)]),
      ])
  }

  private static let validated: Input = {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.validation.state = .validated
    return .path(path)
  }()

  @Test func `the target for validated paths starts when the Internet answers, and stops when that is not known`() {
    Self.check(
      of: [.validated],
      [
        (0, Self.free, [Self.stop(.validated)]), (0, .done, []), (1, Self.validated, [Self.wake(3)]),
        (3, .timer, [Self.start(.validated)]), (3, .done, []), (5, Self.free, [Self.wake(35)]),
        (35, .timer, [Self.stop(.validated)]), (35, .done, []),
      ])
  }

  // MARK: Start

  @Test func `the first path that is known brings both targets in line at once`() {
    Self.check(Self.bothOn)
    Self.check(Self.bothOff)
    Self.check([(0, Self.metered, [Self.start(.online)]), (0, .done, [Self.stop(.unmetered)]), (0, .done, [])])
    Self.check([(0, Self.unknown, []), (7, Self.stale, []), (8, Self.free, [Self.start(.online)])])
  }

  // MARK: Lasting

  @Test func `a target starts when its path has lasted, and not before`() {
    Self.check(
      Self.bothOff + [
        (10, Self.free, [Self.wake(12)]), (11, Self.free, []), (12, .timer, [Self.start(.online)]),
        (12, .done, [Self.start(.unmetered)]), (12, .done, []),
      ])
  }

  @Test func `a target stops when its path has been gone for long, and not before`() {
    Self.check(
      Self.bothOn + [
        (10, Self.offline, [Self.wake(40)]), (39, Self.offline, []), (40, .timer, [Self.stop(.online)]),
        (40, .done, [Self.stop(.unmetered)]), (40, .done, []),
      ])
  }

  @Test func `each target has its own path and time`() {
    Self.check(
      Self.bothOn + [
        (10, Self.metered, [Self.wake(40)]), (20, Self.offline, []),
        (40, .timer, [Self.stop(.unmetered), Self.wake(50)]), (40, .done, []),
        (50, .timer, [Self.stop(.online)]), (50, .done, []),
      ])
  }

  @Test func `a flap moves nothing, however often it happens`() {
    let flap: [Row] = [(10, Self.offline, [Self.wake(40)]), (11, Self.free, [Self.never])]
    Self.check(Self.bothOn + flap + flap + flap)
    let gain: [Row] = [(10, Self.free, [Self.wake(12)]), (11, Self.offline, [Self.never])]
    Self.check(Self.bothOff + gain + gain + gain)
  }

  @Test func `a path that comes back begins its time anew`() {
    Self.check(
      Self.bothOn + [
        (10, Self.offline, [Self.wake(40)]), (20, Self.free, [Self.never]), (21, Self.offline, [Self.wake(51)]),
        (51, .timer, [Self.stop(.online)]),
      ])
  }

  @Test func `with times of zero a target follows at once`() {
    Self.check(
      onAfter: .zero, offAfter: .zero,
      Self.bothOn + [
        (1, Self.offline, [Self.stop(.online)]), (1, .done, [Self.stop(.unmetered)]), (1, .done, []),
        (2, Self.metered, [Self.start(.online)]), (2, .done, []),
      ])
  }

  @Test func `a timer that fires early or late does no harm`() {
    Self.check(
      Self.bothOn + [
        (1, .timer, []), (10, Self.offline, [Self.wake(40)]), (39.9, .timer, [Self.wake(40)]),
        (45, .timer, [Self.stop(.online)]),
      ])
  }

  // MARK: Knowledge

  @Test(arguments: [false, true])
  func `an unknown path moves no target, for however long`(isStale: Bool) {
    let ignorance = isStale ? Self.stale : Self.unknown
    Self.check(Self.bothOn + [(10, ignorance, []), (99, .timer, []), (100, Self.free, [])])
    Self.check(Self.bothOff + [(10, ignorance, []), (99, .timer, []), (100, Self.offline, [])])
  }

  @Test func `the time of an unknown path does not count`() {
    Self.check(
      Self.bothOn + [
        (10, Self.offline, [Self.wake(40)]), (35, Self.stale, [Self.never]), (36, Self.offline, [Self.wake(66)]),
        (66, .timer, [Self.stop(.online)]),
      ])
  }

  // MARK: Jobs

  @Test func `one job runs at a time, and the next one is for the path at its start`() {
    Self.check(
      onAfter: .zero, offAfter: .zero,
      [
        (0, Self.free, [Self.start(.online)]), (1, Self.offline, []), (2, Self.free, []), (3, Self.offline, []),
        (4, .done, [Self.stop(.online)]), (5, Self.free, []), (6, .done, [Self.start(.online)]),
        (7, .done, [Self.start(.unmetered)]), (8, .done, []),
      ])
  }

  @Test func `a job that fails is reported and run again, after a pause that doubles up to a limit`() {
    let job = TargetSwitching.Job(.online, isStart: true)
    var rows: [Row] = [(0, Self.metered, [Self.start(.online)])]
    var now = 0.0
    // The other target is not affected.
    var others: [TargetSwitching.Action] = [Self.stop(.unmetered)]
    for pause in [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256] {
      rows.append(
        (now, .failed, [.reportFailure(job, pause: .seconds(pause))] + others + [Self.wake(now + Double(pause))]))
      if !others.isEmpty { rows.append((now, .done, [])) }
      others = []
      now += Double(pause)
      rows.append((now, .timer, [Self.start(.online)]))
    }
    rows.append((now, .done, []))
    // After a success the pauses are short again.
    rows += [
      (now, Self.offline, [Self.wake(now + 30)]), (now + 30, .timer, [Self.stop(.online)]),
      (
        now + 30, .failed,
        [.reportFailure(TargetSwitching.Job(.online, isStart: false), pause: .seconds(1)), Self.wake(now + 31)]
      ),
    ]
    Self.check(rows)
  }

  @Test func `a change does not wait for the pause`() {
    Self.check(
      onAfter: .zero, offAfter: .zero,
      Self.bothOff + [
        (10, Self.metered, [Self.start(.online)]),
        (
          10, .failed, [.reportFailure(TargetSwitching.Job(.online, isStart: true), pause: .seconds(1)), Self.wake(11)]
        ),
        // The job that failed may have started it nevertheless.
        (10.5, Self.offline, [Self.stop(.online), Self.never]), (10.5, .done, []),
      ])
  }

  @Test func `a job is one call of systemctl that does not wait`() {
    #expect(
      TargetSwitching.Job(.online, isStart: true).words == ["systemctl", "--no-block", "start", "path-online.target"])
    #expect(
      TargetSwitching.Job(.unmetered, isStart: false).words == [
        "systemctl", "--no-block", "stop", "path-unmetered.target",
      ])
  }
}
