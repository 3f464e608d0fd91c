import ProcessTestSupport
import Testing

@Suite(
  "pathctl watch across restarts of the service",
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ReconnectionTests {
  @Test func `it connects again with one line, the path is stale meanwhile, and it ends on the true path`()
    async throws
  {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      var daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let watch = try daemon.start("watch", "--json")
      let waiting = try daemon.start("wait", "offline")
      _ = try await watch.output.wait(lines: 1)
      try await daemon.waitForSubscribers(2)
      try await daemon.program.killAndWait()
      let stale = try await watch.output.wait(lines: 2)[1]
      #expect(stale.contains(#""knowledge":"stale""#) && stale.contains(#""changed":["knowledge"]"#))
      #expect(stale.contains(#""status":"satisfied""#), "our own failure is never offline")
      #expect(
        watch.complaints.lines
          == ["pathctl: \(directory("socket")) has ended the connection: Connection reset by peer; connecting again"])
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await watch.output.wait(lines: 3)[2].contains(#""knowledge":"known""#))

      // The service also ends in the ordinary way. An unchanged path is not delivered twice.
      try await daemon.waitForSubscribers(2)
      try await daemon.stop()
      for program in [watch, waiting] { _ = try await program.complaints.wait(lines: 2) }
      daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      try await daemon.waitForSubscribers(2)
      try await network.ip("route delete default")
      try await watch.output.wait(lineWith: #""status":"unsatisfied""#)
      #expect(try await waiting.waitForExit() == 0)
      #expect(PathLines.repetitions(in: watch.output.lines) == 0)
      #expect(watch.complaints.lines.count == 2)
      try await daemon.stop()
    }
  }
}
