import Foundation
import PathConfiguration
import PathModel
import PathService
import ProcessTestSupport
import Programs
import Testing
import Varlink

@testable import PathControl

@Suite("The manual")
struct ManualTests {
  /// A line that a page has to have: a term with a paragraph of its own, or else words of the text.
  private struct Line: Hashable, CustomStringConvertible {
    var page: String
    var heading: String
    var term: String?
    var words: String?

    var description: String { "\(page), \(heading): \(term ?? words ?? "")" }
  }

  private static var linesOfVerbs: [Line] {
    Verbs.all.flatMap { verb -> [Line] in
      let heading = (["pathctl"] + verb.usage()).joined(separator: " ")
      let options = verb.shownOptions.filter { $0.name != "--help" && $0.name != "--version" }
      return options.map { Line(page: "pathctl.1", heading: heading, words: $0.usage) }
        + verb.exits.flatMap { exit in
          [
            Line(page: "pathctl.1", heading: heading, words: "\(exit.status): "),
            Line(page: "pathctl.1", heading: "EXIT STATUS", term: "\(exit.status)"),
          ]
        }
    }
  }

  private static var linesOfRequirements: [Line] {
    let terms =
      PathRequirement.Word.allCases.map { "\($0.rawValue), not-\($0.rawValue)" }
      + PathRequirement.Key.allCases.map { key in
        key.placeholders.map { "\(key.rawValue)=\($0)" }.joined(separator: ", ")
      }
    let words = PathRequirement.synonyms.map(\.name) + InterfaceType.requirementNames
    return terms.map { Line(page: "pathctl.1", heading: "REQUIREMENTS", term: $0) }
      + words.map { Line(page: "pathctl.1", heading: "REQUIREMENTS", words: $0) }
  }

  private static var linesOfJSON: [Line] {
    let keys =
      NetworkPath.fields.map(\.key) + NetworkInterface.fields.map(\.key)
      + Diagnosis.fields.map(\.key) + Cost.fields.map(\.key)
      + Evidence.fields.map(\.key) + PathValidation.fields.map(\.key) + PathValidation.Observation.fields.map(\.key)
    let values =
      NetworkPath.Status.allCases.map(\.rawValue) + NetworkPath.Knowledge.allCases.map(\.rawValue)
      + UnsatisfiedReason.all.map(\.rawValue) + InterfaceType.allCases.map(\.rawValue)
      + PathValidation.State.all.map(\.rawValue)
    return keys.map { Line(page: "pathctl.1", heading: "JSON", term: $0) }
      + values.map { Line(page: "pathctl.1", heading: "JSON", words: $0) }
  }

  private static var linesOfConfiguration: [Line] {
    let confidences: [Evidence.Confidence] = [.user, .explicit, .certain, .likely, .guess, .unknown]
    return ConfigurationKey.all.flatMap { key in
      [
        Line(page: "pathmonitor.conf.5", heading: key.section.header, term: key.shown),
        Line(page: "pathmonitor.conf.5", heading: key.section.header, words: "Allowed: \(key.allowed)."),
      ]
    }
      + HistoryConfiguration.keys.flatMap { key in
        [
          Line(page: "pathmonitor-history.conf.5", heading: "KEYS", term: "\(key.name)="),
          Line(
            page: "pathmonitor-history.conf.5", heading: "KEYS",
            words: "Allowed: \(key.allowed). Without it: \(key.standard)."),
        ]
      }
      + confidences.map { Line(page: "pathmonitor.conf.5", heading: "COST OF A PATH", term: $0.rawValue) }
  }

