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
      let line = "override set expensive on --why roaming --interface uplink0 --for 2h"
      let set = try await daemon.pathctl(line: line)
      #expect(set.status == 0 && set.output.isEmpty && set.complaints.isEmpty)
      #expect(try await daemon.pathctl(line: "check unmetered").status == 1)
      #expect(try await daemon.pathctl(line: "status").output.prefix { $0 != "\n" }.contains("overrid"))
      let list = try await daemon.pathctl(line: "override list")
      let author = geteuid() == 0 ? "set by root" : "set by user \(geteuid())"
      #expect(list.output.hasPrefix(#"metered on uplink0, \#(author) ("roaming")"#), "\(list)")
      let json = try JSONValue(parsing: Array(try await daemon.pathctl(line: "override list --json").output.utf8))
      let override = try #require(json["overrides"]?.arrayValue?.first)
      #expect(override["field"] == "isExpensive" && override["value"] == "true")
      #expect(override["interface"] == "uplink0" && override["why"] == "roaming")
      #expect(override["user"]?.integerValue == Int64(geteuid()))
      #expect((1...7_200).contains(override["secondsLeft"]?.integerValue ?? 0))
      #expect(override["expiresBoottimeMicroseconds"]?.integerValue != nil)
      #expect(try await daemon.pathctl(line: "override clear --interface uplink0").status == 0)
      #expect(try await daemon.pathctl(line: "override set status offline").status == 0)
      #expect(try await daemon.pathctl(line: "override list").output == "offline, \(author)\n")
      for _ in 0..<2 { #expect(try await daemon.pathctl(line: "override clear").status == 0) }
      #expect(try await daemon.pathctl(line: "override list").output == "nothing is overridden\n")
    }
  }

  @Test func `a named override that is not there is not cleared silently`() async throws {
    try await TestNetwork.withService { daemon, _ in
      for (words, complaint) in [
        ("--interface eth9", "nothing is overridden on 'eth9'."), ("status", "status is not overridden."),
        ("isConstrained --interface uplink0", "isConstrained is not overridden on 'uplink0'."),
      ] {
        let outcome = try await daemon.pathctl(line: "override clear \(words)")
        #expect(outcome.status == 1, "\(words)")
        #expect(outcome.complaints == "pathctl: \(complaint) 'pathctl override list' shows what is.\n")
      }
    }
  }

  @Test func `overrides survive a killed daemon, and --direct applies them`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let directory = try ScratchDirectory()
      let daemon = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await daemon.pathctl(line: "override set status unsatisfied").status == 0)
      try await daemon.program.killAndWait()
      #expect(try await daemon.pathctl("status", "--direct", namespace: network.near).status == 1)
      let successor = try await TestDaemon(socket: directory("socket"), namespace: network.near)
      #expect(try await successor.pathctl(line: "status").status == 1)
      try await successor.stop()
    }
  }

  @Test func `a value that the service refuses is one line and 64 as well`() async throws {
    try await TestNetwork.withService { daemon, _ in
      for (words, message) in [
        ("set isExpensive maybe", "maybe"), ("clear isFast", "isFast"),
        ("set isExpensive true --interface eth77", "there is no interface 'eth77'"),
      ] {
        let outcome = try await daemon.pathctl(line: "override \(words)")
        #expect(outcome.status == 64, "\(words)")
        #expect(outcome.complaints.contains(message) && outcome.complaints.isOneLine, "\(outcome.complaints)")
      }
    }
  }
}
