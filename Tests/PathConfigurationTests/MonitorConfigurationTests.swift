import PathConfiguration
import PathModel
import Testing

@Suite("Configuration files")
struct MonitorConfigurationTests {
  private static let allowed = "allowed: SampleAddress=, Settle=, Connections=, ConnectionsPerUser="

  /// The configuration from one file alone.
  private static func parse(_ text: String) throws(ConfigurationProblem) -> MonitorConfiguration {
    var merged = MergedConfiguration()
    try merged.add(try ConfigurationFile(parsing: text, path: "x.conf"))
    return merged.monitor
  }

  private static func probes(_ texts: String...) -> ProbeAddresses {
    ProbeAddresses(texts.compactMap { IPAddress($0) })
  }

  @Test(
    arguments: [
      ("", nil), ("[Monitor]\n", nil), ("[Monitor]\nProbe=192.0.2.1\n", probes("192.0.2.1")),
      ("[Monitor]\r\nProbe=192.0.2.1\r\n", probes("192.0.2.1")),
      ("  [Monitor]  \n\t Probe \t=  192.0.2.1\t\n", probes("192.0.2.1")),
      ("# Probe=192.0.2.1\n;[Network]\n\n[Monitor]\n  # more\n", nil),
      ("[Monitor]\nSampleAddress=192.0.2.1 2001:db8::1\n", probes("192.0.2.1", "2001:db8::1")),
      ("[Monitor]\nProbe=192.0.2.1\nProbe=192.0.2.2\n", probes("192.0.2.1", "192.0.2.2")),
      ("[Monitor]\nProbe=192.0.2.1\n[Monitor]\nSampleAddress=192.0.2.2\n", probes("192.0.2.1", "192.0.2.2")),
      ("[Monitor]\nProbe=192.0.2.1\nProbe=\nProbe=192.0.2.2\n", probes("192.0.2.2")),
      ("[Monitor]\nProbe=192.0.2.1\nProbe=\n", nil),
      ("\u{feff}[Monitor]\nProbe=192.0.2.1\n", probes("192.0.2.1")),
    ] as [(String, ProbeAddresses?)])
  func `probes are addresses, in one line or several`(text: String, expected: ProbeAddresses?) throws {
    let configuration = try Self.parse(text)
    #expect(configuration.probes == expected)
    #expect(configuration.settle == nil)
  }

  @Test(
    arguments: [
      ("Settle=200ms", .milliseconds(200)), ("Settle = 1 s", .seconds(1)), ("Settle=0", .zero), ("Settle=", nil),
      ("Settle=1s\nSettle=2s", .seconds(2)), ("Settle=1s\nSettle=", nil),
    ] as [(String, Duration?)])
  func `a settle time is a time span, and the last one applies`(text: String, expected: Duration?) throws {
    let configuration = try Self.parse("[Monitor]\n\(text)\n")
    #expect(configuration.settle == expected.map { SettleTimes($0) })
    #expect(configuration.probes == nil)
  }

