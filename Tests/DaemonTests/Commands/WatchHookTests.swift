import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl watch --exec")
struct WatchHookTests {
  @Test func `the command is run for the path as it is and for each update, also if it fails, and alone is shown`()
    async throws
  {
    let path = try await ScriptedPath()
    // The service names a change, which this program has not seen.
    try await path.become(satisfied: true)
    let watch = try path.start(["watch", "--exec", "echo $PATH_STATUS/$PATH_REASON/$PATH_CHANGED; kill -9 $$"])
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

  @Test func `the command has all variables and its own group, and nothing to read`() async throws {
    let path = try await ScriptedPath()
    let script = "env | grep ^PATH | sort | grep -v FORMER; cat; cut -d' ' -f1,5 /proc/self/stat; echo pid $$"
    let watch = try path.start(
      ["watch", "--exec", script], environment: ["PATH_DNS": "of old", "PATHOLOGY": "kept"])
    let group = try await watch.output.number(after: "pid")
    let lines = watch.output.lines
    for line in ["PATH_DNS=false", "PATHOLOGY=kept", "PATH_STATUS=satisfied"] { #expect(lines.contains(line)) }
    #expect(lines.contains { $0.hasPrefix(#"PATH_JSON={"status":"satisfied""#) })
    #expect(lines.suffix(2).first?.hasSuffix(" \(group)") == true, "\(lines)")
    watch.send(SIGINT)
    #expect(try await watch.waitForExit() == 130)
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
}
