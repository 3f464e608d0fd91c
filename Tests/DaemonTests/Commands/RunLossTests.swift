import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl run: loss and return")
struct RunLossTests {
  @Test func `stop ends the command and starts it again when the path is back`() async throws {
    let path = try await ScriptedPath()
    let run = try path.run(script: "echo pid $$; sleep 1000 | cat")
    let first = try await run.output.number(after: "pid")
    try await path.become(satisfied: false)
    let received = try await run.complaints.wait(lines: 1)[0]
    #expect(
      received.hasPrefix("pathctl: the command is ended, as the path is not 'connected' any more but offline: no route")
    )
    try await path.become(satisfied: true)
    let second = try await run.output.number(after: "pid", skipping: 1)
    #expect(ProcessTable.isEmpty(group: first))
    #expect(!ProcessTable.isEmpty(group: second))
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
    #expect(ProcessTable.isEmpty(group: second))
    #expect(run.complaints.lines.count == 1)
  }

  @Test func `pause stops the whole group, and continues it where it was`() async throws {
    let path = try await ScriptedPath()
    let run = try path.run(
      "--on-loss", "pause", script: "echo pid $$; sh -c 'echo child $$; exec sleep 1000' | cat")
    let group = try await run.output.number(after: "pid")
    let child = try await run.output.number(after: "child")
    for _ in 0..<3 {
      try await path.become(satisfied: false)
      for process in [group, child] { try await ProcessTable.wait(for: "T", of: process) }
      try await path.become(satisfied: true)
      for process in [group, child] { try await ProcessTable.wait(for: "RS", of: process) }
    }
    let complaints = try await run.complaints.wait(lines: 3)
    #expect(complaints.count == 3)
    #expect(
      complaints[0].hasPrefix("pathctl: the command is paused, as the path is not 'connected' any more"))
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
    #expect(ProcessTable.isEmpty(group: group))
    #expect(run.output.lines.count(where: { $0.hasPrefix("pid") }) == 1)
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `a service that is killed and comes back is no loss, a lost route is`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      var daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let run = try RunningProgram(
        [
          RunningProgram.pathctl, "run", "connected", "--socket", daemon.socket, "--", "sh", "-c",
          "echo pid $$; exec sleep 1000",
        ])
      let first = try await run.output.number(after: "pid")
      try await daemon.program.killAndWait()
      _ = try await run.complaints.wait(lineWith: "connecting again")
      // Longer than the time after which a path becomes stale, which is not reported here.
      try await Task.sleep(for: .milliseconds(2_500))
      #expect(!ProcessTable.isEmpty(group: first))
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      try await daemon.waitForSubscribers(1)
      try await network.ip("route delete default")
      _ = try await run.complaints.wait(lineWith: "the command is ended")
      try await network.ip("route add default via 192.0.2.1 metric 100")
      let second = try await run.output.number(after: "pid", skipping: 1)
      #expect(ProcessTable.isEmpty(group: first))
      #expect(run.complaints.lines.count == 2)
      try await ProcessTable.wait(forProgram: "sleep", as: second)
      run.send(SIGINT)
      #expect(try await run.waitForExit() == 130)
      #expect(ProcessTable.isEmpty(group: second))
      try await daemon.stop()
    }
  }

  @Test(.enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
  func `the kernel's own path is enough`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let run = try RunningProgram(
        [
          RunningProgram.pathctl, "run", "unmetered", "--direct", "--on-loss", "pause", "--", "sh", "-c",
          "echo pid $$; exec sleep 1000",
        ],
        namespace: network.near)
      let group = try await run.output.number(after: "pid")
      try await network.ip("route delete default")
      try await ProcessTable.wait(for: "T", of: group)
      try await network.ip("route add default via 192.0.2.1 metric 100")
      try await ProcessTable.wait(for: "S", of: group)
      run.send(SIGTERM)
      #expect(try await run.waitForExit() == 143)
      #expect(ProcessTable.isEmpty(group: group))
    }
  }

  @Test func `a service that declines later leaves a running command alone`() async throws {
    let directory = try ScratchDirectory()
    let path = #"{"status": "satisfied", "knowledge": "known", "interfaces": []}"#
    let service = try Python.service(
      at: directory("socket"),
      [#"[{"continues": true, "parameters": {"path": \#(path)}}, {"error": "io.example.Over"}]"#])
    _ = try await service.output.wait(lines: 1)
    let run = try RunningProgram([
      RunningProgram.pathctl, "run", "connected", "--socket", directory("socket"), "--", "sh", "-c",
      "sleep 0.3; exit 12",
    ])
    #expect(try await run.waitForExit() == 12)
    #expect(run.complaints.lines == ["pathctl: the service answers with the error io.example.Over."])
    service.kill()
  }
}
