import Glibc
import PathModel
import ProcessTestSupport
import Testing

@Suite("pathctl watch --exec")
struct WatchHookTests {
  @Test func `the command is run for the path as it is and for each update, and nothing else is shown`() async throws {
    let path = try await ScriptedPath()
    let watch = try path.start(["watch", "--exec", "echo $PATH_STATUS/$PATH_REASON/$PATH_CHANGED"])
    _ = try await watch.output.wait(lines: 1)
    try await path.become(satisfied: false)
    _ = try await watch.output.wait(lines: 2)
    try await path.become(satisfied: true)
    #expect(
      try await watch.output.wait(lines: 3) == ["satisfied//", "unsatisfied/noRoute/status", "satisfied//status"])
    watch.send(SIGTERM)
    #expect(try await watch.waitForExit() == 143)
    #expect(watch.output.lines.count == 3)
    #expect(watch.complaints.lines.isEmpty)
  }

  @Test func `the command has all variables, its own group, and nothing to read`() async throws {
    let path = try await ScriptedPath()
    let watch = try path.start(
      [
        "watch", "--exec",
        "env | grep ^PATH_ | grep -v ^PATH_FORMER_ | sort; cat; cut -d' ' -f1,5 /proc/self/stat; echo end",
      ],
      environment: ["PATH_DNS": "of old", "PATHOLOGY": "kept"])
    let lines = try await watch.output.wait(for: "its end") { $0.last == "end" ? $0 : nil }
    #expect(
      lines.compactMap { $0.hasPrefix("PATH_") ? $0.split(separator: "=").first.map(String.init) : nil } == [
        "PATH_ADVICE", "PATH_CHANGED", "PATH_CONSTRAINED", "PATH_DIAGNOSIS", "PATH_DNS", "PATH_EXPENSIVE",
        "PATH_INTERFACE", "PATH_IPV4", "PATH_IPV6", "PATH_JSON", "PATH_KNOWLEDGE", "PATH_MOVED", "PATH_REASON",
        "PATH_STATUS", "PATH_TUNNEL", "PATH_TYPE", "PATH_VALIDATION",
      ])
    #expect(lines.contains("PATH_DNS=false"))
    let json = try #require(lines.first { $0.hasPrefix("PATH_JSON=") }).dropFirst("PATH_JSON=".count)
    #expect(try JSONValue(parsing: Array(json.utf8)).objectValue?["status"]?.stringValue == "satisfied")
    watch.send(SIGINT)
    #expect(try await watch.waitForExit() == 130)
  }

  @Test func `it runs once at a time, and then for the newest of the updates that came meanwhile`() async throws {
    let path = try await ScriptedPath()
    let gate = try await Gate(in: path.directory)
    let watch = try path.start(
      ["watch", "--json", "--exec", "echo begin $PATH_STATUS $PATH_CHANGED; \(gate.pass); echo end"])
    try await watch.output.wait(lineWith: "begin satisfied")
    for isSatisfied in [false, true, false] { try await path.become(satisfied: isSatisfied) }
    // With --json each update is printed as well, when it comes.
    _ = try await watch.output.wait(for: "4 updates") { $0.count { $0.hasPrefix("{") } == 4 ? true : nil }
    try await gate.open()
    try await watch.output.wait(lineWith: "begin unsatisfied status")
    try await gate.endAfterSecondRun(of: watch)
    #expect(
      watch.output.lines.filter { !$0.hasPrefix("{") } == [
        "begin satisfied", "end", "begin unsatisfied status", "end",
      ])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal goes to the running command, and the end waits for it`(signal: Int32) async throws {
    let path = try await ScriptedPath()
    let watch = try path.start([
      "watch", "--exec",
      "trap 'sleep 0.1; echo bye; exit' INT TERM HUP; echo pid $$; while :; do sleep 0.02; done",
    ])
    let group = try await watch.output.number(after: "pid")
    watch.send(signal)
    #expect(try await watch.waitForExit() == 128 + signal)
    #expect(watch.output.lines.last == "bye")
    #expect(ProcessTable.isEmpty(group: group))
  }

  @Test func `a command that fails or stays in the background does not end the watch`() async throws {
    let path = try await ScriptedPath()
    let watch = try path.start(["watch", "--exec", "echo run; kill -9 $$"])
    _ = try await watch.output.wait(lines: 1)
    try await path.become(satisfied: false)
    _ = try await watch.output.wait(lines: 2)
    watch.send(SIGTERM)
    #expect(try await watch.waitForExit() == 143)
  }
}
