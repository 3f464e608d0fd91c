import Connections
import PathModel
import SystemIO
import Testing

/// The rule: which addresses' connections are ended, and when.
@Suite("Addresses that are gone")
struct GoneAddressesTests {
  private static let (wifi, cable, tunnel) = (
    IPAddress(ipv4: 0xc000_0207), IPAddress(ipv4: 0xc633_6407), IPAddress(ipv6: 0x2001_0db8_0000_0000, 7)
  )
  private static let addresses = [
    "wifi": wifi, "cable": cable, "tunnel": tunnel, "localhost": IPAddress(ipv4: 0x7f00_0001),
    "localhost6": IPAddress(ipv6: 0, 1),
  ]
  private static let both: Set<IPAddress.Family> = [.ipv4, .ipv6]

  private static func at(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000_000).advanced(by: .seconds(seconds))
  }

  /// A rule that has seen these addresses at second 0.
  private static func rule(_ present: IPAddress..., isSatisfied: Bool = true) -> GoneAddresses {
    var rule = GoneAddresses(grace: .init(.seconds(5), tunnel: .seconds(30)))
    rule.observe(Set(present), at: at(0))
    rule.observe(satisfied: isSatisfied ? both : [], at: at(0))
    return rule
  }

  private static func due(_ rule: GoneAddresses, _ second: Double) -> Set<IPAddress> {
    Set(rule.due(at: at(second)).keys)
  }

  /// Scripts of a rule with a grace of 5 s, and 30 s for tunnels. Each step has its second and a verb:
  ///
  /// - `have`, `tunnel`, `seen`, `incomplete`: the addresses are configured, a further one is and belongs to a tunnel,
  ///   some were configured since the last reading, or messages were lost.
  /// - `path`: the families of the satisfied path, `both` or none; `restart`: another program gets the record.
  /// - `ended`, `failed`: all that is due was ended, but for the addresses.
  /// - `due`, `since`, `next`: the addresses that are due, the second since which one is away, and that of the next.
  static let scripts = [
    (
      "an address is due when it has been away for the grace, and not before",
      "0 have wifi cable; 0 path both; 10 have cable; 14.9 due; 14.9 next 15; 15 due wifi; 15 since wifi 10"
    ),
    (
      "an address that was never seen configured is never due",
      "0 have cable; 0 path both; 10 have cable; 10 next never; 1000 due"
    ),
    (
      "an address that comes back within the grace is not due, on whichever interface",
      "0 have wifi; 0 path both; 10 have; 14.9 have wifi; 14.9 next never; 1000 due"
    ),
    (
      "an address that was there for a moment has to stay away for the whole grace again",
      "0 have wifi; 0 path both; 10 have; 14 seen wifi; 14 next 19"
    ),
    (
      "lost messages may have been about any address, so each grace begins again",
      "0 have wifi tunnel; 0 path both; 10 have; 14 incomplete; 18.9 due; 19 due wifi tunnel"
    ),
    (
      "an address that came and went between two readings was configured, but for loopback",
      "0 have cable; 0 path both; 10 seen localhost localhost6; 10 next never; 10 seen wifi; 15 due wifi"
    ),
    (
      "nothing is due without a path, however long that lasts",
      "0 have wifi; 0 path both; 10 have; 10.2 path; 10.2 next never; 3700 due"
    ),
    (
      "the path has to be satisfied for the whole grace, because a tunnel comes back after it",
      """
      0 have wifi tunnel; 0 path both; 10 have; 10 path; 600 have cable; 600 path both; 604.9 due; \
      604 have cable tunnel; 605 due wifi
      """
    ),
    (
      "a path that is satisfied again and again is not satisfied for the grace",
      """
      0 have wifi; 0 path both; 10 have; 11 path; 11.1 path both; 14 due; 14 path; 14.1 path both; 17 due; 17 path; \
      17.1 path both; 20 due
      """
    ),
    (
      "the same satisfied path is not a new one",
      "0 have wifi; 0 path both; 10 have; 10 path both; 12 path both; 14 path both; 15 due wifi"
    ),
    (
      "an address whose connections were ended is forgotten until it is seen again",
      "0 have wifi; 0 path both; 10 have; 15 ended; 20 have; 20 next never; 30 have wifi; 40 have; 45 due wifi"
    ),
    (
      "a family that comes with another address ends the former after its own grace",
      """
      0 have cable tunnel; 0 path both; 10 have; 12 path ipv6; 20 have wifi; 20 path both; 24.9 due tunnel; \
      25 due cable tunnel
      """
    ),
    (
      "the address of a tunnel has the time that a restart takes, unless another device had it last",
      """
      0 path both; 5 have wifi; 5 tunnel tunnel; 10 have; 15 due wifi; 39.9 due wifi; 40 due wifi tunnel; \
      50 have tunnel; 60 have; 65 due wifi tunnel
      """
    ),
    (
      "a failure waits for the path, and is forgotten when the address is back",
      """
      0 have wifi; 0 path both; 10 have; 15 failed wifi; 15.1 path; 15.1 next never; 20 path both; 20 next 25; \
      21 have wifi; 30 have; 30 next 35
      """
    ),
    (
      "a restart forgets neither the addresses that have gone before it nor those that go meanwhile",
      """
      0 have wifi cable; 0 path both; 10 have cable; 10 tunnel tunnel; 12 restart; 12 have; 12 next never; \
      13 path both; 17.9 due; 18 since wifi 10; 18 due wifi cable; 43 due wifi cable tunnel
      """
    ),
    (
      "an address that is back at the restart is not due",
      "0 have wifi; 0 path both; 10 have; 12 restart; 12 have wifi; 12 path both; 1000 due"
    ),
    (
      "a moment that is yet to come is the present one",
      "0 have wifi; 0 path both; 100 have; 20 restart; 20 have; 20 path both; 25 since wifi 20; 25 due wifi"
    ),
  ]

  @Test(arguments: scripts) func `an address is due as its script says`(name: String, script: String) throws {
    var rule = GoneAddresses(grace: .init(.seconds(5), tunnel: .seconds(30)))
    for step in script.split(separator: "; ") {
      let words = step.split(separator: " ").map(String.init)
      let (now, rest) = (Self.at(try #require(Double(words[0]), "\(step)")), words.dropFirst(2))
      let named = Set(rest.compactMap { Self.addresses[$0] })
      switch words[1] {
      case "have": rule.observe(named, at: now)
      case "tunnel": rule.observe(rule.present.union(named), tunnels: named, at: now)
      case "seen": rule.observe(rule.present, seen: named, at: now)
      case "incomplete": rule.observe(rule.present, isIncomplete: true, at: now)
      case "path": rule.observe(satisfied: rest == ["both"] ? Self.both : rest == ["ipv6"] ? [.ipv6] : [], at: now)
      case "restart":
        let record = rule.record
        rule = GoneAddresses(grace: .init(.seconds(5), tunnel: .seconds(30)))
        let isRestored = rule.restore(record, at: now)
        #expect(isRestored)
      case "ended", "failed": rule.attempted(rule.due(at: now).keys, failed: named, at: now)
      case "due": #expect(Set(rule.due(at: now).keys) == named, "\(name): \(step)")
      case "since":
        let moment = rest.last.flatMap { Double($0) }.map(Self.at)
        #expect(try rule.due(at: now)[#require(named.first)] == moment, "\(name): \(step)")
      case "next": #expect(rule.nextDue == Double(words[2]).map(Self.at), "\(name): \(step)")
      default: Issue.record("no verb: \(step)")
      }
    }
  }

  @Test func `at the limit the oldest are forgotten, and nothing is due that should not be`() {
    var rule = Self.rule(isSatisfied: false)
    let many = Set((0..<UInt64(GoneAddresses.limit)).map { IPAddress(ipv6: 1, $0 + 2) })
    rule.observe([Self.wifi], at: Self.at(1))
    rule.observe(many, at: Self.at(2))
    rule.observe([], at: Self.at(3))
    rule.observe(satisfied: Self.both, at: Self.at(4))
    let due = Self.due(rule, 60)
    #expect(due.count == GoneAddresses.limit && !due.contains(Self.wifi))
  }

  /// A dual-stack network that goes at second 10 and comes back one family after the other: the second at which the
  /// addresses of each family are back with a path, and those that are due at the end of the minute after.
  static let returns: [(ipv4: Double?, ipv6: Double?, gone: Set<IPAddress>)] = [
    (20, 20, []),
    // As late as DHCP is, and IPv6 after a lost announcement.
    (27, 20, []), (70, 20, []), (20, 28, []),
    (20, nil, [tunnel]), (nil, 20, [cable]), (nil, nil, []),
  ]

  @Test(arguments: returns)
  func `a dual-stack network that comes back one family at a time ends nothing`(
    ipv4: Double?, ipv6: Double?, gone: Set<IPAddress>
  ) {
    var rule = Self.rule(Self.cable, Self.tunnel)
    rule.observe([], at: Self.at(10))
    rule.observe(satisfied: [], at: Self.at(10))
    for second in 11...79 {
      let now = Self.at(Double(second))
      let families = Self.both.filter { ($0 == .ipv4 ? ipv4 : ipv6) ?? 100 <= Double(second) }
      rule.observe(satisfied: families, at: now)
      rule.observe(Set([Self.cable, Self.tunnel].filter { families.contains($0.family) }), at: now)
      #expect(Self.due(rule, Double(second)).isEmpty, "second \(second)")
    }
    #expect(Self.due(rule, 80) == gone)
  }

  @Test func `a long grace holds for a family without a path, too`() {
    var rule = GoneAddresses(grace: .init(.seconds(300), tunnel: .seconds(30)))
    rule.observe([Self.wifi], at: Self.at(0))
    rule.observe(satisfied: [.ipv6], at: Self.at(0))
    rule.observe([], at: Self.at(10))
    #expect(rule.nextDue == Self.at(310))
  }

  @Test func `an address whose connections could not be ended is due again after growing pauses, the others are not`() {
    var rule = Self.rule(Self.wifi, Self.cable)
    rule.observe([], at: Self.at(10))
    var now = 15.0
    for pause in [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30] {
      let due = Self.due(rule, now)
      #expect(due.contains(Self.wifi), "second \(now)")
      rule.attempted(due, failed: [Self.wifi], at: Self.at(now))
      #expect(rule.nextDue == Self.at(now + pause) && Self.due(rule, now + pause - 0.01).isEmpty)
      now += pause
    }
    #expect(Self.due(rule, now) == [Self.wifi])
    rule.attempted(Self.due(rule, now), failed: [], at: Self.at(now))
    #expect(rule.nextDue == nil)
  }

  @Test(
    "nothing is taken over from anything but a record",
    arguments: [
      "{}", "192.0.2.7", "x -", "192.0.2.7 x", "192.0.2.7 1 x", "192.0.2.7 - tunnel x", "fe80::1%eth0 -", "127.0.0.1 -",
      "192.0.2.7 -\n::1 5", "192.0.2.7 99999999999999999999", "192.0.2.7 -\n\0", "192.0.2.7\t-", "\u{FEFF}192.0.2.7 -",
    ])
  func notARecord(_ text: String) {
    var rule = Self.rule()
    let isRestored = rule.restore(Array(text.utf8), at: Self.at(1))
    #expect(!isRestored)
    rule.observe([], at: Self.at(2))
    #expect(rule.nextDue == nil)
  }

  @Test func `a record with more addresses than the limit keeps the newest`() throws {
    let record = (0..<GoneAddresses.limit + 1).map { "2001:db8::\(String($0 + 1, radix: 16)) \($0 + 1)\n" }.joined()
    var rule = Self.rule()
    let isRestored = rule.restore(Array(record.utf8), at: Self.at(1))
    #expect(isRestored)
    #expect(rule.missing.count == GoneAddresses.limit && rule.missing[IPAddress(ipv6: 0x2001_0db8_0000_0000, 1)] == nil)
  }
}
