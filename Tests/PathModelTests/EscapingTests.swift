import PathModel
import PathTestSupport
import Testing

@Suite("Foreign texts within a line")
struct EscapingTests {
  @Test(arguments: [
    ("eth0", "eth0"), ("", ""), ("Café 😀", "Café 😀"), ("a\nverdict: b", #"a\nverdict: b"#),
    ("\u{1B}[2J\u{9B}2J\u{7F}", #"\u{1B}[2J\u{009B}2J\u{7F}"#),
    ("\u{202E}\u{2066}\u{200F}", #"\u{202E}\u{2066}\u{200F}"#),
    ("\u{2028}\u{2029}\u{FEFF}", #"\u{2028}\u{2029}\u{FEFF}"#),
  ])
  func `characters that would garble a terminal or forge a line are escaped, once`(text: String, expected: String) {
    #expect(text.inOneLine == expected)
    #expect(text.inOneLine.inOneLine == expected)
  }

  @Test func `the description of a path stays in its line, whatever its names are`() {
    let evil = "a\n\u{1B}[2J\u{202E}"
    var path = NetworkPath.over(.wifi)
    path.interfaces[0].name = evil
    path.gateways = [.literal("fe80::1").scoped(to: evil)]
    var offline = path.asUnsatisfied
    offline.unsatisfiedReason = UnsatisfiedReason(rawValue: evil)
    for text in ["\(path)", "\(offline)"] { #expect(text.inOneLine == text) }
  }
}
