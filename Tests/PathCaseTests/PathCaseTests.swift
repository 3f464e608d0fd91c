import Foundation
import Glibc
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

/// Every case has a network namespace of its own, which `pathctl watch` follows from the kernel and from a daemon. The
/// newest line and a fresh `pathctl status` of both have to be right after each change.
@Suite(
  "Path cases on the real kernel",
  .enabled(if: geteuid() == 0, "needs root to make network namespaces"))
struct PathCaseTests {
  @Test func `the cases are all there`() throws {
    #expect(try PathCase.parsed().count >= 320)
  }

  /// `PATHMONITOR_CASE=name` runs the cases whose names contain that.
  private static let chosen = PathCase.all.filter { pathCase in
    !pathCase.isInMemoryOnly
      && ProcessInfo.processInfo.environment["PATHMONITOR_CASE"].map(pathCase.name.contains) ?? true
  }

  @Test(arguments: chosen)
  func `watch and status are right after each change`(_ pathCase: PathCase) async throws {
    let number = PathCase.all.firstIndex { $0.name == pathCase.name } ?? 0
    let namespace = "pmcase\(getpid())-\(number)"
    do {
      try await Self.run(pathCase, namespace)
    } catch {
      Issue.record(error)
    }
    // Programs that hold a tunnel are in its namespace.
    _ = try? await Self.shell(
      """
      for name in $NS ${NS}p ${NS}h; do
        ip netns pids $name 2>/dev/null | xargs -r kill
        ip netns del $name 2>/dev/null
      done
      rm -rf /etc/netns/$NS
      """, namespace: namespace)
  }

  /// Runs a line of a case in bash.
  @discardableResult
  private static func shell(_ line: String, namespace: String) async throws -> RunningProgram.Outcome {
    try await RunningProgram.run(["bash", "-c", line], environment: ["NS": namespace], within: .seconds(60))
  }

  private static func run(_ pathCase: PathCase, _ namespace: String) async throws {
    try await shell("ip netns add $NS", namespace: namespace)
    // Files that are bound into the namespace when a program starts there have to exist before.
    let setUp = pathCase.steps[0].commands
    let early = setUp.filter { $0.contains("/etc/netns") }
    for line in early { try await shell(line, namespace: namespace) }
    let directory = try ScratchDirectory()
    let configuration = try configurationOptions(of: pathCase, in: directory)
    let daemon = try await TestDaemon(configuration, namespace: namespace)
    defer { daemon.program.send(SIGTERM) }
    let watches = [
      try Watch("kernel", ["--direct"] + configuration, namespace),
      try Watch("service", ["--socket", daemon.socket], namespace),
    ]
    defer { for watch in watches { watch.program.send(SIGTERM) } }
    for watch in watches { _ = try await watch.program.output.wait(lines: 1) }
    for line in setUp where !early.contains(line) {
      let outcome = try await shell(line, namespace: namespace)
      #expect(outcome.status == 0, "'\(line)' failed: \(outcome.complaints)")
    }
    try await check(pathCase.steps[0], "after setup", watches)
    for (number, step) in pathCase.steps.enumerated().dropFirst() {
      let before = watches.map(\.program.output.lines.count)
      for line in step.commands { try await shell(line, namespace: namespace) }
      if let expected = step.expectedAtOnce {
        async let kernel = watches[0].ask()
        async let service = watches[1].ask()
        for (watch, fresh) in zip(watches, try await [kernel, service]) {
          let differences = PathExpectation.differences(between: expected, and: fresh.path)
          #expect(differences.isEmpty, "status from the \(watch.source) at once in step \(number)")
        }
      }
      try await check(step, "after step \(number)", watches)
      if let most = step.mostUpdates {
        let updates = zip(watches, before).map { $0.program.output.lines.count - $1 }
        #expect(updates.allSatisfy { $0 <= most }, "\(updates) updates were printed in step \(number)")
      }
    }
    for watch in watches { #expect(watch.program.complaints.lines.isEmpty, "from the \(watch.source)") }
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

  /// A case may expect that nothing happens: it waits for the time that it names. Then the path that is watched becomes
  /// right, as soon as the machine has the time for it, and a fresh answer is right at once.
  private static func check(_ step: PathCase.Step, _ moment: String, _ watches: [Watch]) async throws {
    try await Task.sleep(for: .seconds(step.wait))
    for watch in watches { try await check(step, "from the \(watch.source) \(moment)", watch) }
  }

  private static func check(_ step: PathCase.Step, _ moment: String, _ watch: Watch) async throws {
    @Sendable func path(_ lines: [String]) -> JSONValue? {
      lines.last.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    }
    let expected = step.expected
    _ = try? await watch.program.output.wait(for: "the path", within: .seconds(20)) { lines in
      PathExpectation.differences(between: expected, and: path(lines)).isEmpty ? true : nil
    }
    let watched = path(watch.program.output.lines)
    let (fresh, exitStatus) = try await watch.ask()
    for (verb, path) in [("watch", watched), ("status", fresh)] {
      let differences = PathExpectation.differences(between: step.expected, and: path)
      #expect(differences.isEmpty, "\(verb) \(moment)")
    }
    let isSatisfied = step.expected["status"]?.stringValue == "satisfied"
    #expect(exitStatus == (isSatisfied ? 0 : 1), "exit status \(moment)")
    for (requirement, expected) in step.checks {
      let outcome = try await RunningProgram.run(
        [RunningProgram.pathctl, "check", requirement] + watch.options, namespace: watch.namespace)
      #expect(outcome.status == expected, "check \(requirement) \(moment)")
    }
  }
}
