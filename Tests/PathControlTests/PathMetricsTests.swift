import PathModel
import Testing

@testable import PathControl

@Suite("Metrics of the path")
struct PathMetricsTests {
  private static func path(
    _ status: NetworkPath.Status, _ knowledge: NetworkPath.Knowledge = .known, device: String = "eth0"
  ) -> NetworkPath {
    var path = NetworkPath.unknown
    path.status = status
    path.knowledge = knowledge
    path.interfaces = [NetworkInterface(name: device, index: 2, type: .wiredEthernet)]
    if status == .satisfied { path.interfaceType = .wiredEthernet } else { path.unsatisfiedReason = .noRoute }
    return path
  }

  private static func totals(changes: Int) -> PathTotals {
    var totals = PathTotals()
    totals.changes = Int64(changes)
    return totals
  }

  private static func answer(_ path: NetworkPath) -> PathMetrics.ServiceAnswer {
    PathMetrics.ServiceAnswer(
      path: path, health: ["subscribers": 3, "evaluations": 9, "overruns": 1, "memoryBytes": 4_096],
      totals: totals(changes: 7), version: "1.0")
  }

  /// The lines of samples that begin with a name.
  private static func lines(_ metrics: PathMetrics, _ name: String) -> [String] {
    TextExposition.prometheus.text(metrics.families).split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("pathmonitor_\(name)")
    }
  }

  @Test func `a service that does not answer is said as that, and nothing is said about the path`() {
    #expect(
      TextExposition.prometheus.text(PathMetrics(service: nil).families).split(separator: "\n").filter {
        !$0.hasPrefix("#")
      } == ["pathmonitor_up 0"])
  }

  @Test(arguments: [NetworkPath.Knowledge.stale, .unknown])
  func `a path that is not known is neither satisfied nor unsatisfied`(knowledge: NetworkPath.Knowledge) {
    let metrics = PathMetrics(service: Self.answer(Self.path(.unsatisfied, knowledge)))
    let known = Self.lines(metrics, "path_").filter { !$0.contains("_total ") }
    #expect(known == ["pathmonitor_path_known 0"])
    #expect(Self.lines(metrics, "up ") == ["pathmonitor_up 1"])
  }

  private static func changed(_ change: (inout NetworkPath) -> Void) -> NetworkPath {
    var path = path(.satisfied)
    change(&path)
    return path
  }

  @Test(
    "a path has its values, the same labels always, and no sample of what is not known or does not apply",
    arguments: [
      (path(.satisfied), "path_info", [#"{device="eth0",type="wiredEthernet",reason=""} 1"#]),
      (path(.satisfied), "path_satisfied", [" 1"]),
      (path(.unsatisfied), "path_info", [#"{device="",type="",reason="noRoute"} 1"#]),
      (path(.unsatisfied), "path_satisfied", [" 0"]), (path(.unsatisfied), "validation", []),
      (changed { $0.cost = .unknown }, "path_expensive", []),
      (
        changed { $0.cost = Cost(isExpensive: false, isConstrained: false, confidence: .guess, evidence: []) },
        "path_expensive", [" 0"]
      ),
      (changed { $0.isExpensive = true }, "path_expensive", [" 1"]), (path(.satisfied), "path_tunnel", [" 0"]),
      (changed { $0.usesTunnel = true }, "path_tunnel", [" 1"]), (path(.unsatisfied), "path_tunnel", []),
    ])
  func values(path: NetworkPath, name: String, values: [String]) {
    #expect(
      Self.lines(PathMetrics(service: Self.answer(path)), name) == values.map { "pathmonitor_\(name)\($0)" })
  }

  @Test func `the state of the validation is 1 and all others 0`() {
    let states = ["unknown", "validated", "partial", "portal", "unanswered"]
    for state in states + ["later"] {
      let path = Self.changed { $0.validation.state = PathValidation.State(rawValue: state) }
      #expect(
        Self.lines(PathMetrics(service: Self.answer(path)), "validation")
          == (states + (state == "later" ? [state] : [])).map {
            #"pathmonitor_validation{state="\#($0)"} \#($0 == state ? 1 : 0)"#
          })
    }
  }

  @Test func `each reason has its time from the beginning, and a new reason follows`() {
    var answer = Self.answer(Self.path(.satisfied))
    answer.totals?.unsatisfiedByReason = [.noRoute: 1_250_000, UnsatisfiedReason(rawValue: "later"): 1]
    let lines = Self.lines(PathMetrics(service: answer), "unsatisfied_seconds_total")
    #expect(lines.contains(#"pathmonitor_unsatisfied_seconds_total{reason="noRoute"} 1.25"#))
    #expect(lines.contains(#"pathmonitor_unsatisfied_seconds_total{reason="noCarrier"} 0"#))
    #expect(lines.last == #"pathmonitor_unsatisfied_seconds_total{reason="later"} 0.000001"#)
    #expect(lines.count == UnsatisfiedReason.all.count)
  }

  /// A service whose own totals are 7 changes, one of an older version without totals, or none.
  enum Service { case present, old, absent }

  @Test(
    "where a history is recorded its totals count, also while the service is away",
    arguments: [
      (.present, .off, 7, nil), (.present, .totals(totals(changes: 100)), 100, 1),
      (.absent, .totals(totals(changes: 100)), 100, 1),
      // Lower sums would look like a restart.
      (.present, .stopped(totals(changes: 100)), 100, 0), (.present, .unreadable, nil, 0), (.old, .off, nil, nil),
    ] as [(Service, PathMetrics.RecordedTotals, Int?, Int?)])
  func recorded(service: Service, recorded: PathMetrics.RecordedTotals, changes: Int?, isRecording: Int?) {
    var answer: PathMetrics.ServiceAnswer? = service == .absent ? nil : Self.answer(Self.path(.satisfied))
    if service == .old { answer?.totals = nil }
    let metrics = PathMetrics(service: answer, recorded: recorded)
    #expect(
      Self.lines(metrics, "path_changes_total") == changes.map { ["pathmonitor_path_changes_total \($0)"] } ?? [])
    #expect(Self.lines(metrics, "unsatisfied_seconds_total").isEmpty == (changes == nil))
    #expect(Self.lines(metrics, "history_up") == isRecording.map { ["pathmonitor_history_up \($0)"] } ?? [])
    #expect(Self.lines(metrics, "subscribers") == (answer == nil ? [] : ["pathmonitor_subscribers 3"]))
  }

  @Test func `the name of a device reaches no terminal unescaped`() {
    let metrics = PathMetrics(service: Self.answer(Self.path(.satisfied, device: "\u{1b}[7m\u{202e}x\ny")))
    let text = TextExposition.prometheus.text(metrics.families)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format })
  }

  @Test func `every family has a help text, and a name of its own`() {
    let families = PathMetrics(service: nil).families
    #expect(Set(families.map(\.name)).count == families.count)
    for family in families {
      #expect(!family.help.isEmpty && family.help.hasSuffix("."), "\(family.name)")
      #expect(family.name.hasPrefix("pathmonitor_"))
      if let unit = family.unit { #expect(family.stem.hasSuffix("_\(unit)")) }
    }
  }
}