  @Test(arguments: [
    ("[Network]\n", "line 1: there is no section '[Network]'; allowed: [Monitor], [Match], [Path]"),
    (
      "[monitor]\n",
      "line 1: there is no section '[monitor]' (did you mean 'Monitor'?); allowed: [Monitor], [Match], [Path]"
    ),
    ("[Monitor\n", "line 1: '[Monitor' lacks the closing bracket of a section, ']'"),
    ("[Monitor\u{1b}\n", "line 1: '[Monitor\\u{1B}' lacks the closing bracket of a section, ']'"),
    (
      "[Monitor] # all\n", "line 1: there is text behind the closing bracket; a section has its line for itself"
    ),
    (
      "[Monitor]\n\nProbe\n", "line 3: this is neither a section, Key=value, nor a comment that starts with '#' or ';'"
    ),
    ("[Monitor]\n=5\n", "line 2: this is neither a section, Key=value, nor a comment that starts with '#' or ';'"),
    ("Probe=192.0.2.1\n", "line 1: 'Probe=' stands before any section; write [Monitor] above it"),
    (
      "[Monitor]\nSampleAdress=192.0.2.1\n",
      "line 2: there is no key 'SampleAdress' in [Monitor] (did you mean 'SampleAddress'?); \(allowed)"
    ),
    ("[Monitor]\nProbe=host\n", "line 2: 'host' is no address for SampleAddress=: IPv4 or IPv6 in numbers is needed"),
    (
      "[Monitor]\nSettle=5x\n",
      "line 2: '5x' is no time for Settle=: 'x' is not a unit (us, ms, s, min, h, d, w); write for example 200ms"
    ),
  ])
  func `a mistake is reported with its line and the allowed values`(text: String, message: String) {
    let problem = #expect(throws: ConfigurationProblem.self) { try Self.parse(text) }
    #expect(problem?.description == message)
  }

  @Test(
    arguments: [
      ("Probe=192.0.2.1 \\\n  192.0.2.2\n", ["192.0.2.1", "192.0.2.2"]),
      (
        "Probe=192.0.2.1\\\n# a comment, which ends in \\\n  ; another\n192.0.2.2\\\n\nProbe=192.0.2.3\n",
        ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
      ),
      ("Probe=192.0.2.1\\\r\n192.0.2.2\r\n", ["192.0.2.1", "192.0.2.2"]),
      ("Probe=\\\n192.0.2.1\\", ["192.0.2.1"]), ("\\\nProbe=192.0.2.1\n", ["192.0.2.1"]),
      ("# not this \\\nProbe=192.0.2.1\n", ["192.0.2.1"]),
    ])
  func `a line that ends in a backslash continues in the next that is no comment, as in systemd`(
    text: String, addresses: [String]
  ) throws {
    #expect(try Self.parse("[Monitor]\n\(text)").probes == ProbeAddresses(addresses.compactMap { IPAddress($0) }))
  }

  @Test(arguments: [
    ("[Monitor]\nProbe=192.0.2.1\\\n\\\nrouter\nProbe=host\n", [2, 5]),
    ("[Monitor]\nProbe=192.0.2.1\\\\\nSettle=1s\n", [2]),
    ("[Monitor]\nProbe=\\\n" + String(repeating: "192.0.2.1 \\\n", count: 7_000) + "\nSettel=1s\n", [2, 7_004]),
  ])
  func `a continued line has the number of its beginning, and an end`(text: String, lines: [Int]) throws {
    let problem = try #require(#expect(throws: ConfigurationProblem.self) { try Self.parse(text) })
    #expect(([problem] + problem.further).map(\.line) == lines)
  }

  @Test func `the number of probes of a family is limited`() throws {
    let most = (1...ProbeAddresses.limit).map { "192.0.2.\($0)" }.joined(separator: " ")
    #expect(try Self.parse("[Monitor]\nProbe=\(most) 2001:db8::1\n").probes != nil)
    let problem = #expect(throws: ConfigurationProblem.self) {
      try Self.parse("[Monitor]\nProbe=\(most)\nProbe=192.0.2.99\n")
    }
    #expect(
      problem?.description
        == "line 3: there are more than \(ProbeAddresses.limit) addresses of a family for SampleAddress=")
  }

  @Test(arguments: ["[\u{1b}[2J]", "\u{1b}]0;title\u{7}=1", "Probe=\u{1b}[2J", "Settle=\u{1b}[2J", "Settle=\u{202e}5"])
  func `characters that would garble a terminal are escaped`(line: String) {
    let problem = #expect(throws: ConfigurationProblem.self) {
      try Self.parse("[Monitor]\n\(line)\n")
    }
    let garbling = (problem?.description ?? "").unicodeScalars.filter {
      [.control, .format].contains($0.properties.generalCategory)
    }
    #expect(garbling.isEmpty)
  }

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
