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

  private static let both: Set<IPAddress.Family> = [.ipv4, .ipv6]

  private static func due(_ rule: GoneAddresses, _ second: Double) -> Set<IPAddress> {
    Set(rule.due(at: at(second)).keys)
  }

  @Test func `an address is due when it has been away for the grace, and not before`() {
    var rule = Self.rule(Self.wifi, Self.cable)
    rule.observe([Self.cable], at: Self.at(10))
    #expect(Self.due(rule, 14.9).isEmpty)
    #expect(rule.nextDue == Self.at(15))
    #expect(rule.due(at: Self.at(15)) == [Self.wifi: Self.at(10)])
  }

  @Test func `an address that was never seen configured is never due`() {
    var rule = Self.rule(Self.cable)
    rule.observe([Self.cable], at: Self.at(10))
    #expect(rule.nextDue == nil && Self.due(rule, 1_000).isEmpty)
  }

  @Test func `an address that comes back within the grace is not due, on whichever interface`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    rule.observe([Self.wifi], at: Self.at(14.9))
    #expect(rule.nextDue == nil && Self.due(rule, 1_000).isEmpty)
  }

  @Test func `an address that was there for a moment has to stay away for the whole grace again`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    rule.observe([], seen: [Self.wifi], at: Self.at(14))
    #expect(rule.nextDue == Self.at(19))
  }

  @Test func `lost messages may have been about any address, so each grace begins again`() {
    var rule = Self.rule(Self.wifi, Self.tunnel)
    rule.observe([], at: Self.at(10))
    rule.observe([], isIncomplete: true, at: Self.at(14))
    #expect(Self.due(rule, 18.9).isEmpty && Self.due(rule, 19) == [Self.wifi, Self.tunnel])
  }

  @Test func `an address that came and went between two readings was configured`() {
    var rule = Self.rule(Self.cable)
    rule.observe([Self.cable], seen: [Self.wifi], at: Self.at(10))
    #expect(Self.due(rule, 15) == [Self.wifi])
  }

  @Test func `loopback is never due`() {
    var rule = Self.rule(Self.cable)
    rule.observe([Self.cable], seen: [IPAddress(ipv4: 0x7f00_0001), IPAddress(ipv6: 0, 1)], at: Self.at(10))
    #expect(rule.nextDue == nil)
  }

  @Test func `nothing is due without a path, however long that lasts`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    rule.observe(satisfied: [], at: Self.at(10.2))
    #expect(rule.nextDue == nil && Self.due(rule, 3_700).isEmpty)
  }

  @Test func `the path has to be satisfied for the whole grace, because a tunnel comes back after it`() {
    var rule = Self.rule(Self.wifi, Self.tunnel)
    rule.observe([], at: Self.at(10))
    rule.observe(satisfied: [], at: Self.at(10))
    rule.observe([Self.cable], at: Self.at(600))
    rule.observe(satisfied: Self.both, at: Self.at(600))
    #expect(Self.due(rule, 604.9).isEmpty)
    rule.observe([Self.cable, Self.tunnel], at: Self.at(604))
    #expect(Self.due(rule, 605) == [Self.wifi])
  }

  @Test func `a path that is satisfied again and again is not satisfied for the grace`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    for second in stride(from: 11.0, to: 60, by: 3) {
      rule.observe(satisfied: [], at: Self.at(second))
      rule.observe(satisfied: Self.both, at: Self.at(second + 0.1))
      #expect(Self.due(rule, second + 2.9).isEmpty)
    }
  }

  @Test func `the same satisfied path is not a new one`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    for second in 10..<15 { rule.observe(satisfied: Self.both, at: Self.at(Double(second))) }
    #expect(Self.due(rule, 15) == [Self.wifi])
  }

  @Test func `an address whose connections were ended is forgotten until it is seen again`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    rule.attempted(Self.due(rule, 15), failed: [], at: Self.at(15))
    rule.observe([], at: Self.at(20))
    #expect(rule.nextDue == nil)
    rule.observe([Self.wifi], at: Self.at(30))
    rule.observe([], at: Self.at(40))
    #expect(Self.due(rule, 45) == [Self.wifi])
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

  // MARK: Families

  /// A dual-stack network that goes at second 10 and comes back one family after the other: the second at which the
  /// addresses of each family are back with a path, and those that are due at the end of the minute after.
  struct Return: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let ipv4: Double?
    let ipv6: Double?
    var gone: [IPAddress] = []
  }

  static let returns = [
    Return(testDescription: "together", ipv4: 20, ipv6: 20),
    Return(testDescription: "IPv4 seven seconds late, as DHCP is", ipv4: 27, ipv6: 20),
    Return(testDescription: "IPv4 fifty seconds late", ipv4: 70, ipv6: 20),
    Return(testDescription: "IPv6 eight seconds late, as a lost announcement makes it", ipv4: 20, ipv6: 28),
    Return(testDescription: "IPv4 alone, and IPv6 never", ipv4: 20, ipv6: nil, gone: [tunnel]),
    Return(testDescription: "IPv6 alone, and IPv4 never", ipv4: nil, ipv6: 20, gone: [cable]),
    Return(testDescription: "neither", ipv4: nil, ipv6: nil),
  ]

  @Test(arguments: returns)
  func `a dual-stack network that comes back one family at a time ends nothing`(row: Return) {
    var rule = Self.rule(Self.cable, Self.tunnel)
    rule.observe([], at: Self.at(10))
    rule.observe(satisfied: [], at: Self.at(10))
    for second in 11...79 {
      let now = Self.at(Double(second))
      let families = Self.both.filter { ($0 == .ipv4 ? row.ipv4 : row.ipv6) ?? 100 <= Double(second) }
      rule.observe(satisfied: families, at: now)
      rule.observe(Set([Self.cable, Self.tunnel].filter { families.contains($0.family) }), at: now)
      #expect(Self.due(rule, Double(second)).isEmpty, "second \(second)")
    }
    #expect(Self.due(rule, 80) == Set(row.gone))
  }

  @Test func `a family that comes with another address ends the former after its own grace`() {
    var rule = Self.rule(Self.cable, Self.tunnel)
    rule.observe([], at: Self.at(10))
    rule.observe(satisfied: [.ipv6], at: Self.at(12))
    rule.observe([Self.wifi], at: Self.at(20))
    rule.observe(satisfied: Self.both, at: Self.at(20))
    #expect(Self.due(rule, 24.9) == [Self.tunnel] && Self.due(rule, 25) == [Self.cable, Self.tunnel])
  }

  @Test func `a long grace holds for a family without a path, too`() {
    var rule = GoneAddresses(grace: .init(.seconds(300), tunnel: .seconds(30)))
    rule.observe([Self.wifi], at: Self.at(0))
    rule.observe(satisfied: [.ipv6], at: Self.at(0))
    rule.observe([], at: Self.at(10))
    #expect(rule.nextDue == Self.at(310))
  }

  // MARK: Tunnels

  @Test func `the address of a tunnel has the time that a restart of the tunnel takes`() {
    var rule = Self.rule()
    rule.observe([Self.wifi, Self.tunnel], tunnels: [Self.tunnel], at: Self.at(5))
    rule.observe([], at: Self.at(10))
    #expect(Self.due(rule, 15) == [Self.wifi] && Self.due(rule, 39.9) == [Self.wifi])
    #expect(Self.due(rule, 40) == [Self.wifi, Self.tunnel])
    rule.observe([Self.tunnel], at: Self.at(50))
    rule.observe([], at: Self.at(60))
    #expect(Self.due(rule, 65).contains(Self.tunnel), "another device had the address last")
  }

  // MARK: Failures

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

  @Test func `a failure waits for the path, and is forgotten when the address is back`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    rule.attempted(Self.due(rule, 15), failed: [Self.wifi], at: Self.at(15))
    rule.observe(satisfied: [], at: Self.at(15.1))
    #expect(rule.nextDue == nil)
    rule.observe(satisfied: Self.both, at: Self.at(20))
    #expect(rule.nextDue == Self.at(25))
    rule.observe([Self.wifi], at: Self.at(21))
    rule.observe([], at: Self.at(30))
    #expect(rule.nextDue == Self.at(35))
  }

  // MARK: The record

  /// A program that is started again with the record of another.
  private static func restarted(_ rule: GoneAddresses, at second: Double) -> GoneAddresses? {
    var next = GoneAddresses(grace: .init(.seconds(5), tunnel: .seconds(30)))
    return next.restore(rule.record, at: at(second)) ? next : nil
  }

  @Test func `a restart forgets neither the addresses that have gone before it nor those that go meanwhile`() throws {
    var rule = Self.rule(Self.wifi, Self.cable)
    rule.observe([Self.cable, Self.tunnel], tunnels: [Self.tunnel], at: Self.at(10))
    var next = try #require(Self.restarted(rule, at: 12))
    next.observe([], at: Self.at(12))
    #expect(next.nextDue == nil, "nothing is due before the path is known")
    next.observe(satisfied: Self.both, at: Self.at(13))
    #expect(Self.due(next, 17.9).isEmpty && next.due(at: Self.at(18))[Self.wifi] == Self.at(10))
    #expect(Self.due(next, 18) == [Self.wifi, Self.cable] && Self.due(next, 43).contains(Self.tunnel))
  }

  @Test func `an address that is back at the restart is not due`() throws {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    var next = try #require(Self.restarted(rule, at: 12))
    next.observe([Self.wifi], at: Self.at(12))
    next.observe(satisfied: Self.both, at: Self.at(12))
    #expect(Self.due(next, 1_000).isEmpty)
  }

  @Test func `a moment that is yet to come is the present one`() throws {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(100))
    var next = try #require(Self.restarted(rule, at: 20))
    next.observe([], at: Self.at(20))
    next.observe(satisfied: Self.both, at: Self.at(20))
    #expect(next.due(at: Self.at(25)) == [Self.wifi: Self.at(20)])
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
