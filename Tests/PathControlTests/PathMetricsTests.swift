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
    #expect(Self.lines(metrics, "path_known") == ["pathmonitor_path_known 0"])
    for name in ["path_satisfied", "path_info", "path_expensive", "path_constrained"] {
      #expect(Self.lines(metrics, name).isEmpty, "\(name)")
    }
    #expect(Self.lines(metrics, "up ") == ["pathmonitor_up 1"])
  }

  @Test func `labels that do not apply are empty, so that the labels are always the same`() {
    let connected = PathMetrics(service: Self.answer(Self.path(.satisfied)))
    #expect(
      Self.lines(connected, "path_info") == [#"pathmonitor_path_info{device="eth0",type="wiredEthernet",reason=""} 1"#])
    #expect(Self.lines(connected, "path_satisfied") == ["pathmonitor_path_satisfied 1"])
    let offline = PathMetrics(service: Self.answer(Self.path(.unsatisfied)))
    #expect(Self.lines(offline, "path_info") == [#"pathmonitor_path_info{device="",type="",reason="noRoute"} 1"#])
    #expect(Self.lines(offline, "path_satisfied") == ["pathmonitor_path_satisfied 0"])
  }

  @Test func `the state of the validation is 1 and all others 0, and without a path there is none`() {
    func lines(_ state: PathValidation.State?) -> [String] {
      var path = Self.path(state == nil ? .unsatisfied : .satisfied)
      if let state { path.validation.state = state }
      return Self.lines(PathMetrics(service: Self.answer(path)), "validation")
    }
    let states = ["unknown", "validated", "partial", "portal", "unanswered"]
    for state in states {
      #expect(
        lines(PathValidation.State(rawValue: state))
          == states.map { #"pathmonitor_validation{state="\#($0)"} \#($0 == state ? 1 : 0)"# })
    }
    #expect(lines(PathValidation.State(rawValue: "later")).last == #"pathmonitor_validation{state="later"} 1"#)
    #expect(lines(nil).isEmpty)
  }

  @Test func `a cost of which nothing is known has no sample, and a path says whether it goes through a tunnel`() {
    func lines(_ name: String, _ change: (inout NetworkPath) -> Void) -> [String] {
      var path = Self.path(.satisfied)
      path.cost = .unknown
      change(&path)
      return Self.lines(PathMetrics(service: Self.answer(path)), name)
    }
    #expect(lines("path_expensive") { _ in }.isEmpty)
    #expect(lines("path_expensive") { $0.cost?.confidence = .guess } == ["pathmonitor_path_expensive 0"])
    #expect(
      lines("path_expensive") {
        $0.isExpensive = true
        $0.cost = Cost(isExpensive: true, isConstrained: false, confidence: .likely, evidence: [])
      } == ["pathmonitor_path_expensive 1"])
    #expect(lines("path_tunnel") { _ in } == ["pathmonitor_path_tunnel 0"])
    #expect(lines("path_tunnel") { $0.usesTunnel = true } == ["pathmonitor_path_tunnel 1"])
    #expect(lines("path_tunnel") { $0.status = .unsatisfied }.isEmpty)
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

  @Test func `where a history is recorded its totals count, also while the service is away`() {
    let recorded = PathMetrics.RecordedTotals.totals(Self.totals(changes: 100))
    for service in [Self.answer(Self.path(.satisfied)), nil] {
      let metrics = PathMetrics(service: service, recorded: recorded)
      #expect(Self.lines(metrics, "path_changes_total") == ["pathmonitor_path_changes_total 100"])
      #expect(Self.lines(metrics, "history_up") == ["pathmonitor_history_up 1"])
    }
    #expect(
      Self.lines(PathMetrics(service: Self.answer(Self.path(.satisfied))), "path_changes_total") == [
        "pathmonitor_path_changes_total 7"
      ])
  }

  @Test func `a recorder that has stopped shows, and its sums stay: lower ones would look like a restart`() {
    let metrics = PathMetrics(
      service: Self.answer(Self.path(.satisfied)), recorded: .stopped(Self.totals(changes: 100)))
    #expect(Self.lines(metrics, "path_changes_total") == ["pathmonitor_path_changes_total 100"])
    #expect(Self.lines(metrics, "history_up") == ["pathmonitor_history_up 0"])
  }

  @Test func `a history that cannot be read leaves its counters out: lower ones would look like a restart`() {
    let metrics = PathMetrics(service: Self.answer(Self.path(.satisfied)), recorded: .unreadable)
    #expect(Self.lines(metrics, "path_changes_total").isEmpty)
    #expect(Self.lines(metrics, "unsatisfied_seconds_total").isEmpty)
    #expect(Self.lines(metrics, "history_up") == ["pathmonitor_history_up 0"])
    #expect(Self.lines(metrics, "path_satisfied") == ["pathmonitor_path_satisfied 1"])
  }

  @Test func `a service of an older version has no totals, and the rest is there`() {
    var answer = Self.answer(Self.path(.satisfied))
    answer.totals = nil
    #expect(Self.lines(PathMetrics(service: answer), "path_changes_total").isEmpty)
    #expect(Self.lines(PathMetrics(service: answer), "subscribers") == ["pathmonitor_subscribers 3"])
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
