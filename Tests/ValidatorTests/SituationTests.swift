import Foundation
import PathModel
import ProcessTestSupport
import Testing

/// The validator as a service against real servers, a situation a row: what is published, and why.
@Suite("Situations with real servers", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct SituationTests {
  /// A state that is published, with the page for the sign-in.
  struct Verdict: Sendable {
    var states: [String]
    var portal: String?
    /// Texts that the observations have.
    var evidence: [String]

    static func state(_ states: String..., portal: String? = nil, evidence: [String] = []) -> Verdict {
      Verdict(states: states, portal: portal, evidence: evidence)
    }
  }

  /// A situation with its verdict.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var behaviours = LocalInternet.Behaviours()
    var every = 1
    var hasIPv6 = false
    var link = LocalInternet.Link.cable
    /// Whether the network announces an interface for the sign-in, and no host is configured.
    var isAnnounced: Bool { behaviours.announced != nil }
    let verdict: Verdict
    /// What comes afterwards, with its verdict.
    let after: (behaviours: LocalInternet.Behaviours, verdict: Verdict)?

    init(
      _ name: String, _ sites: [String: LocalInternet.Behaviour] = [:], names: [String: [String]] = [:],
      every: Int = 1, hasIPv6: Bool = false, link: LocalInternet.Link = .cable,
      announced: LocalInternet.Behaviour? = nil, is verdict: Verdict,
      then after: (behaviours: LocalInternet.Behaviours, verdict: Verdict)? = nil
    ) {
      testDescription = name
      behaviours = Self.behaviours(sites, names, announced)
      (self.every, self.hasIPv6, self.link, self.verdict, self.after) = (every, hasIPv6, link, verdict, after)
    }

    static func behaviours(
      _ sites: [String: LocalInternet.Behaviour], _ names: [String: [String]] = [:],
      _ announced: LocalInternet.Behaviour? = nil
    ) -> LocalInternet.Behaviours {
      let sites = sites.map { key, behaviour in
        (LocalInternet.Site(name: "\(key.prefix(1)).example", isSecure: key.hasSuffix("https")), behaviour)
      }
      return .init(sites: Dictionary(uniqueKeysWithValues: sites), names: names, announced: announced)
    }
  }

  static func all(
    http: LocalInternet.Behaviour = .right, https: LocalInternet.Behaviour = .right
  ) -> [String: LocalInternet.Behaviour] {
    ["a http": http, "b http": http, "a https": https, "b https": https]
  }
  private static let (silent, page) = (LocalInternet.silent, "http://a.example/204")
  private static let (right, signInPage) = (
    "http://a.example/204 by IPv4: the right answer", "https://portal.example/p"
  )

  static let rows = [
    Row("all answer", is: .state("validated", evidence: ["https://b.example/ok by IPv4: the right answer"])),
    Row(
      "a portal by redirect", all(http: .redirect, https: .nobody),
      is: .state("portal", portal: page, evidence: ["a redirect to 'http://portal.example/sign-in'"])),
    Row(
      "a portal by other content", all(http: .page, https: .certificate("other")),
      is: .state(
        "portal", portal: page,
        evidence: ["other content in place of the right answer (status 200)", "the certificate is not right"])),
    Row(
      "a portal by DNS to an address of the local network",
      names: ["a.example": [LocalInternet.local], "b.example": [LocalInternet.local]],
      is: .state("portal", portal: page, evidence: ["the name leads to the local address 192.168.77.1"])),
    Row(
      "a portal by the announced interface alone",
      announced: .captive(#"{"captive": true, "user-portal-url": "\#(signInPage)"}"#),
      is: .state("portal", portal: signInPage, evidence: ["the network wants a sign-in"])),
    Row(
      "a portal that lets a well-known host through", ["b http": .redirect, "b https": .nobody],
      is: .state(
        "partial", portal: "http://b.example/ok", evidence: [right, "http://b.example/ok by IPv4: a redirect"])
    ),
    Row(
      "a portal, and the sign-in", all(http: .redirect, https: .certificate("other")),
      is: .state("portal", portal: page), then: (Row.behaviours([:]), .state("validated", evidence: [right]))),
    Row(
      "the announced interface, and the sign-in", announced: .captive(#"{"captive": true}"#),
      is: .state("portal", portal: LocalInternet.interface),
      then: (
        Row.behaviours([:], [:], .captive(#"{"captive": false, "seconds-remaining": 60}"#)),
        .state("unknown", portal: LocalInternet.interface)
      )),
    Row(
      "one host blocked", names: ["b.example": ["0.0.0.0"]],
      is: .state("validated", evidence: ["the name leads to 0.0.0.0"])),
    Row(
      "a host that redirects to its own HTTPS",
      ["a http": .answer(302, headers: ["Location: https://a.example/204"])],
      is: .state("validated", evidence: ["http://a.example/204 by IPv4: a redirect to 'https://a.example/204'"])),
    Row(
      "a script in the page of one host by HTTP", ["b http": .answer(200, body: "ok\n<script></script>")],
      is: .state("validated", evidence: ["http://b.example/ok by IPv4: other content"])),
    Row(
      "one host blocked by the address of the machine", names: ["b.example": ["127.0.0.1"]],
      is: .state("validated", evidence: ["the name leads to 127.0.0.1"])),
    Row(
      "a blocked name that the search domain has",
      names: ["b.example": [], "b.example.\(LocalInternet.searched)": [LocalInternet.local]],
      is: .state("validated", evidence: ["http://b.example/ok by IPv4: the name has no address"])),
    Row(
      "one host without a name", names: ["b.example": []],
      is: .state("validated", evidence: ["the name has no address"])),
    Row(
      "both blocked", all(http: .nobody, https: .nobody),
      is: .state("partial", evidence: ["refused, reset or broken off"])),
    Row("HTTP only", all(https: .nobody), is: .state("partial", evidence: [right])),
    Row(
      "HTTPS only", all(http: .nobody), is: .state("validated", evidence: ["https://a.example/204 by IPv4: the right"])),
    Row(
      "an expired certificate", all(https: .certificate("expired")),
      is: .state("partial", evidence: ["certificate has expired"])),
    Row(
      "a wrong clock here", all(https: .certificate("future")),
      is: .state("partial", evidence: ["certificate is not yet valid", right])),
    Row(
      "a LAN without Internet", names: ["a.example": [silent], "b.example": [silent]],
      is: .state("unanswered", evidence: ["nothing came within the time"])),
    Row(
      "resets", all(http: .fault("reset"), https: .fault("reset")),
      is: .state("partial", evidence: ["refused, reset or broken off"])),
    Row(
      "servers in trouble", all(http: .answer(503), https: .answer(500)),
      is: .state("partial", evidence: ["an error (status 503)", "an error (status 500)"])),
    Row(
      "hosts that have moved, with their certificates", all(http: .answer(503), https: .redirect),
      is: .state("partial", evidence: ["a redirect to 'http://portal.example/sign-in'"])),
    Row(
      "IPv6 dead and IPv4 fine",
      names: ["a.example": ["203.0.113.1", "2001:db8:1::99"], "b.example": ["203.0.113.2", "2001:db8:1::99"]],
      hasIPv6: true, is: .state("partial", evidence: [right, "https://a.example/204 by IPv6: no connection"])),
    Row(
      "both families", hasIPv6: true,
      is: .state("validated", evidence: ["https://a.example/204 by IPv6: the right answer"])),
    Row(
      "hosts without an IPv6 address", names: ["a.example": ["203.0.113.1"], "b.example": ["203.0.113.2"]],
      hasIPv6: true, is: .state("validated", evidence: ["the name has no address of this family"])),
    Row(
      "the only host with an IPv6 address is dead by IPv6",
      names: ["a.example": ["203.0.113.1", "2001:db8:1::99"], "b.example": ["203.0.113.2"]], hasIPv6: true,
      is: .state("validated", evidence: ["https://b.example/ok by IPv6: the name has no address of this family"])),
    Row("a VPN over a portal", link: .tunnel, is: .state("unanswered", evidence: ["the name has no address"])),
    Row("DNS that answers every third query", every: 3, is: .state("validated", "partial")),
    Row(
      "a name server that answers nothing", every: 1_000_000,
      is: .state("unanswered", evidence: ["the name has no address"])),
  ]

  @Test("is published with its evidence, and changes no status", arguments: rows)
  func situation(_ row: Row) async throws {
    try await LocalInternet.with(
      row.behaviours, every: row.every, hasIPv6: row.hasIPv6, link: row.link,
      announced: row.isAnnounced ? LocalInternet.interface : nil
    ) { internet in
      let hosts = row.isAnnounced ? "[Validation]\nAlsoOver=container\n" : nil
      try internet.directory.write(
        "validation.conf", hosts ?? LocalInternet.configuration(alsoOver: "container tunnel"))
      let watcher = try internet.daemon.start("watch", "--json", "--settle", "0")
      _ = try await watcher.output.wait(lines: 1)
      let validator = try internet.startValidator()
      try await Self.check(row.verdict, watcher, after: 0)
      let count = watcher.output.lines.count
      if let (behaviours, verdict) = row.after {
        try internet.change(behaviours)
        try await Self.check(verdict, watcher, after: count)
      }
      // No verdict changes the status.
      for line in watcher.output.lines { #expect(line.contains(#""status":"satisfied""#)) }
      #expect(try await internet.daemon.pathctl("status").status == 0)
      // The sign-in page is on the local network, and nobody was asked there who was not announced.
      let isLedThere = row.isAnnounced || row.behaviours.names.values.contains([LocalInternet.local])
      #expect(isLedThere || !internet.requests.contains { $0.hasPrefix(LocalInternet.local) })
      #expect(internet.seen("refused").isEmpty)
      #expect(internet.seen("tunnelled").isEmpty == (row.link != .tunnel))
      // MemoryMax= of the unit is 64 MiB.
      let process = try String(contentsOfFile: "/proc/\(validator.processIdentifier)/status", encoding: .utf8)
      let peak = try #require(process.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(separator: " "))
      #expect(try #require(peak.compactMap { Int($0) }.first) < 65_536, "\(peak)")
      validator.kill()
    }
  }

  @Test(arguments: ["127.0.0.1", "0.0.0.0"])
  func `where all names are blocked, nothing is known, and each line says why`(_ address: String) async throws {
    try await LocalInternet.with(
      Row.behaviours([:], ["a.example": [address], "b.example": [address]])
    ) { internet in
      let outcome = try await internet.validateOnce()
      let lines = outcome.output.split(separator: "\n")
      #expect(outcome.status == 69 && lines.last == "unknown", "\(outcome)")
      #expect(lines.count { $0.contains("the name leads to \(address)") } >= 4, "\(outcome)")
    }
  }

  @Test(
    "a round does not wait for a silent server that cannot change its verdict",
    arguments: [
      ("portal", Self.all(http: .redirect, https: .fault("silence"))),
      ("validated", ["b http": .fault("silence"), "b https": .fault("silence")]),
    ])
  func silentServer(_ state: String, _ sites: [String: LocalInternet.Behaviour]) async throws {
    try await LocalInternet.with(Row.behaviours(sites)) { internet in
      let begin = ContinuousClock.now
      let outcome = try await internet.validateOnce()
      // A request has ten seconds.
      #expect(begin.duration(to: .now) < .seconds(9), "\(outcome)")
      #expect(outcome.output.contains("b.example/ok by IPv4: no answer when the round ended"))
      #expect(outcome.output.split(separator: "\n").last?.hasPrefix(state) == true, "\(outcome)")
    }
  }

  /// Waits for a path with the verdict.
  private static func check(_ verdict: Verdict, _ watcher: RunningProgram, after count: Int) async throws {
    let line = try await watcher.output.wait(for: "\(verdict.states)", within: .seconds(60)) { lines in
      lines.dropFirst(count).last { line in
        verdict.states.contains { line.contains(#""validation":{"state":"\#($0)""#) }
      }
    }
    let validation = try JSONValue(parsing: Array(line.utf8))["validation"]
    #expect(validation?["portal"]?.stringValue == verdict.portal)
    let texts = (validation?["evidence"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
    for text in verdict.evidence { #expect(texts.contains { $0.contains(text) }, "\(text) in \(texts)") }
  }
}
