import PathModel
import ProcessTestSupport
import Testing

/// The client runs outside of the daemon's namespace: all that it prints about `uplink0` comes from the daemon.
@Suite(
  "pathctl with the service", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ServedVerbsTests {
  private static func object(_ text: String) throws -> JSONValue {
    #expect(text.isOneLine)
    return try JSONValue(parsing: Array(text.utf8))
  }

  @Test func `each verb that answers once is answered by the service, also where the environment names it`()
    async throws
  {
    try await TestNetwork.withService { daemon, _ in
      for verb in ["status", "explain", "interfaces", "route 192.0.2.9", ""] {
        let words = verb.split(separator: " ").map(String.init)
        let named = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", daemon.socket])
        for outcome in [named, try await daemon.pathctl(line: verb)] {
          #expect(outcome.status == 0 && outcome.complaints.isEmpty, "\(verb)")
          #expect(outcome.output.contains("uplink0"), "\(verb)")
        }
      }
      let health = try await daemon.pathctl(line: "health")
      #expect(health.status == 0 && health.complaints.isEmpty)
      #expect(health.output.hasPrefix("version") && health.output.contains("uptime"))
      #expect(health.output.contains("subscribers") && health.output.contains(" MiB\n"))
    }
  }

  @Test func `JSON is one object on one line`() async throws {
    try await TestNetwork.withService { daemon, _ in
      func answer(_ line: String) async throws -> JSONValue {
        try Self.object(try await daemon.pathctl(line: "\(line) --json").output)
      }
      #expect(try await answer("status")["interfaceType"] == "wiredEthernet")
      let explained = try await answer("explain")
      #expect(explained["path"]?["status"] == "satisfied")
      #expect(explained["steps"]?.arrayValue?.first == "answered by the service")
      #expect(try await answer("interfaces")["interfaces"]?.arrayValue?.first?["name"] == "uplink0")
      #expect(try await answer("route 192.0.2.9")["interfaces"]?.arrayValue?.count == 1)
      let health = try await answer("health")
      #expect(health["version"]?.stringValue?.isEmpty == false && health["notes"]?.arrayValue != nil)
      #expect(health["health"]?["memoryBytes"]?.integerValue ?? 0 > 0)
    }
  }

  @Test(
    arguments: [
      ("satisfied", ["carries the traffic", "usable when bound to"]),
      ("unsatisfied", ["usable when bound to", "usable when bound to"]),
    ] as [(String, [String])])
  func `only the first interface of a connected path carries the traffic`(status: String, uses: [String]) async throws {
    let list = #"[{"name": "x0", "index": 7, "type": "wifi"}, {"name": "x1", "index": 8, "type": "wifi"}]"#
    let path = #"{"status": "\#(status)", "knowledge": "known", "interfaces": \#(list)}"#
    let service = try await ScriptedService([#"{"parameters": {"path": \#(path), "interfaces": \#(list)}}"#])
    let lines = try await service.pathctl("interfaces").output.split(separator: "\n").dropFirst()
    #expect(lines.count == 2 && zip(lines, uses).allSatisfy { $0.contains($1) }, "\(lines)")
  }

  @Test func `check and its condition answer by the exit status`() async throws {
    try await TestNetwork.withService { daemon, _ in
      for (words, plain, condition) in [
        ("via=uplink0", 0, 0), ("wifi", 1, 1), ("wfi", 64, 255), ("", 64, 255), ("wifi ipv4", 64, 255),
        ("wifi --jsno", 64, 255), ("wifi --probe", 64, 255),
      ] as [(String, Int32, Int32)] {
        let outcome = try await daemon.pathctl(line: "check \(words)")
        #expect(outcome.status == plain && outcome.output.isEmpty, "\(words)")
        #expect(outcome.complaints.isEmpty == (plain != 64), "\(words): \(outcome.complaints)")
        #expect(try await daemon.pathctl(line: "check --condition \(words)").status == condition, "\(words)")
      }
    }
  }

  @Test func `wait ends when the path is as required, or with 124 after its timeout`() async throws {
    try await TestNetwork.withService { daemon, network in
      let late = try await daemon.pathctl(line: "wait offline --timeout 200ms --json")
      #expect(late.status == 124)
      #expect(late.complaints.hasPrefix("pathctl: the path has not become 'offline' in time: connected over uplink0"))
      #expect(try Self.object(late.output)["status"] == "satisfied")
      let waiting = try daemon.start("wait", "offline", "--json")
      try await daemon.waitForSubscribers(1)
      try await network.ip("route delete default")
      #expect(try await waiting.waitForExit() == 0)
      #expect(try Self.object(waiting.output.text)["status"] == "unsatisfied")
    }
  }
}
