import Foundation
import Glibc
import PathModel
import ProcessTestSupport
import Testing

@Suite(
  "pathctl override", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct OverrideVerbTests {
  @Test func `an override is in the path, in the list and on the first line of status, until it is cleared`()
    async throws
  {
    try await TestNetwork.withService { daemon, _ in
      let set = try await daemon.pathctl(
        "override", "set", "isExpensive", "true", "--why", "roaming", "--interface", "uplink0", "--for", "2h")
      #expect(set.status == 0)
      #expect(set.output.isEmpty && set.complaints.isEmpty)
      #expect(try await daemon.pathctl("check", "unmetered").status == 1)
      let list = try await daemon.pathctl("override", "list")
      #expect(list.status == 0)
      #expect(list.output.hasPrefix(#"metered on uplink0, set by root ("roaming")"#), "\(list.output)")
      let json = try await daemon.pathctl("override", "list", "--json")
      let object = try #require(try JSONValue(parsing: Array(json.output.utf8)).objectValue)
      #expect(object["overrides"]?.arrayValue?.count == 1)
      let status = try await daemon.pathctl("status")
      #expect(status.output.split(separator: "\n").first?.contains("overrid") == true, "\(status.output)")
      #expect(try await daemon.pathctl("override", "clear", "isExpensive").status == 0)
      #expect(try await daemon.pathctl("override", "list").output == "nothing is overridden\n")
      #expect(try await daemon.pathctl("check", "unmetered").status == 0)
    }
  }

  @Test func `overrides survive a killed daemon, and --direct applies them`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      let daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await daemon.pathctl("override", "set", "status", "unsatisfied").status == 0)
      try await daemon.program.killAndWait()
      try await daemon.program.waitForExit()
      let direct = try await daemon.pathctl("status", "--direct", namespace: network.near)
      #expect(direct.status == 1)
      let successor = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await successor.pathctl("status").status == 1)
      try await successor.stop()
    }
  }

  @Test func `a value that the service refuses is one line and 64 as well`() async throws {
    try await TestNetwork.withService { daemon, _ in
      let table = [
        (["set", "isFast", "true"], "isFast"), (["set", "isExpensive", "maybe"], "maybe"),
        (["set", "status", "satisfied"], "satisfied"), (["clear", "isFast"], "isFast"),
        (["set", "isExpensive", "true", "--interface", "eth77"], "there is no interface 'eth77'"),
        (["set", "isExpensive", "true", "--why", String(repeating: "w", count: 300)], "longer than 256 bytes"),
      ]
      for (words, message) in table {
        let outcome = try await RunningProgram.run(
          [RunningProgram.pathctl, "override"] + words + ["--socket", daemon.socket])
        #expect(outcome.status == 64, "\(words)")
        #expect(outcome.complaints.contains(message), "\(outcome.complaints)")
        #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
      }
      #expect(try await daemon.pathctl("override", "list").output == "nothing is overridden\n")
    }
  }
}
