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

  @Test func `names of different bytes are different texts, also if they are not UTF-8`() {
    let names: [[UInt8]] = [
      Array("bad".utf8) + [0xFF], Array("bad".utf8) + [0xFE], Array("bad".utf8) + [0xC3], Array("bad\u{FFFD}".utf8),
      Array("bad".utf8), Array("b\\ad".utf8) + [0xFF],
    ]
    #expect(Set(names.map { String(nameBytes: $0) }).count == names.count)
    #expect(String(nameBytes: names[0]) == #"bad\xff"#)
    #expect(String(nameBytes: Array("wlan é".utf8)) == "wlan é")
  }

  @Test func `every text of a printed path stays in its line`() {
    let evil = "a\n\u{1B}[2J\u{202E}"
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    let scoped = IPAddress.literal("fe80::1").scoped(to: evil)
    path.gateways = [scoped]
    path.interfaces = [
      NetworkInterface(
        name: evil, index: 1, type: .wifi, underlying: [evil], hardwareAddress: evil,
        addresses: [.init(scoped, prefixLength: 64)], driver: evil)
    ]
    path.unsatisfiedReason = UnsatisfiedReason(rawValue: evil)
    path.overrides = [evil]
    path.changed = [evil]
    path.cost = Cost(
      isExpensive: true, isConstrained: true, confidence: .init(rawValue: evil),
      evidence: [
        Evidence(
          source: .init(rawValue: evil), verdict: .init(rawValue: evil), confidence: .init(rawValue: evil), text: evil)
      ])
    path.validation = PathValidation(
      state: .init(rawValue: evil), portal: evil,
      evidence: [.init(source: .init(rawValue: evil), verdict: .init(rawValue: evil), when: 0, text: evil)])
    for text in ["\(path)", String(reflecting: path.escaped)] {
      #expect(text.inOneLine == text)
    }
    // The reflection of the path shows every text.
    #expect(String(reflecting: path).contains("\\n"))
  }
}
