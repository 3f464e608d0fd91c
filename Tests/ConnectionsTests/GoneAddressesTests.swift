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
    var rule = GoneAddresses(grace: .seconds(5))
    rule.observe(Set(present), at: at(0))
    rule.observe(isSatisfied: isSatisfied, at: at(0))
    return rule
  }

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
    rule.observe(isSatisfied: false, at: Self.at(10.2))
    #expect(rule.nextDue == nil && Self.due(rule, 3_700).isEmpty)
  }

  @Test func `the path has to be satisfied for the whole grace, because a tunnel comes back after it`() {
    var rule = Self.rule(Self.wifi, Self.tunnel)
    rule.observe([], at: Self.at(10))
    rule.observe(isSatisfied: false, at: Self.at(10))
    rule.observe([Self.cable], at: Self.at(600))
    rule.observe(isSatisfied: true, at: Self.at(600))
    #expect(Self.due(rule, 604.9).isEmpty)
    rule.observe([Self.cable, Self.tunnel], at: Self.at(604))
    #expect(Self.due(rule, 605) == [Self.wifi])
  }

  @Test func `a path that is satisfied again and again is not satisfied for the grace`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    for second in stride(from: 11.0, to: 60, by: 3) {
      rule.observe(isSatisfied: false, at: Self.at(second))
      rule.observe(isSatisfied: true, at: Self.at(second + 0.1))
      #expect(Self.due(rule, second + 2.9).isEmpty)
    }
  }

  @Test func `the same satisfied path is not a new one`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    for second in 10..<15 { rule.observe(isSatisfied: true, at: Self.at(Double(second))) }
    #expect(Self.due(rule, 15) == [Self.wifi])
  }

  @Test func `an address whose connections were ended is forgotten until it is seen again`() {
    var rule = Self.rule(Self.wifi)
    rule.observe([], at: Self.at(10))
    rule.forget(Self.due(rule, 15))
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
    rule.observe(isSatisfied: true, at: Self.at(4))
    let due = Self.due(rule, 60)
    #expect(due.count == GoneAddresses.limit && !due.contains(Self.wifi))
  }
}
