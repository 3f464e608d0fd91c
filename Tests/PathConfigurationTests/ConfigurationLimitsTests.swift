import PathConfiguration
import PathModel
import Testing

@Suite("Limits of configuration files")
struct ConfigurationLimitsTests {
  private static func problem(with line: String) -> String? {
    do {
      _ = try ConfigurationFile(parsing: "[Match]\n\(line)\n[Path]\nExpensive=yes\n", path: "a.conf")
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: ["Name", "SSID", "Gateway", "Type"])
  func `a line of a megabyte is refused as a whole`(key: String) {
    for word in ["x", "'x", "\\x", "[x", "x "] {
      let line = "\(key)=\(String(repeating: word, count: (1 << 20) / word.utf8.count))"
      #expect(Self.problem(with: line) == "line 2: the line has more than 65536 bytes; write several")
    }
  }

  @Test func `words of a line are as many and as long as they may be, and not more`() {
    let longest = String(repeating: "x", count: 240)
    #expect(Self.problem(with: "Name=" + Array(repeating: longest, count: 256).joined(separator: " ")) == nil)
    let many = Self.problem(with: "Name=" + Array(repeating: "x", count: 257).joined(separator: " "))
    #expect(many == "line 2: there are more than 256 alternatives for Name=; write two rules")
    let long = Self.problem(with: "Name=\(String(repeating: "x", count: 60_000))")
    #expect(long?.contains("the pattern is longer than 256 bytes") == true)
    let unknown = Self.problem(with: "\(String(repeating: "x", count: 60_000))=1")
    #expect(unknown?.hasPrefix("line 2: there is no key") == true)
  }
}
