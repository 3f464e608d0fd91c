import PathConfiguration
import PathDecisions
import PathModel
import Testing

@Suite("Configuration keys")
struct ConfigurationKeyTests {
  /// A file in which the key has the value, with all other keys that it needs.
  private static func text(_ key: ConfigurationKey, _ value: String) -> String {
    let line = "\(key.name)=\(value)\n"
    return switch key.section {
    case .monitor: "[Monitor]\n\(line)"
    case .match: "[Path]\nExpensive=yes\n[Match]\n\(line)"
    case .path: "[Match]\nName=*\n[Path]\n\(line)"
    }
  }

  @Test(arguments: ConfigurationKey.all)
  func `each key takes the example of the manual`(key: ConfigurationKey) throws {
    let file = try ConfigurationFile(parsing: Self.text(key, key.example), path: "x.conf")
    #expect(file.settings.contains { $0.key == key && $0.value == key.example })
    #expect((file.rule != nil) == (key.section != .monitor))
  }

  private static let rejected: [(ConfigurationKey.Effect, [String])] = [
    (.monitor(.probe), ["router", "192.0.2.1/24", "192.0.2.1,192.0.2.2"]), (.monitor(.settle), ["soon", "-1s", "5x"]),
    (.monitor(.connections), ["0", "65537", "many", "1.5"]), (.monitor(.connectionsPerUser), ["0", "-1", "1 2"]),
    (.match(.name), ["[a-", "[z-a]*", "\"eth0", "'eth0", "!eth* !wlan*", "eth0 !wlan0", "eth0 # comment", "eth0 ;"]),
    (.match(.type), ["wired", "wifi,cellular", "Wifi", "*", "!wifi !cellular", "wifi # x"]),
    (.match(.driver), ["[", "!", "\"\\"]), (.match(.networkName), ["\"My phone", "[é]", "!"]),
    (.match(.hardwareAddress), ["[", "!"]),
    (
      .match(.gateway),
      ["router", "192.0.2.0/33", "192.0.2.1/x", "192.0.2.1/24/8", "2001:db8::/129", "192.0.2", "phone*"]
    ),
    (.path(.expensive), ["maybe", "2", "yes no", "yes # it costs"]), (.path(.constrained), ["sometimes", "ja"]),
    (.path(.ignore), ["never", "-"]),
    (.path(.type), ["wired", "wifi cellular", "!wifi"]), (.path(.preference), ["first", "1001", "-1001", "1.5"]),
  ]

  @Test func `each key has values that are rejected`() {
    #expect(Self.rejected.map(\.0) == ConfigurationKey.all.map(\.effect))
    #expect(ConfigurationKey.all.count == ConfigurationKey.Effect.allCases.count)
  }

