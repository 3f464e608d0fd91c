import Foundation
import Glibc
import JSON
import ProcessTestSupport
import Testing

/// Every case has a network namespace of its own, which `pathctl watch` follows. After each change its newest line and
/// a fresh `pathctl status` have to be right, from the kernel and from a daemon.
@Suite(
  "Path cases on the real kernel",
  .enabled(if: geteuid() == 0, "needs root to make network namespaces"))
struct PathCaseTests {
  private static let gate = Gate(6)

  @Test func `the cases are all there`() {
    #expect(PathCase.all.count >= 97)
  }

  /// `PATHMONITOR_CASE=name` runs the cases whose names contain that.
  private static let chosen = PathCase.all.filter { pathCase in
    ProcessInfo.processInfo.environment["PATHMONITOR_CASE"].map(pathCase.name.contains) ?? true
  }

  @Test(arguments: Source.allCases, chosen)
  func `watch and status are right after each change`(source: Source, _ pathCase: PathCase) async throws {
    await Self.gate.enter()
    let number = PathCase.all.firstIndex { $0.name == pathCase.name } ?? 0
    let namespace = "pmcase\(getpid())-\(source == .kernel ? "k" : "s")\(number)"
    do {
      try await Self.run(pathCase, source, namespace)
    } catch {
      Issue.record(error)
    }
    for line in pathCase.cleanup { await Programs.shell(line, namespace: namespace) }
    await Programs.shell("ip netns del $NS; rm -rf /etc/netns/$NS", namespace: namespace)
    await Self.gate.leave()
  }

  private static func run(_ pathCase: PathCase, _ source: Source, _ namespace: String) async throws {
    await Programs.shell("ip netns add $NS", namespace: namespace)
    // Files that are bound into the namespace when a program starts there have to exist before.
    let early = pathCase.setup.commands.filter { $0.contains("/etc/netns") }
    for line in early { await Programs.shell(line, namespace: namespace) }
    let directory = try ScratchDirectory()
    let configuration = try configurationOptions(of: pathCase, in: directory)
    let daemon = source == .service ? try await TestDaemon(configuration, namespace: namespace) : nil
    let options = daemon.map { ["--socket", $0.socket] } ?? ["--direct"] + configuration
    let watcher = try RunningProgram([RunningProgram.pathctl, "watch", "--json"] + options, namespace: namespace)
    defer {
      watcher.send(SIGTERM)
      daemon?.program.send(SIGTERM)
    }
    let stage = Stage(watcher: watcher, options: options, namespace: namespace)
    _ = try await watcher.output.wait(lines: 1)
    for line in pathCase.setup.commands where !early.contains(line) {
      let (status, output) = await Programs.shell(line, namespace: namespace)
      #expect(status == 0, "'\(line)' failed: \(output)")
    }
    try await check(pathCase.setup, "after setup", stage)
    for (number, step) in pathCase.steps.enumerated() {
      let before = watcher.output.lines.count
      for line in step.commands { await Programs.shell(line, namespace: namespace) }
      if let expected = step.expectedAtOnce {
        let (fresh, _) = try await ask(stage)
        let differences = Expectation.differences(between: expected, and: fresh)
        #expect(differences.isEmpty, "status at once in step \(number + 1)")
      }
      try await check(step, "after step \(number + 1)", stage)
      if pathCase.forbidsUpdates {
        #expect(watcher.output.lines.count == before, "updates were printed in step \(number + 1)")
      }
    }
    #expect(watcher.complaints.lines.isEmpty)
  }

  /// The options that make programs read the rules of a case.
  private static func configurationOptions(of pathCase: PathCase, in directory: ScratchDirectory) throws -> [String] {
    guard let text = pathCase.configuration else { return [] }
    try FileManager.default.createDirectory(
      atPath: directory("case.conf.d"), withIntermediateDirectories: true)
    try directory.write("case.conf", "")
    try directory.write("case.conf.d/rules.conf", text)
    return ["--config", directory("case.conf")]
  }

  /// The namespace and the programs of a case.
  private struct Stage {
    var watcher: RunningProgram
    /// The source of the path.
    var options: [String]
    var namespace: String
  }

  /// A case may expect that nothing happens: it waits for the time that it names. Then the path that is watched becomes
  /// right, as soon as the machine has the time for it, and a fresh answer is right at once.
  private static func check(
    _ step: PathCase.Step, _ moment: String, _ stage: Stage
  ) async throws {
    try await Task.sleep(for: .seconds(step.wait))
    @Sendable func path(_ lines: [String]) -> JSONValue? {
      lines.last.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    }
    let expected = step.expected
    _ = try? await stage.watcher.output.wait(for: "the path", within: .seconds(20)) { lines in
      Expectation.differences(between: expected, and: path(lines)).isEmpty ? true : nil
    }
    let watched = path(stage.watcher.output.lines)
    let (fresh, exitStatus) = try await ask(stage)
    for (source, path) in [("watch", watched), ("status", fresh)] {
      let differences = Expectation.differences(between: step.expected, and: path)
      #expect(differences.isEmpty, "\(source) \(moment)")
    }
    let isSatisfied = step.expected["status"]?.stringValue == "satisfied"
    #expect(exitStatus == (isSatisfied ? 0 : 1), "exit status \(moment)")
    for (requirement, expected) in step.checks {
      let outcome = try await RunningProgram.run(
        [RunningProgram.pathctl, "check", requirement] + stage.options, namespace: stage.namespace)
      #expect(outcome.status == expected, "check \(requirement) \(moment)")
    }
  }

  /// The path that `pathctl status` prints now, and its exit status.
  private static func ask(_ stage: Stage) async throws -> (path: JSONValue?, exitStatus: Int32) {
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl, "status", "--json"] + stage.options, namespace: stage.namespace)
    #expect(outcome.complaints.isEmpty)
    return (try? JSONValue(parsing: Array(outcome.output.utf8)), outcome.status)
  }
}
