import PathControl
import PathModel
import PathTestSupport
import ProcessTestSupport
import SystemIO
import Testing

/// The tables have rules, each with events, their seconds and the expected actions.
@Suite("The switching of targets")
struct TargetSwitchingTests {
  typealias Row = (second: Double, input: Input, actions: [TargetSwitching.Action])
  typealias Rules = KeyValuePairs<String, [Row]>

  /// An event.
  enum Input: Sendable {
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

  private static func path(
    _ status: NetworkPath.Status = .satisfied, _ knowledge: NetworkPath.Knowledge = .known,
    _ change: (inout NetworkPath) -> Void = { _ in }
  ) -> Input {
    var path = NetworkPath(status: status, knowledge: knowledge)
    change(&path)
    return .path(path)
  }

  private static let free = path()
  private static let offline = path(.unsatisfied)
  private static let metered = path { $0.isExpensive = true }
  private static let ofUndeterminedCost = path { path in
    let unread = Evidence(source: .lease, verdict: .undetermined, confidence: .unknown, text: "")
    path.cost = Cost(isExpensive: false, isConstrained: false, confidence: .unknown, evidence: [unread])
  }
  private static let validated = path { $0.validation.state = .validated }
  private static let stale = path(.unsatisfied, .stale)
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

  // MARK: Rules

  @Test(arguments: Array(firsts))
  func `the first path that is known brings the targets in line at once`(rule: String, rows: [Row]) {
    Self.check(rows)
  }

  static let firsts: Rules = [
    "connected": bothOn, "offline": bothOff,
    "metered": [(0, metered, [start(.online)]), (0, .done, [stop(.unmetered)]), (0, .done, [])],
    "known after some time": [(0, unknown, []), (7, stale, []), (8, free, [start(.online)])],
  ]

  @Test(arguments: Array(stops))
  func `targets that are on stop`(rule: String, rows: [Row]) { Self.check(Self.bothOn + rows) }

  static let stops: Rules = [
    "when the path has been gone for long, and not before": [
      (10, offline, [wake(40)]), (39, offline, []), (40, .timer, [stop(.online)]), (40, .done, [stop(.unmetered)]),
      (40, .done, []),
    ],
    "each with its own path and time": [
      (10, metered, [wake(40)]), (20, offline, []), (40, .timer, [stop(.unmetered), wake(50)]), (40, .done, []),
      (50, .timer, [stop(.online)]), (50, .done, []),
    ],
    "at an undetermined cost as at a metered path": [
      (1, ofUndeterminedCost, [wake(31)]), (31, .timer, [stop(.unmetered)]),
    ],
    "not at flaps, however many": [
      (10, offline, [wake(40)]), (11, free, [never]), (12, offline, [wake(42)]), (13, free, [never]),
    ],
    "after a time that a path which comes back begins anew": [
      (10, offline, [wake(40)]), (20, free, [never]), (21, offline, [wake(51)]), (51, .timer, [stop(.online)]),
    ],
    "though the timer fires early or late": [
      (1, .timer, []), (10, offline, [wake(40)]), (39.9, .timer, [wake(40)]), (45, .timer, [stop(.online)]),
    ],
    "not at a stale path, for however long": [(10, stale, []), (99, .timer, []), (100, free, [])],
    "not at an unknown path, for however long": [(10, unknown, []), (99, .timer, []), (100, free, [])],
    "after a time without that of an unknown path": [
      (10, offline, [wake(40)]), (35, stale, [never]), (36, offline, [wake(66)]), (66, .timer, [stop(.online)]),
    ],
  ]

  @Test(arguments: Array(starts))
  func `targets that are off start`(rule: String, rows: [Row]) { Self.check(Self.bothOff + rows) }

  static let starts: Rules = [
    "when the path has lasted, and not before": [
      (10, free, [wake(12)]), (11, free, []), (12, .timer, [start(.online)]), (12, .done, [start(.unmetered)]),
      (12, .done, []),
    ],
    "not at flaps, however many": [
      (10, free, [wake(12)]), (11, offline, [never]), (12, free, [wake(14)]), (13, offline, [never]),
    ],
    "not at a stale path, for however long": [(10, stale, []), (99, .timer, []), (100, offline, [])],
    "not at an unknown path, for however long": [(10, unknown, []), (99, .timer, []), (100, offline, [])],
  ]

  @Test func `the target for validated paths starts when the Internet answers, and stops when that is not known`() {
    Self.check(
      of: [.validated],
      [
        (0, Self.free, [Self.stop(.validated)]), (0, .done, []), (1, Self.validated, [Self.wake(3)]),
        (3, .timer, [Self.start(.validated)]), (3, .done, []), (5, Self.free, [Self.wake(35)]),
        (35, .timer, [Self.stop(.validated)]), (35, .done, []),
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
