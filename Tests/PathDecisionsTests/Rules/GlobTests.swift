import Glibc
import PathDecisions
import PathTestSupport
import Testing

@Suite("Patterns")
struct GlobTests {
  @Test(arguments: [
    ("eth0", "eth0", true), ("eth0", "eth1", false), ("eth*", "eth", true), ("eth*", "eth0.7", true),
    ("*", "", true), ("*", "anything", true), ("", "", true), ("", "x", false), ("*0", "eth0", true),
    ("*0", "eth01", false), ("w*n?", "wlan0", true), ("w*n?", "wlan", false), ("*a*b*", "xxaxxbxx", true),
    ("*a*b*", "xxbxxaxx", false), ("**", "x", true), ("eth[0-9]", "eth7", true), ("eth[0-9]", "ethx", false),
    ("eth[!0-9]", "ethx", true), ("eth[^0-9]", "eth7", false), ("[]x]", "]", true), ("[x-]", "-", true),
    ("\\*", "*", true), ("\\*", "x", false), ("a\\?", "a?", true), ("?", "é", true), ("??", "é", false),
    ("?", "", false), ("a?b", "a🙂b", true), ("[!x]", "🙂", true),
    ("caf?", "café", true), ("[!x]", "é", true), ("*x", "xxx", true), ("ETH0", "eth0", false),
  ])
  func `a pattern fits as in a shell`(pattern: String, text: String, fits: Bool) throws {
    #expect(try Glob(pattern).matches(text) == fits)
  }

  @Test func `letters can be taken in either case`() throws {
    #expect(try Glob("02:1A:[a-f]*", foldsCase: true).matches("02:1a:Bc:00:00:01"))
    #expect(try !Glob("02:1A:*").matches("02:1a:bc"))
  }

  @Test func `bytes that are not UTF-8 are characters, each for itself`() throws {
    #expect(try Glob("?").matches([0xff]))
    #expect(try Glob("a?b").matches([0x61, 0x80, 0x62]))
    #expect(try !Glob("?").matches([0xff, 0xff]))
    #expect(try Glob("*").matches([0, 1, 0xc3]))
  }

  @Test(arguments: ["[", "[]", "[a", "[a-", "[z-a]", "[é]", "\\", "x\\", "[!", "[!]"])
  func `a pattern that is not finished is refused`(pattern: String) {
    #expect(throws: Glob.PatternError.self) { try Glob(pattern) }
  }

  @Test func `the length of a pattern is limited`() throws {
    let longest = String(repeating: "a", count: Glob.longest)
    #expect(try Glob(longest).matches(longest))
    #expect(throws: Glob.PatternError.self) { try Glob(longest + "a") }
  }

  @Test(.timeLimit(.minutes(1)))
  func `many stars take little time`() throws {
    let pattern = String(repeating: "*a", count: 100) + "*b"
    #expect(try !Glob(pattern).matches(String(repeating: "a", count: 5_000)))
  }

  @Test func `on random patterns the C library agrees`() throws {
    var random = SeededGenerator(seed: 7)
    let letters = Array("ab*?[]!-".unicodeScalars)
    var compared = 0
    for _ in 0..<20_000 {
      let pattern = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...7, using: &random)).map { _ in letters.randomElement(using: &random)! }))
      let text = String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random)! }))
      // A pattern with an unfinished bracket is an error here, and a literal bracket to fnmatch(3).
      guard let glob = try? Glob(pattern) else { continue }
      compared += 1
      let expected = unsafe fnmatch(pattern, text, FNM_NOESCAPE) == 0
      #expect(glob.matches(text) == expected, "'\(pattern)' on '\(text)'")
    }
    #expect(compared > 5_000)
  }
}
