import PathModel
import Testing

@testable import PathControl

@Suite("Single values and lines for bars")
struct PathFieldTests {
  private static var online: NetworkPath {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: "eth0", index: 2, type: .wiredEthernet, underlyingTypes: [.wifi, .cellular], mtu: 1_500),
      NetworkInterface(name: "wlan0", index: 3, type: .wifi),
    ]
    path.interfaceType = .wiredEthernet
    path.supportsIPv4 = true
    path.gateways = ["192.0.2.1", "198.51.100.1"].compactMap { IPAddress($0) }
    path.changed = ["status", "gateways"]
    path.sequence = 7
    return path
  }

  private static var offline: NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noRoute
    path.interfaces = [NetworkInterface(name: "wlan0", index: 3, type: .wifi)]
    path.overrides = ["by hand"]
    return path
  }

  private static func text(_ name: String, _ path: NetworkPath) throws -> String {
    try #require(PathField(name: name)).text(of: path)
  }

  @Test(arguments: [
    ("status", "satisfied", "unsatisfied"), ("interface", "eth0", ""), ("interfaceType", "wiredEthernet", ""),
    ("unsatisfiedReason", "", "noRoute"), ("supportsIPv4", "true", "false"), ("gateways", "192.0.2.1 198.51.100.1", ""),
    ("interface.name", "eth0", ""), ("interface.mtu", "1500", ""), ("interface.driver", "", ""),
    ("interface.underlyingTypes", "wifi cellular", ""), ("interface.isExpensive", "false", ""),
    ("changed", "status gateways", ""), ("sequence", "7", "0"), ("cost", "", ""), ("overrides", "", #"["by hand"]"#),
  ])
  func `a field is printed as it is, words with spaces between them, and an absent one as an empty line`(
    name: String, online: String, offline: String
  ) throws {
    #expect(try Self.text(name, Self.online) == online)
    #expect(try Self.text(name, Self.offline) == offline)
  }

  @Test func `every key of a path in JSON is a field, with one line for a value`() throws {
    let members = try #require(try JSONValue(parsing: Self.online.jsonText).objectValue).members
    for member in members { #expect(try !Self.text(member.key, Self.online).contains("\n"), "\(member.key)") }
    let carrier = try #require(members.first { $0.key == "interfaces" }?.value.arrayValue?.first?.objectValue)
    #expect(
      PathField.names == members.map(\.key) + ["interface"] + carrier.members.map { "interface.\($0.key)" })
    #expect(PathField(name: "Interface") == nil)
  }

  @Test func `a field that is an object is JSON`() throws {
    let interfaces = try JSONValue(parsing: Array(Self.text("interfaces", Self.online).utf8)).arrayValue
    #expect(interfaces?.count == 2)
  }

  @Test func `a name that would garble a terminal is escaped`() throws {
    var path = Self.online
    path.interfaces[0].name = "e\u{1b}[2J"
    #expect(try Self.text("interface", path) == "e\\u{1B}[2J")
  }

  // MARK: Templates

  @Test(arguments: [
    ("{summary}", "Ethernet eth0", "offline"), ("{kind} {interface.mtu}", "Ethernet 1500", ""),
    ("{kind} {interface}", "Ethernet eth0", ""),
    ("{connection}, {metering}", "connected, unmetered", "offline,"), ("{{{status}}}", "{satisfied}", "{unsatisfied}"),
    ("net", "net", "net"), ("[{interface}]", "[eth0]", "[]"),
    ("{sentence}", "connected over eth0 (wired Ethernet) via 192.0.2.1", "offline: no route"),
  ])
  func `a template has values in its braces`(template: String, online: String, offline: String) throws {
    let template = try PathTemplate(template)
    #expect(template.text(of: Self.online) == online)
    #expect(template.text(of: Self.offline).hasPrefix(offline))
  }

  @Test(arguments: ["", "{", "}", "{}", "{nothing}", "a}b", "{summary", "{{}"])
  func `a template with a mistake is refused with a reason`(template: String) {
    let error = #expect(throws: PathTemplate.ParseError.self) { try PathTemplate(template) }
    #expect(error?.reason.isEmpty == false)
  }

  @Test func `an unknown path is neither connected nor offline`() throws {
    var stale = Self.online
    stale.knowledge = .stale
    for path in [NetworkPath.unknown, stale] {
      #expect(PathSummary(path)[.summary] == "not known")
      #expect(PathSummary(path)[.kind].isEmpty && PathSummary(path)[.metering].isEmpty)
    }
  }

  @Test(arguments: [
    (PathValidation.State.unanswered, "connected over eth0, unanswered"),
    (.portal, "connected over eth0, sign-in wanted"),
    (.partial, "connected over eth0, answered in part"), (.validated, "connected over eth0"),
    (.unknown, "connected over eth0"), (.init(rawValue: "later"), "connected over eth0"),
  ])
  func `few words have the verdict on the answers of the Internet if traffic fails`(
    state: PathValidation.State, words: String
  ) {
    var path = Self.online
    path.validation.state = state
    #expect(PathSummary(path)[.brief] == words)
    #expect(PathField(name: "validation")?.text(of: path) == state.rawValue)
  }

  @Test func `a line for Waybar has an icon's name, classes, and text that is no markup`() throws {
    var path = Self.online
    path.interfaces[0].name = "a<b>&"
    path.isExpensive = true
    let object = try #require(try JSONValue(parsing: Array(PathSummary(path).waybar.utf8)).objectValue)
    #expect(object["text"]?.stringValue == "Ethernet a&lt;b&gt;&amp;")
    #expect(object["alt"]?.stringValue == "ethernet")
    #expect(object["class"]?.arrayValue?.compactMap(\.stringValue) == ["ethernet", "metered"])
    #expect(object["tooltip"]?.stringValue?.hasPrefix("connected over a&lt;b&gt;&amp;") == true)
    path.validation.state = .portal
    #expect(PathSummary(path).waybar.contains(#""class":["ethernet","metered","portal"]"#))
    path.validation.state = .validated
    #expect(PathSummary(path).waybar.contains(#""class":["ethernet","metered"]"#))
    path.interfaces[0].networkName = "caf\\xe9\n<i>"
    let wireless = try #require(try JSONValue(parsing: Array(PathSummary(path).waybar.utf8)).objectValue)
    #expect(wireless["tooltip"]?.stringValue?.hasSuffix("\nnetwork: caf\\xe9\\n&lt;i&gt;") == true)
    let offline = try #require(try JSONValue(parsing: Array(PathSummary(Self.offline).waybar.utf8)).objectValue)
    #expect(offline["alt"]?.stringValue == "offline")
    let tunnel = { (path: NetworkPath) in
      var path = path
      path.usesTunnel = true
      return PathSummary(path)
    }(Self.online)
    #expect(tunnel[.summary] == "tunnel eth0" && tunnel.waybar.contains(#""alt":"vpn""#))
  }

  // MARK: The line during a wait

  @Test func `the line of a wait is drawn over itself, and taken away before anything else`() {
    var line = WaitingLine(isInPlace: true)
    #expect(line.erase().isEmpty)
    #expect(line.show("waiting for wifi", width: 80) == "\rwaiting for wifi\u{1b}[K")
    #expect(line.show("waiting for wifi", width: 80).isEmpty)
    for (text, width, shown) in [
      ("waiting for wifi", 8, "wait..."), ("waiting for wifi", 2, "."),
      ("waiting for wifi; now connected over eth0", 30, "waiting for wifi; now..."),
      ("waiting for wifi; now offline: no carrier: is the cable in?", 42, "waiting for wifi; now offline: no carrier"),
      ("waiting for wifi; now offline: no carrier: is the cable in?", 41, "waiting for wifi; now offline"),
    ] { #expect(line.show(text, width: width) == "\r\(shown)\u{1b}[K") }
    #expect(line.erase() == "\r\u{1b}[K")
    #expect(line.erase().isEmpty)
  }

  @Test func `on a terminal that cannot erase a line, each text is a line`() {
    var line = WaitingLine(isInPlace: false)
    #expect(line.show("one", width: 80) == "one\n")
    #expect(line.show("one", width: 80).isEmpty)
    #expect(line.show("two", width: 80) == "two\n")
    #expect(line.erase().isEmpty)
  }

  // MARK: Units

  @Test(arguments: [
    (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (8_493_466, "8.1 MiB"), (1_048_575, "1.0 MiB"),
    (5 << 40, "5.0 TiB"), (9_000 << 40, "9000.0 TiB"),
  ])
  func `a size has a unit`(bytes: Int, text: String) {
    #expect(ByteCount.text(bytes) == text)
  }

  @Test(arguments: [
    (Duration.zero, "0 ms"), (.milliseconds(350), "350 ms"), (.seconds(12), "12 s"), (.seconds(7_500), "2 h 5 min"),
    (.seconds(3_600), "1 h"), (.seconds(86_400 + 59), "1 d"), (.seconds(7 * 86_400), "7 d"), (.seconds(-5), "0 ms"),
    (.seconds(61.5), "1 min 1 s"),
  ])
  func `a time has its one or two largest units`(span: Duration, text: String) {
    #expect(TimeSpan.text(span) == text)
  }
}

extension NetworkPath {
  fileprivate var jsonText: [UInt8] {
    Array(PathVariables.of(.init(path: self, former: nil)).first { $0.name == "PATH_JSON" }?.value.utf8 ?? "".utf8)
  }
}
