import Foundation
import JSON
import ProcessTestSupport
import Testing

/// The validator against real servers, a situation a row.
@Suite("Validation against real servers", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct LocalInternetTests {
  /// A situation with its verdict.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The servers without the right answer, by `a` or `b` and the scheme.
    var sites: [String: LocalInternet.Behaviour] = [:]
    var names: [String: [String]] = [:]
    var every = 1
    var hasIPv6 = false
    let states: [String]
    /// Texts that the observations have.
    var evidence: [String] = []

    init(
      _ name: String, _ sites: [String: LocalInternet.Behaviour] = [:], names: [String: [String]] = [:],
      every: Int = 1, hasIPv6: Bool = false, is states: String..., evidence: [String] = []
    ) {
      testDescription = name
      (self.sites, self.names, self.every, self.hasIPv6) = (sites, names, every, hasIPv6)
      (self.states, self.evidence) = (states, evidence)
    }
  }

  private static func all(
    http: LocalInternet.Behaviour = .right, https: LocalInternet.Behaviour = .right
  ) -> [String: LocalInternet.Behaviour] {
    ["a http": http, "b http": http, "a https": https, "b https": https]
  }
  private static let silence = LocalInternet.silent
  private static let page = "; the page for the sign-in: http://a.example/204"

  static let rows = [
    Row("all answer", is: "validated", evidence: ["https://a.example/204 by IPv4: the right answer"]),
    Row(
      "a portal by redirect", all(http: .redirect, https: .nobody), is: "portal\(page)",
      evidence: ["a redirect to 'http://portal.example/sign-in'"]),
    Row(
      "a portal by other content", all(http: .page, https: .certificate("other")), is: "portal\(page)",
      evidence: ["other content in place of the right answer (status 200)", "the certificate is not right"]),
    Row(
      "a portal by DNS to an address of the local network",
      names: ["a.example": [LocalInternet.local], "b.example": [LocalInternet.local]], is: "portal\(page)",
      evidence: ["the name leads to the local address 192.168.77.1"]),
    Row(
      "a portal that lets a well-known host through", ["b http": .redirect, "b https": .nobody],
      is: "partial; the page for the sign-in: http://b.example/ok",
      evidence: ["http://a.example/204 by IPv4: the right answer"]),
    Row(
      "one host blocked", names: ["b.example": ["0.0.0.0"]], is: "validated", evidence: ["the name leads to 0.0.0.0"]),
    Row("one host without a name", names: ["b.example": []], is: "validated", evidence: ["the name has no address"]),
    Row("both blocked", all(http: .nobody, https: .nobody), is: "partial", evidence: ["refused, reset or broken off"]),
    Row("HTTP only", all(https: .nobody), is: "partial", evidence: ["http://a.example/204 by IPv4: the right answer"]),
    Row("HTTPS only", all(http: .nobody), is: "validated"),
    Row(
      "an expired certificate", all(http: .nobody, https: .certificate("expired")), is: "partial",
      evidence: ["certificate has expired"]),
    Row(
      "a wrong clock here", all(http: .nobody, https: .certificate("future")), is: "partial",
      evidence: ["certificate is not yet valid"]),
    Row(
      "a LAN without Internet", names: ["a.example": [silence], "b.example": [silence]], is: "unanswered",
      evidence: ["nothing came within the time"]),
    Row("resets", all(http: .fault("reset"), https: .fault("reset")), is: "partial", evidence: ["reset"]),
    Row("servers in trouble", all(http: .answer(503), https: .answer(500)), is: "partial", evidence: ["(status 503)"]),
    Row(
      "IPv6 dead and IPv4 fine",
      names: ["a.example": ["203.0.113.1", "2001:db8:1::99"], "b.example": ["203.0.113.2", "2001:db8:1::99"]],
      hasIPv6: true, is: "partial", evidence: ["by IPv6: no connection"]),
    Row("both families", hasIPv6: true, is: "validated", evidence: ["https://a.example/204 by IPv6: the right answer"]),
    Row(
      "hosts without an IPv6 address", names: ["a.example": ["203.0.113.1"], "b.example": ["203.0.113.2"]],
      hasIPv6: true, is: "validated", evidence: ["the name has no address"]),
    Row("DNS that answers every third query", every: 3, is: "validated", "partial"),
    Row(
      "a name server that answers nothing", every: 1_000_000, is: "unanswered", evidence: ["the name has no address"]),
    // Hostile ones.
    Row(
      "an endless redirect", all(http: .answer(302, headers: ["Location: http://a.example/204"])), is: "partial\(page)"),
    Row("an endless body", all(http: .fault("endless body"), https: .nobody), is: "portal\(page)"),
    Row("slow headers", all(http: .fault("slow headers"), https: .fault("silence")), is: "unanswered"),
    Row("endless headers", all(http: .fault("endless headers"), https: .nobody), is: "partial"),
    Row("bytes that are no HTTP", all(http: .fault("garbage"), https: .nobody), is: "partial"),
    Row(
      "a redirect to a script",
      all(http: .answer(302, headers: ["Location: javascript:alert('\u{1B}[2J\u{7}')"]), https: .nobody),
      is: "portal\(page)"),
    Row(
      "a redirect to a file", all(http: .answer(302, headers: ["Location: file:///etc/passwd"]), https: .nobody),
      is: "portal\(page)"),
  ]

  @Test("a situation, its verdict and its evidence", arguments: rows)
  func situation(_ row: Row) async throws {
    let sites = Dictionary(
      uniqueKeysWithValues: row.sites.map { key, behaviour in
        (LocalInternet.Site(name: "\(key.prefix(1)).example", isSecure: key.hasSuffix("https")), behaviour)
      })
    try await LocalInternet.with(sites, names: row.names, every: row.every, hasIPv6: row.hasIPv6) { internet in
      let outcome = try await internet.validateOnce()
      let lines = outcome.output.split(separator: "\n").map(String.init)
      #expect(row.states.contains(lines.last ?? ""), "\(outcome)")
      #expect(outcome.status == (lines.last == "validated" ? 0 : 1))
      for text in row.evidence { #expect(outcome.output.contains(text), "\(text) in \(outcome)") }
      #expect(!outcome.output.utf8.contains { $0 < 0x20 && $0 != UInt8(ascii: "\n") })
      // Nobody has reported, and no verdict changes the status.
      let status = try await internet.daemon.pathctl("status", "--json")
      #expect(status.status == 0 && status.output.contains(#""status":"satisfied""#))
      // One request to each host by each family in each round at most, and none to another place.
      let places = Set(internet.seen("request").map { $0.split(separator: " ")[1] })
      #expect(places.isDisjoint(with: row.names.isEmpty ? ["192.168.77.1"] : []))
      #expect(internet.seen("request").count <= 16)
    }
  }
}
