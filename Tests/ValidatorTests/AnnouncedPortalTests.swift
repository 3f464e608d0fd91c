import JSON
import ProcessTestSupport
import Testing

/// The interface for the sign-in that a network announces by DHCP (RFC 8910), asked as RFC 8908 says.
@Suite("The announced interface", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct AnnouncedPortalTests {
  private static let media = ["Content-Type: application/captive+json; charset=utf-8"]

  /// An answer, with the last line of the validator and a text among the observations.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: LocalInternet.Behaviour
    let last: String
    let evidence: String

    init(
      _ name: String, _ answer: LocalInternet.Behaviour, last: String, evidence: String
    ) {
      (testDescription, self.answer) = (name, answer)
      (self.last, self.evidence) = (last, evidence)
    }
  }

  private static let page = "https://portal.example/page"
  static let rows = [
    Row(
      "a portal by the announced interface alone",
      .answer(200, headers: media, body: #"{"captive": true, "user-portal-url": "\#(page)"}"#),
      last: "portal; the page for the sign-in: \(page)", evidence: "the network wants a sign-in"),
    Row(
      "solved", .answer(200, headers: media, body: #"{"captive": false, "seconds-remaining": 60}"#),
      last: "unknown", evidence: "the network lets traffic through for 60 s"),
    Row(
      "a page in its place", .page, last: "unknown", evidence: "the answer is not of type application/captive+json"),
    Row(
      "a script as the page",
      .answer(200, headers: media, body: #"{"captive": true, "user-portal-url": "javascript:alert(1)"}"#),
      last: "portal", evidence: "the network wants a sign-in"),
    Row(
      "an answer without end", .fault("endless body"), last: "unknown",
      evidence: "the answer is not of type application/captive+json"),
    Row(
      "another name's certificate", .certificate("other"), last: "unknown", evidence: "the certificate is not right"),
    Row("a redirect", .redirect, last: "unknown", evidence: "its status is 302"),
  ]

  @Test("the announced interface is asked, and nobody else", arguments: rows)
  func announced(_ row: Row) async throws {
    try await LocalInternet.with(announced: ("https://portal.example/api", row.answer)) { internet in
      try internet.directory.write("validation.conf", "[Validation]\nAlsoOver=container\n")
      let outcome = try await internet.validateOnce()
      #expect(outcome.output.split(separator: "\n").last.map(String.init) == row.last, "\(outcome)")
      #expect(outcome.output.contains(row.evidence), "\(outcome)")
      #expect(outcome.status == (row.last == "unknown" ? 69 : 1))
      let hosts = Set(internet.seen("request").map { $0.split(separator: " ")[1] })
      #expect(hosts.isSubset(of: ["192.168.77.1"]))
    }
  }

  @Test func `an address by http is shown and not asked`() async throws {
    try await LocalInternet.with(announced: ("http://portal.example/api", .page)) { internet in
      try internet.directory.write("validation.conf", "[Validation]\nAlsoOver=container\n")
      let outcome = try await internet.validateOnce()
      #expect(outcome.status == 69 && outcome.complaints.contains("nothing is asked"), "\(outcome)")
      #expect(internet.seen("packet").isEmpty)
      #expect(try await internet.validation("announced").stringValue == "http://portal.example/api")
    }
  }
}
