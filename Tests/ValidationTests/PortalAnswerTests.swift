import Testing

@testable import Validation

/// The answers of RFC 8908, from any network.
@Suite("The answer of the interface for the sign-in")
struct PortalAnswerTests {
  /// An answer, or `nil` where the bytes are none.
  private static func answer(_ text: String) -> PortalAnswer? { try? PortalAnswer(parsing: Array(text.utf8)) }

  @Test func `an answer with each key is decoded`() {
    // RFC 8908, section 5.
    let answer = Self.answer(
      """
      {"captive": true, "user-portal-url": "https://example.org/portal.html",
       "venue-info-url": "https://flight.example.com/entertainment", "can-extend-session": true}
      """)
    #expect(answer?.isCaptive == true)
    #expect(answer?.userPortal == "https://example.org/portal.html")
    #expect(answer?.venueInformation == "https://flight.example.com/entertainment")
  }

  /// A row of shill's `capport_proxy_test.cc` and `capport_client_test.cc`: the text, and what we read in it.
  struct ShillCase: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let isCaptive: Bool?
    var portal: String?
    var seconds: Int64?
    var bytes: Int64?
    /// Where our rule differs: the reason.
    var difference: String?
    var testDescription: String { name + (difference.map { " (other than shill: \($0))" } ?? "") }
  }

  private static let page = "https://example.org/portal.html"
  static let shillRows = [
    ShillCase(
      name: "ParseFromJsonSuccess",
      text: #"{"captive": false, "user-portal-url": "\#(page)", "seconds-remaining": 326, "bytes-remaining": 65536}"#,
      isCaptive: false, portal: page, seconds: 326, bytes: 65_536),
    ShillCase(
      name: "ParseFromJsonMissingOptionalField", text: #"{"captive": true, "user-portal-url": "\#(page)"}"#,
      isCaptive: true, portal: page),
    ShillCase(
      name: "ParseFromJsonMissingRequiredField", text: #"{"user-portal-url": "\#(page)"}"#, isCaptive: nil),
    ShillCase(
      name: "ParseFromJsonInvalidUserPortalUrl",
      text: #"{"captive": true, "user-portal-url": "http://example.org/portal.html"}"#, isCaptive: true,
      portal: "http://example.org/portal.html",
      difference: "RFC 8908 recommends https and does not demand it; a page by http is opened, too"),
    ShillCase(
      name: "ParseFromJsonMissingUserPortalUrl", text: #"{"captive": true}"#, isCaptive: true,
      difference: "the word that a sign-in is wanted is worth more than none; hosts show the page"),
    ShillCase(
      name: "ParseFromJsonInvalidVenueInfoUrl", text: #"{"captive": true, "venue-info-url": "invalid URL"}"#,
      isCaptive: true, difference: "a wrong address of the place takes nothing from the answer"),
    ShillCase(
      name: "ClearRemainingFieldWhenPortalClose",
      text: #"{"captive": true, "user-portal-url": "\#(page)", "seconds-remaining": 326, "bytes-remaining": 65536}"#,
      isCaptive: true, portal: page),
    ShillCase(
      name: "InvalidMinusRemaining",
      text: #"{"captive": false, "seconds-remaining": -326, "bytes-remaining": -65536}"#, isCaptive: false),
    ShillCase(
      name: "SendRequestSuccess", text: #"{"captive": true, "user-portal-url": "\#(page)"}"#, isCaptive: true,
      portal: page),
    ShillCase(name: "SendRequestWithInvalidJSON", text: "Invalid JSON string", isCaptive: nil),
    ShillCase(
      name: "SendMetricsContainSecondsRemaining", text: #"{"captive": false, "seconds-remaining": 326}"#,
      isCaptive: false, seconds: 326),
    ShillCase(
      name: "SendMetricsContainBytesRemaining", text: #"{"captive": false, "bytes-remaining": 1024576}"#,
      isCaptive: false, bytes: 1_024_576),
    ShillCase(name: "SendMetricsNotContainRemainingFields", text: #"{"captive": false}"#, isCaptive: false),
    ShillCase(
      name: "QueryCapport",
      text: #"{"captive": true, "user-portal-url": "\#(page)", "venue-info-url": "https://example.org/info.html"}"#,
      isCaptive: true, portal: page),
    ShillCase(name: "QueryCapportFailed", text: "", isCaptive: nil),
  ]

  @Test("shill: capport_proxy_test.cc, capport_client_test.cc", arguments: Self.shillRows)
  func shill(_ row: ShillCase) {
    let answer = Self.answer(row.text)
    #expect(answer?.isCaptive == row.isCaptive)
    #expect(answer?.userPortal == row.portal)
    #expect(answer?.secondsRemaining == row.seconds && answer?.bytesRemaining == row.bytes)
  }

  @Test(
    "an address that is not of http or https, or has other signs, is none",
    arguments: [
      "file:///etc/passwd", "javascript:alert(1)", "https://", "https:///x", #"https://e.org/\u001b[2J"#,
      #"https://e.org/\"a"#, "https://e.org/ü", "https://e.org/a b", "ftp://e.org/", "//e.org/", "",
      "https://e.org/" + String(repeating: "a", count: 1_100),
    ])
  func address(_ text: String) {
    let answer = Self.answer(#"{"captive": true, "user-portal-url": "\#(text)", "venue-info-url": "\#(text)"}"#)
    #expect(answer?.isCaptive == true)
    #expect(answer?.userPortal == nil && answer?.venueInformation == nil)
  }

  @Test(
    "hostile bytes are refused in one sentence",
    arguments: [
      [], [0], [0xFF, 0xFE], Array("{\"captive\": \"true\"}".utf8), Array("{\"captive\": 1}".utf8),
      Array("[true]".utf8),
      Array(#"{"captive": true, "x": "\#(String(repeating: "a", count: 4_096))"}"#.utf8),
      Array("{\"captive\": true, \"x\": \"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
      Array(String(repeating: "[", count: 4_000).utf8),
    ])
  func hostile(_ bytes: [UInt8]) {
    #expect { try PortalAnswer(parsing: bytes) } throws: { error in
      (error as? PortalAnswer.Fault)?.words.isEmpty == false
    }
  }

  @Test func `each beginning of an answer is refused, and no number is too large`() {
    let text = #"{"captive": false, "seconds-remaining": 99999999999999999999, "bytes-remaining": 1.5}"#
    for length in 0..<text.utf8.count {
      #expect(throws: PortalAnswer.Fault.self) { try PortalAnswer(parsing: Array(text.utf8.prefix(length))) }
    }
    #expect(Self.answer(text)?.secondsRemaining == nil && Self.answer(text)?.bytesRemaining == nil)
  }
}
