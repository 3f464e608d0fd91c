import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl run: loss and return")
struct RunLossTests {
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
      let watch = try daemon.start("watch", "--json")
      _ = try await watch.output.wait(lines: 1)
      try await daemon.program.killAndWait()
      _ = try await run.complaints.wait(lineWith: "connecting again")
      // The path is stale after 2 s: a watch beside it shows when.
      try await watch.output.wait(lineWith: #""knowledge":"stale""#)
      #expect(!ProcessTable.isEmpty(group: first))
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      try await daemon.waitForSubscribers(2)
      try await network.ip("route delete default")
      let complaint = "the command is ended, as the path is not 'connected' any more but offline: uplink0 has "
      _ = try await run.complaints.wait(lineWith: complaint)
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
  func `the kernel's own path is enough, and pause stops the group of the command and continues it`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let run = try RunningProgram(
        [
          RunningProgram.pathctl, "run", "unmetered", "--direct", "--on-loss", "pause", "--", "sh", "-c",
          "echo pid $$; sh -c 'echo child $$; exec sleep 1000' | cat",
        ],
        namespace: network.near)
      let group = try await run.output.number(after: "pid")
      let child = try await run.output.number(after: "child")
      for _ in 0..<2 {
        try await network.ip("route delete default")
        for process in [group, child] { try await ProcessTable.wait(for: "T", of: process) }
        try await network.ip("route add default via 192.0.2.1 metric 100")
        for process in [group, child] { try await ProcessTable.wait(for: "S", of: process) }
      }
      let complaints = run.complaints.lines
      #expect(complaints.count { $0.hasPrefix("pathctl: the command is paused, as the path is not 'unmetered'") } == 2)
      run.send(SIGTERM)
      #expect(try await run.waitForExit() == 143)
      #expect(ProcessTable.isEmpty(group: group))
    }
  }

  @Test func `a service that declines later leaves a running command alone`() async throws {
    let path = #"{"status": "satisfied", "knowledge": "known", "interfaces": []}"#
    let service = try await ScriptedService([
      #"[{"continues": true, "parameters": {"path": \#(path)}}, {"error": "io.example.Over"}]"#
    ])
    let run = try service.start(["run", "connected", "--", "sh", "-c", "sleep 0.3; exit 12"])
    #expect(try await run.waitForExit() == 12)
    #expect(run.complaints.lines == ["pathctl: the service answers with the error io.example.Over."])
  }
}
