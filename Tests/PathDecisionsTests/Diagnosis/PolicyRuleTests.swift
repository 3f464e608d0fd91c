import PathDecisions
import PathModel
import Testing

@Suite("Policy rules and the packets that they match")
struct PolicyRuleTests {
  private static let flow = PolicyRule.Flow(to: IPAddress("203.0.113.9") ?? IPAddress(ipv4: 0), user: 1_000)

  private static func rule(
    _ priority: UInt32, _ action: PolicyRule.Action = .lookup(table: 100),
    _ change: (inout PolicyRule) -> Void = { _ in }
  ) -> PolicyRule {
    var rule = PolicyRule(family: .ipv4, priority: priority, action: action)
    change(&rule)
    return rule
  }

  private static func prefix(_ text: String, _ length: Int) -> PolicyRule.Prefix {
    PolicyRule.Prefix(IPAddress(text) ?? IPAddress(ipv4: 0), length: length)
  }

  @Test func `a rule for a source does not match before one is chosen`() {
    let rule = Self.rule(1) { $0.source = Self.prefix("192.0.2.0", 24) }
    #expect(!rule.matches(Self.flow))
    var chosen = Self.flow
    chosen.source = IPAddress("192.0.2.2")
    #expect(rule.matches(chosen))
    chosen.source = IPAddress("198.51.100.2")
    #expect(!rule.matches(chosen))
  }

  @Test func `conditions that an ordinary TCP socket does not meet keep a rule from matching`() {
    let conditions: [(inout PolicyRule) -> Void] = [
      { $0.mark = (1, 0xff) }, { $0.inputInterface = "eth0" }, { $0.outputInterface = "eth0" }, { $0.users = 0...999 },
      { $0.protocolNumber = 17 }, { $0.looksAtPacket = true }, { $0.isForRoutingDomains = true },
      { $0.destination = Self.prefix("198.51.100.0", 24) },
    ]
    for condition in conditions { #expect(!Self.rule(1, .prohibit, condition).matches(Self.flow)) }
    let met: [(inout PolicyRule) -> Void] = [
      { $0.mark = (0x100, 0xff) }, { $0.inputInterface = "lo" }, { $0.users = 1_000...1_000 },
      { $0.protocolNumber = 6 },
      { $0.destination = Self.prefix("203.0.113.0", 24) },
    ]
    for condition in met { #expect(Self.rule(1, .prohibit, condition).matches(Self.flow)) }
  }

  @Test func `an inverted rule matches a packet that does not fit`() {
    #expect(Self.rule(1) { ($0.mark, $0.isInverted) = ((0xca6c, .max), true) }.matches(Self.flow))
    #expect(!Self.rule(1) { $0.isInverted = true }.matches(Self.flow))
  }

  @Test func `rules are asked in the order of the kernel's list, past jumps, up to one that refuses`() {
    let rules = [
      Self.rule(0, .lookup(table: 255)), Self.rule(10, .goTo(priority: 100)), Self.rule(50, .prohibit),
      Self.rule(100, .none), Self.rule(200, .blackhole), Self.rule(32_766, .lookup(table: 254)),
    ]
    #expect(PolicyRule.asked(by: Self.flow, among: rules).map(\.priority) == [0, 200])
    #expect(
      PolicyRule.asked(by: Self.flow, among: rules.filter { $0.action != .blackhole }).map(\.priority) == [0, 32_766])
  }

  @Test func `tables have the names of the files, and numbers without one`() {
    var names = RouteTableNames()
    #expect([names[254], names[255], names[253], names[100]] == ["main", "local", "default", "100"])
    names.add("# comment\n100\toffice\n0x65 vpn # ten\n102\nx y\n")
    #expect([names[100], names[101], names[102]] == ["office", "vpn", "102"])
  }
}
