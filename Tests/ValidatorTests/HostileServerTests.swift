import PathModel
import ProcessTestSupport
import Testing

/// Servers that do what they like. `pathctl validate` shows each observation, and ends in time.
@Suite("Hostile servers", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct HostileServerTests {
  /// The behaviour of a server, with the last line that is printed and a text before it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let behaviour: LocalInternet.Behaviour
    let last: String
    let evidence: String

    init(_ name: String, _ behaviour: LocalInternet.Behaviour, last: String, evidence: String) {
      (testDescription, self.behaviour, self.last, self.evidence) = (name, behaviour, last, evidence)
    }
  }

  private static func redirect(_ place: String) -> LocalInternet.Behaviour {
    .answer(302, headers: ["Location: \(place)"])
  }
  private static let portal = "portal; the page for the sign-in: http://a.example/204"
  private static let signIn = "a redirect to 'http://portal.example/sign-in'"

  static let hosts = [
    Row(
      "an endless redirect", redirect("http://a.example/204"), last: portal, evidence: "a redirect to 'http://a.exam"),
    Row("a body of 1 GB", .fault("endless body"), last: portal, evidence: "other content in place of the right answer"),
    Row("slow headers", .fault("slow headers"), last: "partial", evidence: "nothing came within the time"),
    Row("endless headers", .fault("endless headers"), last: "partial", evidence: "refused, reset or broken off"),
    Row("bytes that are no HTTP", .fault("garbage"), last: "partial", evidence: "refused, reset or broken off"),
    Row(
      "a redirect to a script", redirect("javascript:alert(1)"), last: portal, evidence: "a redirect to 'javascript:"),
    Row("a redirect to a file", redirect("file:///etc/passwd"), last: portal, evidence: "a redirect to 'file:///etc"),
    Row("escapes in an address", redirect("http://a/\u{1B}[2J\u{7}\u{9B}1m"), last: portal, evidence: "a redirect to"),
    Row(
      "invalid UTF-8 in an address", redirect("http://a/\u{FF}\u{FE}\u{C3}("), last: portal, evidence: "a redirect to"),
    Row(
      "an address of 100 KB", redirect("http://a/" + String(repeating: "a", count: 100_000)), last: "partial",
      evidence: ""),
    Row("no address", .answer(302), last: portal, evidence: "a redirect to nowhere"),
    Row("a redirect on an open connection", .fault("open redirect"), last: portal, evidence: signIn),
    Row("a redirect and a reset", .fault("reset redirect"), last: portal, evidence: signIn),
    Row("a redirect whose body is short", .fault("short redirect"), last: portal, evidence: signIn),
    Row("a page on an open connection", .fault("open page"), last: portal, evidence: "other content in place of"),
    Row("a page without an HTTP head", .fault("bare page"), last: portal, evidence: "(HTML without a status)"),
  ]

  @Test("that are asked by http are bounded and shown escaped", arguments: hosts)
  func host(_ row: Row) async throws {
    let sites = LocalInternet.sites.map { ($0, $0.isSecure ? .nobody : row.behaviour) }
    try await LocalInternet.with(.init(sites: Dictionary(uniqueKeysWithValues: sites))) { internet in
      let outcome = try await Self.validate(internet)
      #expect(outcome.output.split(separator: "\n").last.map(String.init) == row.last, "\(outcome)")
      #expect(outcome.output.contains(row.evidence), "\(outcome)")
      #expect(outcome.status == 1)
      // Two rounds, and no request to another place.
      #expect(
        internet.requests.count <= 4 && Set(internet.requests).isSubset(of: ["203.0.113.1 80", "203.0.113.2 80"]))
    }
  }

  static let interfaces = [
    Row(
      "a page in its place", .page, last: "unknown", evidence: "the answer is not of type application/captive+json"),
    Row("a redirect", .redirect, last: "unknown", evidence: "its status is 302"),
    Row("a body of 1 GB", .fault("endless body"), last: "unknown", evidence: "the answer is not of type"),
    Row(
      "another name's certificate", .certificate("other"), last: "unknown", evidence: "the certificate is not right"),
    Row(
      "a script as the page", .captive(#"{"captive": true, "user-portal-url": "javascript:alert(1)"}"#),
      last: "portal", evidence: "the network wants a sign-in"),
    Row(
      "a file as the page", .captive(#"{"captive": true, "user-portal-url": "file:///etc/passwd"}"#),
      last: "portal", evidence: "the network wants a sign-in"),
    Row(
      "escapes in the page", .captive(#"{"captive": true, "user-portal-url": "https://a/\u001b[2J"}"#),
      last: "portal", evidence: "the network wants a sign-in"),
    Row(
      "invalid UTF-8", .captive("{\"captive\": true, \"user-portal-url\": \"https://a/\u{FF}\"}"),
      last: "unknown", evidence: "the answer is no JSON object"),
    Row(
      "more than 4 KiB", .captive(#"{"captive": true, "x": "\#(String(repeating: "x", count: 5_000))"}"#),
      last: "unknown", evidence: "the answer has more than 4096 bytes"),
    Row(
      "deep JSON", .captive(String(repeating: "[", count: 4_000)), last: "unknown",
      evidence: "the answer is no JSON object"),
  ]

  @Test("as the announced interface are bounded, and nobody else is asked", arguments: interfaces)
  func interface(_ row: Row) async throws {
    try await LocalInternet.with(.init(announced: row.behaviour), announced: LocalInternet.interface) { internet in
      try internet.directory.write("validation.conf", "[Validation]\nAlsoOver=container\n")
      let outcome = try await Self.validate(internet)
      #expect(outcome.output.split(separator: "\n").last.map(String.init) == row.last, "\(outcome)")
      #expect(outcome.output.contains(row.evidence), "\(outcome)")
      #expect(outcome.status == (row.last == "unknown" ? 69 : 1))
      #expect(Set(internet.requests).isSubset(of: ["192.168.77.1 443"]))
    }
  }

  private static func validate(_ internet: LocalInternet) async throws -> RunningProgram.Outcome {
    let begin = ContinuousClock.now
    let outcome = try await internet.validateOnce()
    #expect(begin.duration(to: .now) < .seconds(30), "two rounds of ten seconds, and a second between them")
    let controls = outcome.output.unicodeScalars.filter { [.control, .format].contains($0.properties.generalCategory) }
    #expect(controls.allSatisfy { $0 == "\n" }, "\(outcome)")
    // Of a body, the buffers of both kernels are filled at most.
    let sent = internet.seen("sent").compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(sent.allSatisfy { $0 < 16 << 20 }, "\(sent)")
    return outcome
  }

  @Test func `an announced address of http is shown and not asked`() async throws {
    try await LocalInternet.with(announced: "http://portal.example/api") { internet in
      try internet.directory.write("validation.conf", "[Validation]\nAlsoOver=container\n")
      let outcome = try await internet.validateOnce()
      #expect(outcome.status == 69 && outcome.complaints.contains("nothing is asked"), "\(outcome)")
      #expect(internet.seen("packet").isEmpty)
      #expect(try await internet.validation()["announced"]?.stringValue == "http://portal.example/api")
    }
  }
}