  @Test func `every verb, option, key and exit status of the tables has its line in a page`() throws {
    let path = NetworkPath(status: .satisfied, knowledge: .known)
    let lines =
      Self.linesOfVerbs + Self.linesOfRequirements + Self.linesOfJSON + Self.linesOfConfiguration
      + PathSummary.Name.allCases.map { Line(page: "pathctl.1", heading: "OPTIONS", words: "{\($0.rawValue)}") }
      + DaemonOptions.options.map { Line(page: "pathmonitord.8", heading: "OPTIONS", term: $0.label) }
    let pages = try Dictionary(uniqueKeysWithValues: ManualPage.names.map { ($0, try ManualPage($0)) })
    for line in Set(lines) {
      let section = try #require(pages[line.page]).section(line.heading)
      if let term = line.term { #expect(section.terms.contains(term), "\(line)") }
      if let words = line.words { #expect(section.text.contains(words), "\(line)") }
    }
    // An option is described where its verb is, or where those of several verbs are.
    let page = try #require(pages["pathctl.1"])
    for verb in Verbs.all {
      let heading = (["pathctl"] + verb.usage()).joined(separator: " ")
      let terms = try page.section("OPTIONS").terms + page.section(heading).terms
      for option in verb.shownOptions { #expect(terms.contains(option.label), "\(heading): \(option.label)") }
    }
    let variables = try page.section("ENVIRONMENT").terms.flatMap { $0.split(separator: ", ").map(String.init) }
    #expect(Set(PathVariables.of(.init(path: path, former: nil)).map(\.name)).isSubset(of: variables))
  }

  @Test func `the manual page has the grammar of requirements as the source has it`() throws {
    let source = try Repository.text(of: "Sources/Path/PathModel/Requirements/PathRequirement.swift")
    let lines = source.split(separator: "\n").map { $0.replacing("/// ", with: "", maxReplacements: 1) }
    let first = try #require(lines.firstIndex { $0.hasPrefix("requirement = ") })
    let last = try #require(lines.firstIndex { $0.hasPrefix("negation ") })
    let grammar = lines[first...last].joined(separator: "\n")
    #expect(try Repository.text(of: "man/pathctl.1.scd").contains("```\n\(grammar)\n```"))
  }

  @Test func `the shipped configuration changes nothing, and shows every key with its default`() throws {
    let text = try Repository.text(of: "systemd/examples/pathmonitord.conf")
    #expect(try ConfigurationFile(parsing: text, path: "test.conf").settings.isEmpty)
    let page = try ManualPage("pathmonitor.conf.5").section("[Monitor]").text
    var active = text
    for key in ConfigurationKey.all where key.section == .monitor {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("#\(key.shown)") }, "\(key.name)")
      active = active.replacing("\n#\(key.shown)", with: "\n\(key.shown)")
      let standard = line.dropFirst(key.shown.count + 1)
      #expect(page.contains("Without it: \(standard)"), "\(key.name)")
    }
    var configuration = MergedConfiguration()
    try configuration.add(ConfigurationFile(parsing: active, path: "test.conf"))
    #expect(configuration.monitor.probes == .standard)
    #expect(configuration.monitor.settle == nil)
    let (gain, loss) = (SettleTimes.standard.gain / .milliseconds(1), SettleTimes.standard.loss / .milliseconds(1))
    let settle = "\(Int(gain))ms for a change that only adds something, \(Int(loss))ms for any other."
    #expect(page.contains(settle) && text.replacing("\n# ", with: " ").contains(settle))
    #expect(configuration.monitor.connections == VarlinkServer.Limits().connections)
    #expect(configuration.monitor.connectionsPerUser == VarlinkServer.Limits().connectionsPerUser)
    #expect(configuration.rules == MergedConfiguration().rules)

    let history = try Repository.text(of: "systemd/examples/history.conf")
    var recorder = HistoryConfiguration()
    try recorder.apply(history)
    for key in HistoryConfiguration.keys { #expect(history.contains("\n#\(key.name)=\(key.standard)\n")) }
    try recorder.apply(history.replacing("\n#", with: "\n").replacing("\n ", with: "\n# "))
    #expect(recorder == HistoryConfiguration())
  }

  @Test func `every example of a verb is on the page, and every command line there is understood`() async throws {
    let examples = try ManualPage("pathctl.1").section("EXAMPLES").examples
    for example in Verbs.all.flatMap({ $0.examples }) {
      for line in example.lines.split(separator: "\n") { #expect(examples.contains(String(line)), "\(line)") }
    }
    // The keys of a unit are no commands.
    let commands = examples.map { $0.replacing("ExecCondition=/usr/bin/", with: "") }
      .filter { !$0.contains("[Service]") && !$0.contains("ExecStart=") }
    // The shell finds only pathctl, which prints its arguments.
    let script = """
      PATH=
      exec 3>&1
      pathctl() { for word; do echo "$word"; done >&3; echo >&3; }
      \(commands.joined(separator: "\n"))
      """
    let output = try await RunningProgram.run(["bash", "-c", script]).output
    let calls = output.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "")
    #expect(calls.count == commands.count { $0.contains("pathctl ") }, "\(output)")
    for call in calls {
      #expect(throws: Never.self, "\(call)") { try ArgumentParser.parse(call.map(String.init)) }
    }
  }

  private static let canFormat =
    (try? RunningProgram.runBlocking(["sh", "-c", "command -v scdoc man groff"]).status) == 0

  @Test(
    .enabled(if: canFormat, "needs the packages scdoc, man-db and groff-base; make test installs them"),
    arguments: ManualPage.names)
  func `a page is formatted without a warning, fits a terminal of 80 columns, and has the version`(
    name: String
  ) async throws {
    let roff = try await RunningProgram.run(["\(Repository.path.path)/scripts/build-page", name])
    #expect(roff.status == 0 && roff.complaints.isEmpty, "\(roff.complaints)")
    let folder = try ScratchDirectory()
    try folder.write("page", roff.output)
    let read = try await RunningProgram.run(
      ["man", "--warnings", "-l", folder("page")],
      environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANROFFOPT": nil])
    #expect(read.status == 0 && read.complaints.isEmpty, "\(read.complaints)")
    for line in read.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(read.output.contains("PathMonitor \(PathMonitorVersion.current)"))
    let groff = try await RunningProgram.run(["groff", "-man", "-Tutf8", "-ww", "-z", folder("page")])
    #expect(groff.status == 0 && groff.complaints.isEmpty, "\(groff.complaints)")
  }

  @Test(arguments: [
    "path-online.target", "path-unmetered.target", "path-validated.target", "pathmonitor-targets.service",
  ])
  func `each unit that people name has a page, which its Documentation= names`(unit: String) throws {
    let section = unit.hasSuffix(".target") ? 7 : 8
    #expect(try Repository.text(of: "systemd/\(unit)").contains("\nDocumentation=man:\(unit)(\(section))\n"))
    let subjects = try ManualPage.names.filter { $0.hasSuffix(".\(section)") }.flatMap { name in
      try ManualPage(name).section("NAME").text.split(separator: " - ")[0].split(separator: ", ").map(String.init)
    }
    #expect(subjects.contains(unit))
  }
}
