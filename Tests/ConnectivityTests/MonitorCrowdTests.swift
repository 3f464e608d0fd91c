import Foundation
import ProcessTestSupport
import Testing

/// Two hundred monitors of a process while its cable is pulled again and again and the service is killed under them.
@Suite(
  "Many monitors of a service that comes and goes", .timeLimit(.minutes(5)),
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct MonitorCrowdTests {
  @Test func `all end on the true path, and leave no thread and no descriptor behind`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let directory = try ScratchDirectory()
      let socket = directory("socket")
      var daemon = try await TestDaemon(socket: socket, namespace: network.near)
      try await RunningProgram.succeed(["mkfifo", directory("words")])
      let words = try #require(FileHandle(forUpdatingAtPath: directory("words")))
      let program = try RunningProgram(
        [
          "sh", "-c", "exec \"$0\" monitors 200 \"$1\" < \"$2\"", RunningProgram.built("monitor-load"), socket,
          directory("words"),
        ], namespace: network.near)
      _ = try await program.output.wait(lineWith: "started", within: .seconds(60))
      for round in 1...8 {
        async let flapping: Void = flap(network)
        try await daemon.program.killAndWait()
        daemon = try await TestDaemon(socket: socket, namespace: network.near)
        try await flapping
        // Every other time the service is killed while all are on the true path, else while they are on their way.
        for (state, word) in [("down", "offline"), ("up", "connected")].prefix(round % 2 == 0 ? 2 : 0) {
          try await network.ipFar("link set eth0 \(state)")
          try words.write(contentsOf: Data("\(word) \(round)\n".utf8))
          _ = try await program.output.wait(lineWith: "\(word) \(round)", within: .seconds(60))
        }
      }
      try words.close()
      let status = try await program.waitForExit(within: .seconds(60))
      #expect(status == 0, "\(program.output.text)\(program.complaints.text)")
      try await daemon.stop()
    }
  }

  /// Pulls the cable at its far end, and puts it back: the near end loses its carrier and keeps its routes.
  private func flap(_ network: TestNetwork) async throws {
    for _ in 0..<20 { for state in ["down", "up"] { try await network.ipFar("link set eth0 \(state)") } }
  }
}
