import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

@Suite(
  "Faults around pathmonitord", .serialized,
  .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct FaultTests {
  /// The fields under test of the path with which a new `pathctl watch --direct` begins.
  private static func truth(in network: TestNetwork) async throws -> String {
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl, "watch", "--direct", "--json", "--count", "1"], namespace: network.near)
    return PathLines.essence(String(outcome.output.dropLast()))
  }

  private static func waitForTruth(_ watchers: [RunningProgram], in network: TestNetwork) async throws {
    let truth = try await truth(in: network)
    for watcher in watchers {
      _ = try await watcher.output.wait(for: "the true path \(truth)", within: .seconds(20)) { lines in
        lines.last.map(PathLines.essence) == truth ? true : nil
      }
    }
  }

  @Test func `a hundred subscribers find the killed daemon's successor, and end on the true path`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      var daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let watchers = try (0..<100).map { _ in try daemon.start("watch", "--json") }
      for watcher in watchers { _ = try await watcher.output.wait(lines: 1, within: .seconds(30)) }
      for round in 1...2 {
        daemon.program.kill()
        try await daemon.program.waitForExit()
        for watcher in watchers { _ = try await watcher.complaints.wait(lines: round, within: .seconds(20)) }
        try await network.ip(round == 1 ? "route delete default" : "route add default via 192.0.2.1 metric 100")
        daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
        try await Self.waitForTruth(watchers, in: network)
      }
      try await daemon.waitForSubscribers(100)
      for watcher in watchers {
        #expect(watcher.complaints.lines.count == 2)
        #expect(PathLines.repetitions(in: watcher.output.lines) == 0)
      }
      for watcher in watchers { watcher.kill() }
      try await daemon.stop()
    }
  }

  @Test func `a watch that the service answers holds no inotify instance, of which a user has few`() async throws {
    try await TestNetwork.with { network in
      try await network.connect()
      let directory = try ScratchDirectory()
      let daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      let watcher = try daemon.start("watch", "--json")
      _ = try await watcher.output.wait(lines: 1)
      #expect(try watcher.inotifyInstances() == 0)
      try await daemon.program.killAndWait()
      _ = try await watcher.complaints.wait(lines: 1)
      #expect(try watcher.inotifyInstances() == 1)
      try await network.ip("route delete default")
      let successor = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      _ = try await watcher.output.wait(lines: 2)
      #expect(try watcher.inotifyInstances() == 0)
      watcher.kill()
      try await successor.stop()
    }
  }

  @Test func `clients beyond the limit of descriptors get an error, and the daemon recovers`() async throws {
    let directory = try ScratchDirectory()
    let daemon = try RunningProgram.service(at: directory("socket"), descriptors: 40)
    _ = try await daemon.complaints.wait(lines: 1)
    let outcome = try await Python.run(
      """
      import json, socket, sys
      call = b'{"method":"io.pathmonitor.PathMonitor.GetPath"}\\0'
      def connect():
          s = socket.socket(1)
          s.settimeout(10)
          s.connect(sys.argv[1])
          return s
      def ask(s):
          s.sendall(call)
          return receive(s)
      def receive(s):
          reply = b""
          while not reply.endswith(b"\\0"):
              data = s.recv(65536)
              if not data: return None
              reply += data
          return json.loads(reply[:-1])
      served, refused = [], 0
      for _ in range(100):
          s = connect()
          try:
              reply = ask(s)
          except (BrokenPipeError, ConnectionResetError):
              reply = receive(s)
          if reply.get("error") is None:
              served.append(s)
          else:
              assert reply["error"] == "io.pathmonitor.PathMonitor.LimitReached", reply
              assert reply["parameters"]["limit"] == "descriptors", reply
              refused += 1
      print(len(served) > 10, refused > 40, len(served) + refused)
      # Those inside are still served.
      print(all("path" in ask(s)["parameters"] for s in served))
      inside = served.pop()
      for s in served: s.close()
      def connections():
          inside.sendall(b'{"method":"io.pathmonitor.PathMonitor.GetHealth"}\\0')
          return receive(inside)["parameters"]["health"]["connections"]
      while connections() > 1: pass
      later = [ask(connect()) for _ in range(20)]
      print([reply for reply in later if "path" not in reply["parameters"]])
      """, directory("socket"))
    #expect(outcome.output == "True True 100\nTrue\n[]\n", "\(outcome.complaints)")
    daemon.send(SIGTERM)
    #expect(try await daemon.waitForExit() == 0)
  }

  @Test func `after a flood of events that overruns the socket all subscribers end on the true path`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let daemon = try await TestDaemon(namespace: network.near)
      let watchers = try (0..<50).map { _ in try daemon.start("watch", "--json") }
      for watcher in watchers { _ = try await watcher.output.wait(lines: 1, within: .seconds(20)) }
      // The daemon is stopped while its socket overflows several times.
      daemon.program.send(SIGSTOP)
      var batch = (0..<2_500).flatMap { number in
        let address = "10.\(number / 250 % 250).\(number % 250).1/32"
        return ["address add \(address) dev lo", "link set uplink0 mtu \(1_300 + number % 100)"]
      }
      batch.append("route delete default")
      let directory = try ScratchDirectory()
      try directory.write("batch", batch.joined(separator: "\n") + "\n")
      let filling = try await RunningProgram.run(
        ["ip", "-n", network.near, "-batch", directory("batch")], within: .seconds(90))
      try #require(filling.status == 0, "\(filling.complaints)")
      daemon.program.send(SIGCONT)
      try await Self.waitForTruth(watchers, in: network)
      // Also while it is awake, with a flood under way.
      let flood = try RunningProgram([
        "bash", "-c", "for i in 1 2 3; do ip -n \"$0\" -force -batch \"$1\" 2>/dev/null; done; true", network.near,
        directory("batch"),
      ])
      try await network.ip("route replace default via 192.0.2.1 metric 100")
      try await flood.waitForExit(within: .seconds(90))
      try await Self.waitForTruth(watchers, in: network)
      for watcher in watchers { #expect(PathLines.repetitions(in: watcher.output.lines) == 0) }
      let health = try await daemon.pathctl("health", "--json")
      let object = try #require(try JSONValue(parsing: Array(health.output.utf8)).objectValue)
      #expect((object["health"]?.objectValue?["overruns"]?.integerValue ?? 0) >= 1)
      for watcher in watchers { watcher.kill() }
      try await daemon.stop()
    }
  }

  @Test func `clients that vanish, and incomplete calls, leave nothing behind`() async throws {
    let daemon = try await TestDaemon()
    let outcome = try await Python.run(
      """
      import json, os, random, socket, sys
      random.seed(7)
      watch = b'{"method":"io.pathmonitor.PathMonitor.WatchPath","more":true}\\0'
      def connect():
          s = socket.socket(1)
          s.connect(sys.argv[1])
          return s
      def health(s):
          s.sendall(b'{"method":"io.pathmonitor.PathMonitor.GetHealth"}\\0')
          reply = b""
          while not reply.endswith(b"\\0"): reply += s.recv(65536)
          return json.loads(reply[:-1])["parameters"]["health"]
      ours = connect()
      descriptors = lambda: len(os.listdir(f"/proc/{sys.argv[2]}/fd"))
      before = health(ours), descriptors()
      for _ in range(3000):
          s = connect()
          kind = random.randrange(6)
          if kind == 1: s.sendall(watch)
          if kind == 2: s.sendall(watch[:random.randrange(len(watch))])
          if kind == 3: s.sendall(watch * 5)
          if kind == 4: s.sendall(os.urandom(random.randrange(2000)))
          if kind == 5:
              s.sendall(watch)
              s.shutdown(socket.SHUT_WR)
          s.close()
      while True:
          after = health(ours)
          if after["connections"] == 1: break
      print(after["subscribers"] == before[0]["subscribers"], descriptors() == before[1])
      """, daemon.socket, "\(daemon.program.processIdentifier)")
    #expect(outcome.output == "True True\n", "\(outcome.complaints)")
    try await daemon.stop()
  }
}
