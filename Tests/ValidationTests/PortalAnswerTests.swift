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
    #expect(answer?.userPortal == "https://example.org/portal.html")
    #expect(answer?.venueInformation == "https://flight.example.com/entertainment")
  }

  @Test(
    "numbers count while the network lets traffic through, and only whether it does has to be said",
    arguments: [
      (#"{"captive": false, "seconds-remaining": 326, "bytes-remaining": 65536}"#, false, nil, 326, 65_536),
      (#"{"captive": true, "seconds-remaining": 326, "bytes-remaining": 65536}"#, true, nil, nil, nil),
      (#"{"captive": false, "seconds-remaining": -326, "bytes-remaining": -65536}"#, false, nil, nil, nil),
      (#"{"captive": true, "user-portal-url": "http://a.example/"}"#, true, "http://a.example/", nil, nil),
      (#"{"user-portal-url": "https://a.example/"}"#, nil, nil, nil, nil),
    ] as [(String, Bool?, String?, Int64?, Int64?)])
  func members(_ text: String, _ isCaptive: Bool?, _ portal: String?, _ seconds: Int64?, _ bytes: Int64?) {
    let answer = Self.answer(text)
    #expect(answer?.isCaptive == isCaptive && answer?.userPortal == portal)
    #expect(answer?.secondsRemaining == seconds && answer?.bytesRemaining == bytes)
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
