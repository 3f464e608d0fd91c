import PathControl
import PathDecisions
import PathEngine
import PathModel
import PathTestSupport
import Testing

@testable import Programs

@Suite("Pictures of paths")
struct RenderingTests {
  private static let plain = Style(isColored: false)

  private static var online: NetworkPath {
    var path = NetworkPath(status: .satisfied, knowledge: .known)
    path.interfaces = [
      NetworkInterface(
        name: "eth0", index: 10, type: .wiredEthernet, mtu: 1500,
        addresses: ["192.0.2.2/24", "2001:db8::2/64"].compactMap { NetworkInterface.Address($0) }),
      NetworkInterface(
        name: "wlan0", index: 3, type: .wifi, mtu: 1500,
        addresses: ["198.51.100.2/24"].compactMap { NetworkInterface.Address($0) }),
    ]
    path.interfaceType = .wiredEthernet
    path.supportsIPv4 = true
    path.supportsDNS = true
    path.gateways = [IPAddress(ipv4: 0xc000_0201)]
    return path
  }

  private static var offline: NetworkPath {
    var path = NetworkPath(status: .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = .noCarrier
    return path
  }

  @Test func `a connected path shows its verdict, its features, and its interfaces`() {
    #expect(
      PathPicture.lines(Self.online, Self.plain) == [
        "● connected  over eth0 (wired Ethernet) via 192.0.2.1",
        "  IPv4 yes  IPv6 no  DNS yes  metered no  constrained no  tunnel no",
        "",
        "  INTERFACE  TYPE            ADDRESSES                    MTU",
        "  eth0       wired Ethernet  192.0.2.2/24 2001:db8::2/64  1500",
        "  wlan0      Wi-Fi           198.51.100.2/24              1500",
      ])
  }

  private static func observation(
    _ text: String, _ verdict: PathValidation.State, _ source: PathValidation.Observation.Source = .host, when: Int = 0
  ) -> PathValidation.Observation {
    .init(source: source, verdict: verdict, when: when, text: text)
  }

  /// The lines below the headline of a path with a validation.
  private static func lines(
    _ state: PathValidation.State, _ seen: [PathValidation.Observation], now: Int = 0
  ) -> ArraySlice<String> {
    var path = online
    path.validation = PathValidation(state: state, since: 1, portal: "https://portal.example/", evidence: seen)
    return PathPicture.lines(path, plain, now: now).dropFirst()
  }

