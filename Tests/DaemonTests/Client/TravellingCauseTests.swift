import Glibc
import PathModel
import ProcessTestSupport
import Testing

@Suite("The cause in each update")
struct TravellingCauseTests {
  private static let sentence =
    "uplink0, the only interface, has no carrier: a cable is out, or the port at the other end is off"

  @Test func `every answer and update about a pulled cable names its interface`() async throws {
    try await TestNetwork.withService { daemon, network in
      let watch = try daemon.start("watch", "--json")
      _ = try await watch.output.wait(lines: 1)
      let bar = try daemon.start("watch", "--format", "{diagnosis}|{advice}|{brief}")
      #expect(try await bar.output.wait(lines: 1).first == "||connected over uplink0")
      let waybar = try daemon.start("watch", "--format", "waybar")
      let lines = try daemon.start("watch")
      let hook = try daemon.start("watch", "--exec", "echo \"$PATH_DIAGNOSIS|$PATH_ADVICE|$PATH_JSON\"")
      for program in [waybar, lines, hook] { _ = try await program.output.wait(lines: 1) }
      try await network.ipFar("link set uplink0 down")
      let update = try await watch.output.wait(lines: 2)[1]
      let object = try #require(try JSONValue(parsing: Array(update.utf8)).objectValue)
      #expect(object["diagnosis"]?["code"] == "noCarrier" && object["diagnosis"]?["subject"] == "uplink0")
      #expect(object["diagnosis"]?["sentence"]?.stringValue == Self.sentence)
      let words = try await bar.output.wait(lines: 2)[1]
      #expect(words.hasPrefix("\(Self.sentence)|Is the other end of the pair up"))
      #expect(words.hasSuffix("|offline: \(Self.sentence)"))
      #expect(try await waybar.output.wait(lines: 2)[1].contains(#""tooltip":"offline: uplink0, the only"#))
      #expect(try await lines.output.wait(lines: 2)[1].hasSuffix("offline: \(Self.sentence)"))
      let ran = try await hook.output.wait(lines: 2)[1]
      #expect(ran.hasPrefix("\(Self.sentence)|Is the other end of the pair up"))
      #expect(ran.contains(#""diagnosis":{"code":"noCarrier","subject":"uplink0","#))
      for words in [["wait", "connected", "--timeout", "0"], ["run", "--timeout", "0", "connected", "--", "true"]] {
        let place = words.firstIndex(of: "--") ?? words.endIndex
        let line = words[..<place] + ["--socket", daemon.socket] + words[place...]
        let late = try await RunningProgram.run([RunningProgram.pathctl] + line)
        #expect(late.status == 124 && late.complaints.contains("offline: \(Self.sentence)"), "\(words)")
      }
      #expect(try await daemon.pathctl("status", "--field", "diagnosis").output == "\(Self.sentence)\n")
    }
  }

  @Test func `a cause that changes while all else stays is an update, and another one is none`() async throws {
    try await TestNetwork.withService { daemon, network in
      let watch = try daemon.start("watch", "--json")
      _ = try await watch.output.wait(lines: 1)
      try await network.ip("rule del priority 32766")
      let first = try Self.update(try await watch.output.wait(lines: 2)[1])
      #expect(first.code == "noRuleForMainTable")
      // The kernel answers as before: no rule leads to the table from which the route goes.
      try await network.ip("route delete default")
      let second = try Self.update(try await watch.output.wait(lines: 3)[2])
      #expect(second.code == "noDefaultRoute" && second.changed == ["diagnosis"])
      // Without --json the line says so, too.
      let status = try await daemon.pathctl("status", "--json")
      #expect(try Self.update(status.output).code == second.code)
    }
  }

  @Test func `an override is the cause of the path that it takes away`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let watch = try daemon.start("watch", "--json")
      _ = try await watch.output.wait(lines: 1)
      let override = try await daemon.pathctl(
        "override", "set", "status", "unsatisfied", "--interface", "uplink0", "--why", "maintenance")
      #expect(override.status == 0, "\(override.complaints)")
      let update = try await watch.output.wait(lines: 2)[1]
      let object = try #require(try JSONValue(parsing: Array(update.utf8)).objectValue)
      #expect(object["diagnosis"]?["code"] == "overridden" && object["diagnosis"]?["subject"] == "uplink0")
      #expect(object["diagnosis"]?["sentence"]?.stringValue?.contains("maintenance") == true)
    }
  }

  private static func update(_ line: String) throws -> (code: String?, changed: [String]) {
    let object = try #require(try JSONValue(parsing: Array(line.utf8)).objectValue)
    let changed = object["changed"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return (object["diagnosis"]?["code"]?.stringValue, changed)
  }
}
