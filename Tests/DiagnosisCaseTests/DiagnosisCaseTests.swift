import Foundation
import PathModel
import ProcessTestSupport
import Testing

/// Broken networks, each in a namespace of its own: `pathctl explain` and `pathctl status` name the culprit, whether
/// they ask the kernel or a daemon.
@Suite(
  "Diagnoses of broken networks", .enabled(if: mayMakeNamespaces, "needs root to make network namespaces"))
struct DiagnosisCaseTests {
  /// The last line of every explanation.
  private static func limit(_ isSatisfied: Bool) -> String {
    isSatisfied
      ? "No packet was sent: a firewall, a dead router or a provider's outage also looks connected."
      : "No packet was sent: the kernel itself has no usable way."
  }

  @Test func `the cases are all there, and at least eight combine faults`() throws {
    #expect(try DiagnosisCase.parsed().count >= 162)
    #expect(DiagnosisCase.all.count { !$0.further.isEmpty } >= 8)
  }

  @Test(arguments: DiagnosisCase.chosen)
  func `explain and status name the culprit and the next step`(_ diagnosisCase: DiagnosisCase) async throws {
    let network = BrokenNetwork(diagnosisCase, "pmdiagnosis")
    do {
      try await Self.run(diagnosisCase, network)
    } catch {
      Issue.record(error)
    }
    try await network.remove()
  }

  private static func run(_ diagnosisCase: DiagnosisCase, _ network: BrokenNetwork) async throws {
    try await network.make()
    let namespace = network.namespace
    let directory = try ScratchDirectory()
    var configuration: [String] = []
    if let text = diagnosisCase.configuration {
      try FileManager.default.createDirectory(atPath: directory("case.conf.d"), withIntermediateDirectories: true)
      try directory.write("case.conf", "")
      try directory.write("case.conf.d/rules.conf", text)
      configuration = ["--config", directory("case.conf")]
    }
    for source in diagnosisCase.sources {
      var options = diagnosisCase.options
      var daemon: TestDaemon?
      switch source {
      case .kernel: options += ["--direct"] + configuration
      case .service:
        let started = try await TestDaemon(configuration, namespace: namespace)
        if let words = diagnosisCase.override {
          let arguments = ["override", "set"] + words + ["--socket", started.socket]
          #expect(try await RunningProgram.run([RunningProgram.pathctl] + arguments).status == 0)
        }
        options += ["--socket", started.socket]
        daemon = started
      }
      let stage = Stage(
        options: options, namespace: namespace, ruleFile: directory("case.conf.d/rules.conf"), source: source)
      try await check(diagnosisCase, stage)
      try await daemon?.stop()
    }
  }

  private struct Stage {
    /// The options that name the source of the answer.
    var options: [String]
    var namespace: String
    /// The file with the rules of the case.
    var ruleFile: String
    var source: DiagnosisCase.Source

    /// The output of a verb.
    func ask(_ words: [String]) async throws -> RunningProgram.Outcome {
      let outcome = try await RunningProgram.run(
        [RunningProgram.pathctl] + words + options, namespace: namespace)
      #expect(outcome.complaints.isEmpty)
      return outcome
    }

    /// An expected text with the file of the case.
    func text(_ value: JSONValue?) -> String? {
      value?.stringValue?.replacingOccurrences(of: "$CONFIGURATION", with: ruleFile)
    }
  }

  private static func check(_ diagnosisCase: DiagnosisCase, _ stage: Stage) async throws {
    let host = diagnosisCase.host.map { [$0] } ?? []
    let explained = try await stage.ask(["explain", "--json"] + host)
    let object = try #require(try JSONValue(parsing: Array(explained.output.utf8)).objectValue)
    let diagnosis = try #require(object["diagnosis"]?.objectValue)
    for member in diagnosisCase.expected.members {
      #expect(
        diagnosis[member.key]?.stringValue == stage.text(member.value),
        "\(member.key) from the \(stage.source.rawValue)")
    }
    if let circumstances = diagnosisCase.circumstances {
      #expect(diagnosis["circumstances"]?.arrayValue?.compactMap(\.stringValue) == circumstances)
    }
    let further = (object["furtherDiagnoses"]?.arrayValue ?? []).compactMap(\.objectValue)
    #expect(
      further.map { "\($0["code"]?.stringValue ?? "") \($0["subject"]?.stringValue ?? "")" } == diagnosisCase.further,
      "further causes from the \(stage.source.rawValue)")
    let route = object["routes"]?.arrayValue?.first?.objectValue
    for member in diagnosisCase.route.members {
      #expect(route?[member.key] == member.value, "\(member.key) of the route")
    }
    let isSatisfied = object["path"]?.objectValue?["status"]?.stringValue == "satisfied"
    #expect(explained.status == (isSatisfied ? 0 : 1))
    let status = try await stage.ask(host.isEmpty ? ["status", "--json"] : ["route", "--json"] + host)
    let short = try #require(try JSONValue(parsing: Array(status.output.utf8)).objectValue)
    #expect(short["diagnosis"] == object["diagnosis"])
    try await checkTexts(diagnosisCase, host, diagnosis, isSatisfied, stage)
  }

  /// People read the verdict first, then the next step, and the limits of the diagnosis last.
  private static func checkTexts(
    _ diagnosisCase: DiagnosisCase, _ host: [String], _ diagnosis: JSONObject, _ isSatisfied: Bool, _ stage: Stage
  ) async throws {
    let explanation = try await stage.ask(["explain"] + host).output
    let status = try await stage.ask(host.isEmpty ? ["status"] : ["route"] + host).output
    let sentence = try #require(diagnosis["sentence"]?.stringValue)
    for text in [explanation, status] {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let verdict = try #require(
        lines.firstIndex {
          $0.hasPrefix("● connected") || $0.hasPrefix("○ offline")
            || $0.hasPrefix("* connected") || $0.hasPrefix("o offline")
        })
      #expect(lines[verdict].contains("connected") == isSatisfied)
      if !isSatisfied { #expect(lines[verdict].hasSuffix("  \(sentence)")) }
      if let advice = diagnosis["advice"]?.stringValue {
        let place = try #require(lines.firstIndex { $0.hasSuffix("  \(advice)") })
        #expect(place == verdict + (isSatisfied ? 2 : 1), "the next step follows the verdict")
      }
      // Notes tell what this machine refused to the program, such as another watch.
      let told = lines.filter { !$0.hasPrefix("  note: ") }
      for words in diagnosisCase.forbidden { #expect(!told.contains { $0.contains(words) }) }
    }
    // The evidence ends with the version, for bug reports.
    let evidence = explanation.dropLast(limit(isSatisfied).count + 3)
    #expect(evidence.split(separator: "\n").last?.hasPrefix("  pathctl ") == true)
    #expect(explanation.hasSuffix("\n\n\(limit(isSatisfied))\n"))
  }
}