  @Test(arguments: rejected)
  func `a rejection names line, value, key, and the allowed values`(
    effect: ConfigurationKey.Effect, values: [String]
  ) throws {
    let key = try #require(ConfigurationKey.all.first { $0.effect == effect })
    for value in values {
      let text = Self.text(key, value)
      let problem = #expect(throws: ConfigurationProblem.self, "\(key.shown)\(value)") {
        try ConfigurationFile(parsing: text, path: "x.conf")
      }
      guard let problem else { continue }
      #expect(problem.line == text.split(separator: "\n").count)
      #expect(problem.message.contains(key.shown), "\(problem)")
      #expect(!problem.message.hasSuffix("."))
      let tells = ["allowed: \(key.allowed)", "needed", "write for example", "lacks a closing quotation mark"]
      #expect(tells.contains { problem.message.contains($0) }, "\(problem)")
    }
  }

  @Test(arguments: [
    ("yes", true), ("no", false), ("true", true), ("FALSE", false), ("On", true), ("off", false), ("1", true),
    ("0", false), ("y", true), ("n", false), ("t", true), ("f", false),
  ])
  func `booleans are spelled as in systemd`(value: String, expected: Bool) throws {
    for key in ["Expensive", "Constrained", "Ignore"] {
      let file = try ConfigurationFile(parsing: "[Match]\nName=*\n[Path]\n\(key)=\(value)\n", path: "x.conf")
      let ruling = try #require(file.rule?.ruling)
      let word = ruling.isExpensive ?? ruling.isConstrained ?? ruling.isIgnored
      #expect(word == .init(expected, origin: "x.conf:4"))
    }
  }

  private static let negation =
    "one '!' before the first alternative negates the whole list, and no other can stand in it; allowed:"

  @Test(arguments: [
    ("[Match]\nName=x\n", "line 1: [Match] without [Path] has no effect; write [Path] below it"),
    (
      "\n[Path]\nExpensive=yes\n",
      "line 2: [Path] without [Match] means no interface; write [Match] with for example Name=* above it"
    ),
    (
      "[Match]\n[Path]\nExpensive=yes\n",
      "line 1: nothing in [Match] says which interfaces; write Name=* for all of them"
    ),
    (
      "[Match]\nName=x\nName=\n[Path]\nExpensive=yes\n",
      "line 1: nothing in [Match] says which interfaces; write Name=* for all of them"
    ),
    ("[Match]\nName=x\n[Path]\n", "line 3: nothing is said in [Path]; write for example Expensive=yes"),
    (
      "[Match]\nName=x\n[Path]\nExpensive=yes\n[Match]\n",
      "line 5: there is a second [Match]; a file holds one rule, so write the other into a file of its own"
    ),
    (
      "[Path]\nName=x\n",
      "line 2: there is no key 'Name' in [Path]; allowed: Expensive=, Constrained=, Ignore=, Type=, Preference="
    ),
    ("Expensive=yes\n", "line 1: 'Expensive=' stands before any section; write [Path] above it"),
    (
      "[Match]\nName=x\nName=!y\n[Path]\nExpensive=yes\n",
      "line 3: lines of Name= with and without '!' cannot be joined; write all alternatives with the same beginning"
    ),
    ("[Match]\nName=eth0 # cable", "line 2: '#' is no value for Name=: a comment stands on a line of its own"),
    ("[Match]\nName=eth0 ;cable", "line 2: ';cable' is no value for Name=: a comment stands on a line of its own"),
    ("[Path]\nIgnore=no # keep", "line 2: 'no # keep' is no value for Ignore=: a comment stands on a line of its own"),
    (
      "[Monitor]\nProbe=192.0.2.1 # router",
      "line 2: '#' is no address for SampleAddress=: IPv4 or IPv6 in numbers is needed, and a comment stands on a line "
        + "of its own"
    ),
    ("[Match]\nName=!eth* !wlan*", "line 2: '!wlan*' is no value for Name=: \(negation)"),
    ("[Match]\nName=!!eth0", "line 2: '!eth0' is no value for Name=: \(negation)"),
    ("[Match]\nName=eth0 !wlan0", "line 2: '!wlan0' is no value for Name=: \(negation)"),
    ("[Match]\nType=!wifi !cellular", "line 2: '!cellular' is no value for Type=: \(negation)"),
    ("[Match]\nGateway=!192.0.2.1 !192.0.2.2", "line 2: '!192.0.2.2' is no value for Gateway=: \(negation)"),
    (
      "[Match]\nType=wifo\n",
      "line 2: 'wifo' is no value for Type= (did you mean 'wifi'?); allowed: "
        + "one or more of wifi, cellular, wiredEthernet, loopback, other, ethernet with spaces between; "
        + "a '!' before them negates the match"
    ),
  ])
  func `a rule that would do nothing or two things, or not what it seems to, is reported`(
    text: String, message: String
  ) {
    let problem = #expect(throws: ConfigurationProblem.self) { try ConfigurationFile(parsing: text, path: "x.conf") }
    #expect(problem?.description.hasPrefix(message) == true, "\(String(describing: problem))")
  }

  @Test func `a file may have settings for the machine and a rule`() throws {
    let file = try ConfigurationFile(
      parsing: "[Match]\nType=wifi\n[Monitor]\nSettle=0\n[Path]\nConstrained=yes\n", path: "x.conf")
    #expect(file.rule?.ruling.isConstrained?.value == true)
    var merged = MergedConfiguration()
    try merged.add(file)
    #expect(merged.monitor.settle == SettleTimes(.zero))
  }

  @Test(arguments: [("\"!net\"", "!net"), ("\\!net", "!net"), ("\"#1 net\"", "#1 net"), ("\\#1", "#1"), ("';'", ";")])
  func `in quotation marks or behind a backslash these signs are part of a name`(value: String, name: String) throws {
    let file = try ConfigurationFile(parsing: "[Match]\nSSID=\(value)\n[Path]\nExpensive=yes\n", path: "x.conf")
    let list = try #require(file.rule?.match.networkNames)
    #expect(!list.isInverted)
    #expect(list.alternatives.count == 1)
    #expect(list.alternatives.allSatisfy { $0.matches(name) })
  }

  @Test(arguments: [
    (
      "[Monitor]\nProbe=router\nSettel=1s\n[Match\nNome=eth0\n[Path]\nExpensive=perhaps\nType=radio\n[Match]\n"
        + "Name=eth0 # cable\nstray\n", [2, 3, 4, 7, 8, 10, 11]
    ),
    ("Name=eth0\nType=wifi\n", [1]), ("[Match]\nName=x\n[Path]\nExpensive=perhaps\n", [4]),
    ("[Macth]\nName=x\n[Path]\nExpensive=yes\n", [1]), ("[Match]\nNome=x\n", [2, 1]),
    ("[Match]\n[Path]\nExpensive=2\n", [3, 1]),
    (String(repeating: "stray\n", count: 1_000), Array(1...100)),
  ])
  func `every mistake of a file is found, up to a limit, but none that follows from another`(
    text: String, lines: [Int]
  ) throws {
    let problem = try #require(
      #expect(throws: ConfigurationProblem.self) { try ConfigurationFile(parsing: text, path: "x.conf") })
    #expect(([problem] + problem.further).map(\.line) == lines)
    #expect(problem.further.allSatisfy { $0.further.isEmpty })
  }

  private static func merged(_ texts: String...) throws -> MergedConfiguration {
    var merged = MergedConfiguration()
    for (number, text) in texts.enumerated() {
      try merged.add(try ConfigurationFile(parsing: text, path: "\(number).conf"))
    }
    return merged
  }

  @Test func `later files add to lists, replace values, and remove them with an empty value`() throws {
    let merged = try Self.merged(
      "[Monitor]\nProbe=192.0.2.1\nSettle=1s\nConnections=5\n", "[Monitor]\nProbe=192.0.2.2\nSettle=2s\n",
      "[Monitor]\nConnections=\nConnectionsPerUser=7\n")
    #expect(merged.monitor.probes == ProbeAddresses(["192.0.2.1", "192.0.2.2"].compactMap { IPAddress($0) }))
    #expect(merged.monitor.settle == SettleTimes(.seconds(2)))
    #expect(merged.monitor.connections == nil)
    #expect(merged.monitor.connectionsPerUser == 7)
    #expect(
      merged.monitorSettings.map { "\($0.path):\($0.setting.line) \($0.setting.key.shown)\($0.setting.value)" } == [
        "0.conf:2 SampleAddress=192.0.2.1", "1.conf:2 SampleAddress=192.0.2.2", "1.conf:3 Settle=2s",
        "2.conf:3 ConnectionsPerUser=7",
      ])
  }

  @Test func `a file that does not go together with those before it changes nothing`() throws {
    let most = (1...ProbeAddresses.limit).map { "192.0.2.\($0)" }.joined(separator: " ")
    var merged = try Self.merged("[Monitor]\nProbe=\(most)\n")
    let more = try ConfigurationFile(parsing: "[Monitor]\nSettle=0\nProbe=192.0.2.99\n", path: "more.conf")
    let problem = #expect(throws: ConfigurationProblem.self) { try merged.add(more) }
    #expect(problem?.line == 3)
    #expect(merged.monitor.settle == nil)
    #expect(merged.files.map(\.path) == ["0.conf"])
  }
}