  @Test func `a sign-in page is next to the verdict, with one reason and the next step`() {
    let seen = [("a redirect", .portal), ("another page", .portal), ("a reset", .partial)]
      .map { Self.observation($0, $1) }
    #expect(
      Self.lines(.portal, seen).prefix(2) == [
        "  but sign-in wanted: a redirect, and 1 more", "    'pathctl portal --open' opens https://portal.example/",
      ])
    let right = Self.lines(.validated, [Self.observation("the right answer", .validated)])
    #expect(right.first == "  validated: the right answer", "no page is of use any more")
    let silent = Self.lines(.unanswered, [Self.observation("the router is silent", .unanswered, .router)])
    #expect(silent.first?.hasPrefix("  IPv4") == true, "the cause of the path has said so")
    var path = Self.online
    #expect(Verdict.limit(of: path).contains("also looks connected"))
    path.validation.state = .unanswered
    #expect(Verdict.limit(of: path).contains("the validation of the path has what is known"))
  }

  @Test func `an answer in part is explained by the pieces that fail`() {
    let plain = Self.observation("a: the right answer", .partial)
    let secure = Self.observation("b: the right answer", .validated)
    let (reset, redirect) = (Self.observation("c: a reset", .partial), Self.observation("d: a redirect", .portal))
    for (seen, line) in [
      ([plain, secure, Self.observation("c: nobody", .unanswered)], "  but answered in part: c: nobody"),
      ([plain, reset, secure, redirect], "  but answered in part: c: a reset, and 1 more"),
      // Nobody answers by https, and nothing else fails.
      (
        [plain, Self.observation("e: the right answer", .partial)],
        "  but answered in part: a: the right answer, and 1 more"
      ),
      // The cause has said so.
      ([Self.observation("silence", .unanswered, .router), secure], "  IPv4 yes  IPv6 no"),
    ] { #expect(Self.lines(.partial, seen).first?.hasPrefix(line) == true) }
  }

  private static let hour = 3_600_000_000

  @Test(
    arguments: [
      ([5], 5 + hour, ""), ([5], 6 + hour, " 1 h ago"), ([5], Int.max, " 106751991 d 4 h ago"), ([5], 0, ""),
      ([Int.max], 5, ""), ([0], 4 * hour, ""), ([Int.min, -1], 4 * hour, ""), ([5, hour], 4 * hour, " 3 h ago"),
    ] as [([Int], Int, String)])
  func `the newest answer of a host has its age when that is over an hour`(whens: [Int], now: Int, age: String) {
    let line = Self.lines(.validated, whens.map { Self.observation("here", .validated, when: $0) }, now: now).first
    #expect(line == "  validated\(age): here\(whens.count > 1 ? ", and 1 more" : "")")
    let manager = Self.observation("here", .validated, .networkManager, when: 5)
    #expect(Self.lines(.validated, [manager], now: now).first == "  validated: here", "it observes all the time")
  }

  @Test func `an offline path shows the reason and spare interfaces, an unknown one is never called offline`() {
    var path = Self.offline
    let reason = "○ offline  no carrier: the cable is not plugged in, or the access point out of reach"
    #expect(PathPicture.lines(path, Self.plain) == [reason])
    path.interfaces = [NetworkInterface(name: "eth1", index: 11, type: .wiredEthernet)]
    #expect(PathPicture.lines(path, Self.plain).contains("  usable by sockets bound to it: eth1"))
    #expect(PathPicture.lines(.unknown, Self.plain) == ["○ not known"])
    path = Self.online
    path.knowledge = .stale
    let headline = PathPicture.lines(path, Self.plain)[0]
    #expect(headline.contains("connected") && headline.contains("not known now"))
  }

  @Test func `an expensive path shows its evidence`() {
    var path = Self.online
    path.isExpensive = true
    path.cost = Cost(
      isExpensive: true, isConstrained: false, confidence: .certain,
      evidence: [
        Evidence(source: .interfaceType, verdict: .expensive, confidence: .certain, text: "wwan0 is cellular")
      ])
    #expect(PathPicture.lines(path, Self.plain).contains("  wwan0 is cellular (certain)"))
    let guess = Evidence(source: .networkManager, verdict: .notExpensive, confidence: .guess, text: "it is free")
    path.cost?.evidence.append(guess)
    #expect(!PathPicture.lines(path, Self.plain).contains { $0.contains("it is free") }, "it did not decide")
    path.isExpensive = false
    path.cost = Cost(isExpensive: false, isConstrained: false, confidence: .guess, evidence: [guess])
    #expect(!PathPicture.lines(path, Self.plain).contains { $0.contains("it is free") }, "there is nothing to explain")
  }

  @Test func `plain text has no escape sequence and ASCII no bullet`() {
    let text = PathPicture.lines(Self.online, Style(isColored: false, isUnicode: false)).joined()
    #expect(text.utf8.allSatisfy { (32..<127).contains($0) })
  }

  @Test func `a screen is drawn over itself`() {
    var screen = WatchScreen(Self.plain)
    let first = screen.draw(Self.online, at: "2026-01-31 12:00:00")
    #expect(!first.contains("\u{1b}[8A"))
    #expect(first.filter { $0 == "\n" }.count == 8)
    var update = Self.offline
    update.changed = ["status", "unsatisfiedReason"]
    let second = screen.draw(update, at: "2026-01-31 12:00:05")
    #expect(second.hasPrefix("\u{1b}[8A\r"))
    #expect(second.hasSuffix("\u{1b}[J"))
    #expect(second.contains("since 2026-01-31 12:00:05, changed: status, unsatisfiedReason"))
  }

  @Test func `a line that is wider than the terminal is cut, including its colours`() {
    var screen = WatchScreen(Style(isColored: true, width: 20))
    let text = screen.draw(Self.online, at: "2026-01-31 12:00:00")
    for line in Self.withoutEscapes(text).split(separator: "\n") { #expect(line.count <= 20, "\(line)") }
    #expect(text.contains("\u{1b}[0m"))
    let wider = screen.redraw(width: 100)
    #expect(Self.withoutEscapes(wider).contains("connected  over eth0 (wired Ethernet) via 192.0.2.1"))
  }

  @Test func `a cost of which nothing is known is no answer to the question whether the path is metered`() {
    var path = Self.online
    path.cost = .unknown
    #expect(PathPicture.lines(path, Self.plain)[1].contains("metered unknown"))
    #expect(PathSummary(path)[.metering].isEmpty)
    path.cost?.confidence = .guess
    #expect(PathPicture.lines(path, Self.plain)[1].contains("metered no"))
    #expect(PathSummary(path)[.metering] == "unmetered")
  }

  // MARK: Narrow terminals

  @Test func `on a narrow terminal sentences are folded at spaces, and a table becomes blocks`() {
    #expect(
      PathPicture.lines(Self.online, Style(isColored: false, width: 40)) == [
        "● connected  over eth0 (wired Ethernet)",
        "    via 192.0.2.1",
        "  IPv4 yes  IPv6 no  DNS yes  metered no",
        "  constrained no  tunnel no",
        "",
        "  INTERFACE  eth0",
        "  TYPE       wired Ethernet",
        "  ADDRESSES  192.0.2.2/24 2001:db8::2/64",
        "  MTU        1500",
        "",
        "  INTERFACE  wlan0",
        "  TYPE       Wi-Fi",
        "  ADDRESSES  198.51.100.2/24",
        "  MTU        1500",
      ])
  }

  @Test(arguments: [32, 40, 53, 54, 63, 64, 80, 120])
  func `no line is wider than the terminal, with the same words, coloured or not`(width: Int) {
    for path in [Self.online, Self.offline] {
      let wide = PathPicture.lines(path, Self.plain)
      let lines = PathPicture.lines(path, Style(isColored: true, width: width))
      for line in lines { #expect(LineFolding.columns(of: line) <= width, "\(line)") }
      #expect(lines[0].contains("\u{1b}[") && !wide[0].contains("\u{1b}["))
      func words(_ lines: [String]) -> Set<Substring> { Set(lines.joined(separator: " ").split(separator: " ")) }
      #expect(words(lines.map(Self.withoutEscapes)) == words(wide))
      if width >= 120 { #expect(lines.map(Self.withoutEscapes) == wide) }
    }
  }

  @Test(arguments: [
    ("  one two three", 10, ["  one two", "    three"]), ("one  two  three", 10, ["one  two", "three"]),
    ("  a  b c  d", 6, ["  a", "  b c", "  d"]), ("unbreakable", 4, ["unbreakable"]), ("", 4, [""]),
    ("one  two three", 9, ["one  two", "    three"]), ("one  two three", 5, ["one", "    two", "    three"]),
    ("\u{1b}[1mone\u{1b}[0m two", 7, ["\u{1b}[1mone\u{1b}[0m two"]), ("one two", nil, ["one two"]),
  ])
  func `lines are folded between parts or words, which stay whole`(line: String, width: Int?, lines: [String]) {
    #expect(LineFolding.fold(line, to: width) == lines)
  }

  @Test func `a screen leaves out lines that do not fit the height`() {
    var screen = WatchScreen(Self.plain, height: 6)
    let text = screen.draw(Self.online, at: "2026-01-31 12:00:00")
    #expect(text.filter { $0 == "\n" }.count == 5)
    #expect(text.contains("watched since 2026-01-31 12:00:00"))
    #expect(screen.redraw(width: nil, height: 30).hasPrefix("\u{1b}[5A\r"))
  }

  @Test(arguments: [
    (40, ["  watched since 2026-01-31 12:00:00", "  (q ends)"]),
    (45, ["  watched since 2026-01-31 12:00:00  (q ends)"]),
  ])
  func `the hint about the key stays whole below a screen`(width: Int, lines: [String]) {
    var screen = WatchScreen(Style(isColored: false, width: width))
    let text = Self.withoutEscapes(screen.draw(Self.online, at: "2026-01-31 12:00:00"))
    #expect(text.hasSuffix("\n\n\(lines.joined(separator: "\n"))\n"), "\(text)")
  }

  @Test func `a word is coloured where a whole line would be hard to read on a light terminal`() {
    var path = Self.online
    path.overrides = ["isExpensive true"]
    let causes = [
      Diagnosis(code: .noNameServer, sentence: "connected over eth0, but names cannot be looked up"),
      Diagnosis(code: .smallMTU, subject: "eth0", sentence: "the MTU is small"),
    ]
    let lines = PathPicture.lines(path, Style(isColored: true), causes: causes)
    #expect(lines[0] == "\u{1b}[33moverridden:\u{1b}[0m isExpensive true")
    #expect(lines[2] == "  \u{1b}[33mbut\u{1b}[0m names cannot be looked up")
    #expect(lines.contains("  \u{1b}[33malso:\u{1b}[0m the MTU is small"))
  }

  @Test func `a screen is drawn below the text of another program that has written over it`() {
    var screen = WatchScreen(Self.plain)
    _ = screen.draw(Self.online, at: "2026-01-31 12:00:00")
    screen.forget()
    #expect(screen.redraw(width: 80).hasPrefix("● connected"))
    #expect(screen.redraw(width: 80).hasPrefix("\u{1b}[8A\r"))
  }

  // MARK: Lines

  @Test func `a line whose text equals the one before names the changed fields`() {
    var lines = WatchLines()
    var path = Self.online
    #expect(lines.line(path, at: "12:00:00") == "12:00:00 connected over eth0 (wired Ethernet) via 192.0.2.1")
    path.supportsIPv6 = true
    #expect(lines.line(path, at: "12:00:01") == "12:00:01 connected over eth0 (wired Ethernet) via 192.0.2.1; IPv6 yes")
    path.supportsIPv6 = false
    path.supportsDNS = false
    #expect(lines.line(path, at: "12:00:02").hasSuffix("192.0.2.1; IPv6 no, DNS no"))
    path.interfaces.removeLast()
    #expect(lines.line(path, at: "12:00:03").hasSuffix("; interfaces: eth0 192.0.2.2/24 2001:db8::2/64"))
    path.gateways.append(IPAddress(ipv4: 0xc633_6401))
    #expect(lines.line(path, at: "12:00:04").hasSuffix("; gateways: 192.0.2.1, 198.51.100.1"))
    path.overrides = ["x\u{1b}[2J"]
    #expect(lines.line(path, at: "12:00:05").hasSuffix("; overrides: x\\u{1B}[2J"))
    #expect(lines.line(Self.offline, at: "12:00:06").hasPrefix("12:00:06 offline: "))
    #expect(!lines.line(Self.online, at: "12:00:07").contains(";"), "it does not read as the one before")
  }

  @Test func `every interface is listed with its uses`() {
    let interfaces = [
      ListedInterface(interface: Self.online.interfaces[0], role: .primary),
      ListedInterface(interface: Self.online.interfaces[1], role: .available),
      ListedInterface(
        interface: NetworkInterface(name: "docker0", index: 20, type: .other), role: .unusable("no carrier")),
    ]
    let lines = InterfaceList.lines(interfaces, Self.plain)
    #expect(lines.count == 4)
    #expect(lines[1].contains("eth0") && lines[1].contains("carries the traffic"))
    #expect(lines[2].contains("wlan0") && lines[2].contains("usable when bound to"))
    #expect(lines[3].contains("docker0") && lines[3].contains("no carrier"))
    #expect(InterfaceList.lines([], Self.plain) == ["no interface but loopback"])
  }

  @Test func `the details of an interface fit a narrow terminal, with a line for each known value`() throws {
    let picture = InterfacePicture(
      ListedInterface(
        interface: Self.online.interfaces[1], role: .unusable("no carrier: is the access point in reach?")),
      portOf: "br0")
    #expect(
      picture.lines(Self.plain) == [
        "wlan0 (index 3)", "  use        not usable: no carrier: is the access point in reach?", "  type       Wi-Fi",
        "  cost       unmetered", "  addresses  198.51.100.2/24", "  MTU        1500", "  port of    br0",
      ])
    let narrow = picture.lines(Style(isColored: false, width: 30))
    #expect(narrow.allSatisfy { $0.count <= 30 }, "\(narrow)")
    #expect(
      narrow[1...3] == [
        "  use        not usable: no", "               carrier: is the", "               access point in",
      ])
  }

  @Test(
    arguments: [
      // IFA_F_SECONDARY of IPv4 and IFA_F_TEMPORARY of IPv6 are one bit.
      ("192.0.2.3", .temporary, ""), ("2001:db8::3", .temporary, "temporary"),
      ("2001:db8::3", [.temporary, .deprecated], "temporary, deprecated"),
    ] as [(String, AddressFlags, String)])
  func `an address of IPv6 can be temporary, and one of IPv4 cannot`(
    address: String, flags: AddressFlags, state: String
  ) throws {
    var kernel = KernelState()
    kernel.update(.up(3, "wlan0"))
    kernel.update(
      AddressFacts(interfaceIndex: 3, address: try #require(IPAddress(address)), prefixLength: 24, flags: flags))
    let listed = ListedInterface(interface: Self.online.interfaces[1], role: .available, facts: kernel[3])
    let lines = InterfacePicture(listed, portOf: nil).lines(Self.plain)
    #expect(lines.contains("  addresses  \(address)/24\(state.isEmpty ? "" : " (\(state))")"), "\(lines)")
  }

  private static func withoutEscapes(_ text: String) -> String {
    text.replacing(/\u{1b}\[[0-9;?]*[A-Za-z]/, with: "")
  }
}
