import Foundation
import Glibc
import JSON
import Testing

/// Every case is laid out in a network namespace of its own and followed by `pathctl watch`; after each change, both
/// its newest line and a fresh `pathctl status` have to be right.
@Suite(
  "Path cases on the real kernel",
  .enabled(if: geteuid() == 0, "needs root to make network namespaces"))
struct PathCaseTests {
  private static let gate = Gate(6)

  @Test func `the cases are all there`() {
    #expect(PathCase.all.count >= 57)
  }

  /// `PATHMONITOR_CASE=name` runs the cases whose names contain that.
  private static let chosen = PathCase.all.filter { pathCase in
    ProcessInfo.processInfo.environment["PATHMONITOR_CASE"].map(pathCase.name.contains) ?? true
  }

  @Test(arguments: chosen)
  func `watch and status say what is right after each change`(_ pathCase: PathCase) async throws {
    await Self.gate.enter()
    let namespace = "pmcase\(getpid())-\(PathCase.all.firstIndex { $0.name == pathCase.name } ?? 0)"
    do {
      try await Self.run(pathCase, namespace)
    } catch {
      Issue.record(error)
    }
    for line in pathCase.cleanup { await Programs.shell(line, namespace: namespace) }
    await Programs.shell("ip netns del $NS; rm -rf /etc/netns/$NS", namespace: namespace)
    await Self.gate.leave()
  }

  private static func run(_ pathCase: PathCase, _ namespace: String) async throws {
    await Programs.shell("ip netns add $NS", namespace: namespace)
    // What is bound into the namespace when a program starts there has to be there before.
    let early = pathCase.setup.commands.filter { $0.contains("/etc/netns") }
    for line in early { await Programs.shell(line, namespace: namespace) }
    let watcher = try Watcher(namespace: namespace)
    defer { watcher.stop() }
    try await waitForFirstLine(of: watcher)
    for line in pathCase.setup.commands where !early.contains(line) {
      let (status, output) = await Programs.shell(line, namespace: namespace)
      #expect(status == 0, "'\(line)' failed: \(output)")
    }
    try await check(pathCase.setup, "after setup", watcher, namespace)
    for (number, step) in pathCase.steps.enumerated() {
      let before = watcher.lines.count
      for line in step.commands { await Programs.shell(line, namespace: namespace) }
      try await check(step, "after step \(number + 1)", watcher, namespace)
      if pathCase.forbidsUpdates {
        #expect(watcher.lines.count == before, "updates were printed in step \(number + 1)")
      }
    }
  }

  private static func waitForFirstLine(of watcher: Watcher) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while watcher.lines.isEmpty, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
    try #require(!watcher.lines.isEmpty, "pathctl watch printed nothing")
  }

  /// The path has so long to become right, and then has to be right: a case may expect that nothing happens.
  private static func check(
    _ step: PathCase.Step, _ moment: String, _ watcher: Watcher, _ namespace: String
  ) async throws {
    try await Task.sleep(for: .seconds(step.wait))
    let watched = watcher.lines.last.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    let status = await Programs.shell(
      "ip netns exec $NS \(Programs.pathctl) status --json --direct", namespace: namespace)
    let fresh = try? JSONValue(parsing: Array(status.output.utf8))
    for (source, path) in [("watch", watched), ("status", fresh)] {
      let differences = Expectation.differences(between: step.expected, and: path)
      #expect(differences.isEmpty, "\(source) \(moment)")
    }
    let isSatisfied = step.expected["status"]?.stringValue == "satisfied"
    #expect(status.status == (isSatisfied ? 0 : 1), "exit status \(moment)")
  }
}
