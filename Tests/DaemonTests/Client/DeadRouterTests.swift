import ProcessTestSupport
import Testing

/// A router that dies behind a living cable, as the programs show it.
@Suite("A dead router", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct DeadRouterTests {
  @Test func `a router that has stopped answering is in every answer, and the path stays satisfied`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      try await network.ipFar("address add 192.0.2.1/24 dev eth0")
      // The kernel gives a router up within about 2 s of traffic.
      try await RunningProgram.succeed(
        ["ip", "netns", "exec", network.near, "sysctl", "-qw"]
          + ["base_reachable_time_ms=500", "delay_first_probe_time=1", "retrans_time_ms=100"].map {
            "net.ipv4.neigh.eth0.\($0)"
          })
      let daemon = try await TestDaemon(namespace: network.near)
      let watcher = try daemon.start("watch", "--json", "--settle", "0")
      let lines = try daemon.start("watch", "--settle", "0")
      let traffic = try RunningProgram([
        "ip", "netns", "exec", network.near, "sh", "-c",
        "while :; do bash -c 'echo >/dev/udp/192.0.2.1/9'; sleep 0.05; done 2>/dev/null",
      ])
      // The daemon begins to follow the router after a second.
      _ = try await watcher.output.wait(lines: 1)
      try await Self.wait(daemon, until: "the router 192.0.2.1 has answered")
      try await network.ipFar("address delete 192.0.2.1/24 dev eth0")
      try await Self.last(watcher, is: "unanswered")
      #expect(watcher.output.lines.last?.contains(#""status":"satisfied""#) == true)
      #expect(watcher.output.lines.last?.contains(#""changed":["diagnosis","validation"]"#) == true)
      let status = try await daemon.pathctl("status")
      #expect(status.status == 0)
      #expect(status.output.contains("but the router 192.0.2.1 does not answer (neighbour entry FAILED)"))
      #expect(
        try await daemon.pathctl("explain").output
          .contains("  * unanswered  router  the router 192.0.2.1 does not answer any more, "))
      #expect(try await daemon.pathctl("check", "connected").status == 0)
      #expect(try await daemon.pathctl("check", "validated").status == 1)
      #expect(try await daemon.pathctl("check", "not-portal").status == 0)
      #expect(try await daemon.pathctl("status", "--field", "validation").output == "unanswered\n")
      try await network.ipFar("address add 192.0.2.1/24 dev eth0")
      try await Self.last(watcher, is: "unknown")
      _ = try await lines.output.wait(lines: 3)
      #expect(lines.output.lines[1].hasSuffix("connected over eth0 (wired Ethernet) via 192.0.2.1, unanswered"))
      traffic.kill()
      try await daemon.program.expectSleep(for: .seconds(2))
      try await daemon.stop()
    }
  }

  /// Waits until the last path has the state.
  private static func last(_ watcher: RunningProgram, is state: String) async throws {
    _ = try await watcher.output.wait(for: state) { lines in
      lines.last.flatMap { $0.contains(#""state":"\#(state)""#) ? true : nil }
    }
  }

  /// Waits until an explanation has the words.
  private static func wait(_ daemon: TestDaemon, until words: String) async throws {
    for _ in 0..<200 {
      if try await daemon.pathctl("explain").output.contains(words) { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw NothingCame(description: "waited in vain until \(words)")
  }
}
