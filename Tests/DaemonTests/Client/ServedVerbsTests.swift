import Glibc
import PathModel
import ProcessTestSupport
import Testing

/// The client runs outside of the daemon's namespace: all that it prints about `uplink0` comes from the daemon.
@Suite(
  "pathctl with the service", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ServedVerbsTests {
  private static func object(_ text: String) throws -> JSONObject {
    #expect(text.filter { $0 == "\n" }.count == 1)
    return try #require(try JSONValue(parsing: Array(text.utf8)).objectValue)
  }

  @Test func `each verb that answers once is answered by the service, also where the environment names it`()
    async throws
  {
    try await TestNetwork.withService { daemon, _ in
      for verb in ["status", "explain", "interfaces", "route 192.0.2.9", ""] {
        let words = verb.split(separator: " ").map(String.init)
        let named = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", daemon.socket])
        let found = try await RunningProgram.run(
          [RunningProgram.pathctl] + words, environment: ["PATHMONITOR_SOCKET": daemon.socket])
        for outcome in [named, found] {
          #expect(outcome.status == 0, "\(verb)")
          #expect(outcome.complaints.isEmpty, "\(verb)")
          #expect(outcome.output.contains("uplink0"), "\(verb)")
        }
      }
      let health = try await daemon.pathctl("health")
      #expect(health.status == 0)
      #expect(health.complaints.isEmpty)
      #expect(health.output.contains("subscribers"))
    }
  }

  @Test func `JSON is one object on one line`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let status = try Self.object(try await daemon.pathctl("status", "--json").output)
      #expect(status["status"]?.stringValue == "satisfied")
      #expect(status["interfaceType"]?.stringValue == "wiredEthernet")
      let explained = try Self.object(try await daemon.pathctl("explain", "--json").output)
      #expect(explained["path"]?.objectValue?["status"]?.stringValue == "satisfied")
      #expect(explained["steps"]?.arrayValue?.first?.stringValue == "answered by the service")
      let listed = try Self.object(try await daemon.pathctl("interfaces", "--json").output)
      #expect(listed["interfaces"]?.arrayValue?.first?.objectValue?["name"]?.stringValue == "uplink0")
      let route = try Self.object(try await daemon.pathctl("route", "192.0.2.9", "--json").output)
      #expect(route["interfaces"]?.arrayValue?.count == 1)
      let health = try Self.object(try await daemon.pathctl("health", "--json").output)
      // The connection of the verb before may not have ended yet.
      #expect((health["health"]?.objectValue?["connections"]?.integerValue ?? 0) >= 1)
      #expect(health["notes"]?.arrayValue != nil)
    }
  }

  @Test func `a change is in the answer at once`() async throws {
    try await TestNetwork.withService { daemon, network in
      for _ in 0..<5 {
        try await network.ip("route delete default")
        #expect(try await daemon.pathctl("status").status == 1)
        try await network.ip("route add default via 192.0.2.1 metric 100")
        #expect(try await daemon.pathctl("status").status == 0)
      }
    }
  }

  @Test func `check and its condition answer by the exit status`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let table: [(words: [String], plain: Int32, condition: Int32)] = [
        (["connected"], 0, 0), (["offline"], 1, 1), (["ethernet"], 0, 0), (["wifi"], 1, 1), (["not-wifi"], 0, 0),
        (["ipv4"], 0, 0), (["ipv6"], 1, 1), (["unmetered"], 0, 0), (["!unmetered"], 1, 1),
        (["interface=uplink0"], 0, 0), (["interface=eth7"], 1, 1), (["via=uplink0"], 0, 0), (["via=wifi"], 1, 1),
        (["type=ethernet,ipv4"], 0, 0), (["wfi"], 64, 255), ([""], 64, 255), ([], 64, 255),
        (["wifi", "ipv4"], 64, 255), (["wifi", "--jsno"], 64, 255), (["wifi", "--probe"], 64, 255),
      ]
      for (words, plain, condition) in table {
        let start = [RunningProgram.pathctl, "check", "--socket", daemon.socket]
        let outcome = try await RunningProgram.run(start + words)
        #expect(outcome.status == plain, "\(words)")
        #expect(outcome.output.isEmpty)
        let isNoSuchInterface = words == ["interface=eth7"]
        #expect(outcome.complaints.isEmpty == (plain != 64 && !isNoSuchInterface), "\(words): \(outcome.complaints)")
        let conditional = try await RunningProgram.run(start + ["--condition"] + words)
        #expect(conditional.status == condition, "\(words) as a condition")
      }
    }
  }

  @Test func `wait ends when the path is as required, or with 124 after its timeout`() async throws {
    try await TestNetwork.withService { daemon, network in
      #expect(try await daemon.pathctl("wait", "connected").status == 0)
      let late = try await daemon.pathctl("wait", "offline", "--timeout", "200ms", "--json")
      #expect(late.status == 124)
      #expect(late.complaints.hasPrefix("pathctl: the path has not become 'offline' in time: connected over uplink0"))
      #expect(try Self.object(late.output)["status"]?.stringValue == "satisfied")
      let waiting = try daemon.start("wait", "offline", "--json")
      try await daemon.waitForSubscribers(1)
      try await network.ip("route delete default")
      #expect(try await waiting.waitForExit() == 0)
      #expect(try Self.object(waiting.output.text)["status"]?.stringValue == "unsatisfied")
    }
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal ends wait with its number, quietly`(signal: Int32, status: Int32) async throws {
    try await TestNetwork.withService { daemon, _ in
      let waiting = try daemon.start("wait", "offline")
      try await daemon.waitForSubscribers(1)
      waiting.send(signal)
      #expect(try await waiting.waitForExit() == status)
      #expect(waiting.complaints.text.isEmpty)
    }
  }
}
