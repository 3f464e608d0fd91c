import PathDecisions
import PathModel
import Testing

@testable import KernelPath

/// Rules with all their conditions, as Linux 6.18 lists them, and made by hand.
@Suite("Policy rules")
struct PolicyRulesTests {
  @Test(
    arguments: [
      (
        .ruleInverted, .ipv4, 1_001, .lookup(table: 254),
        "not from all to 198.51.100.0/24 fwmark 0x1/0xff iif lo ipproto 6"
      ),
      (.rulePort, .ipv4, 1_004, .unreachable, "from all"),
      (.ruleBlackhole, .ipv6, 1_005, .blackhole, "from 2001:db8::/32 oif lo"),
      (.ruleOfUsers, .ipv4, 100, .lookup(table: 100), "from all uidrange 1000-1999"),
    ] as [(CapturedMessage, IPAddress.Family, UInt32, PolicyRule.Action, String)])
  func `each condition and action is read`(
    captured: CapturedMessage, family: IPAddress.Family, priority: UInt32, action: PolicyRule.Action, selector: String
  ) throws {
    let rule = try #require(captured.rule)
    #expect(rule.family == family && rule.priority == priority)
    #expect(rule.action == action)
    #expect(rule.selector == selector)
    #expect(rule.suppressedPrefixLength == (selector.hasPrefix("not") ? 0 : nil))
    #expect(rule.looksAtPacket == (action == .unreachable))
  }

  /// A rule with these attributes.
  private static func rule(_ attributes: [UInt8], action: UInt8 = 1, sourceLength: UInt8 = 0) -> PolicyRule? {
    var payload = MessageBuilder.ruleHeader(family: 2) + attributes
    (payload[2], payload[7]) = (sourceLength, action)
    return CapturedMessage(bytes: MessageBuilder.message(32, payload)).rule
  }

  @Test func `a rule jumps, prohibits, asks a table, is for routing domains or does nothing known`() {
    #expect(Self.rule(attribute(4, 32_766), action: 2)?.action == .goTo(priority: 32_766))
    #expect(Self.rule([], action: 8)?.action == .prohibit)
    #expect(Self.rule(attribute(15, 300))?.action == .lookup(table: 300))
    #expect(Self.rule(attribute(19, [1]))?.isForRoutingDomains == true)
    #expect(Self.rule([], action: 3)?.action == PolicyRule.Action.none)
  }

  @Test(arguments: [
    (UInt32(5), UInt32(5), Optional(UInt32(5)...5)), (0, .max, 0...(.max)), (.max, .max, .max...(.max)), (2, 1, nil),
    (.max, 0, nil),
  ])
  func `a range that ends before it starts is none`(start: UInt32, end: UInt32, range: ClosedRange<UInt32>?) throws {
    #expect(try #require(Self.rule(attribute(20, [start, end].flatMap { MessageBuilder.bytes($0) }))).users == range)
  }

  @Test func `a longer range is read from its start, a shorter one throws`() throws {
    let value = MessageBuilder.bytes(UInt32(7)) + MessageBuilder.bytes(UInt32(8))
    #expect(Self.rule(attribute(20, value + [1, 2, 3, 4]))?.users == 7...8)
    for length in 0..<8 { #expect(Self.rule(attribute(20, Array(value[..<length]))) == nil) }
  }

  @Test func `a rule names a source when it has a prefix for it`() throws {
    for length: UInt8 in [0, 1, 32] {
      #expect(Self.rule(attribute(2, [192, 0, 2, 2]), sourceLength: length)?.namesSource == (length > 0))
    }
  }

  @Test func `ranges are in order, each once, and without those of all users`() {
    let ranges: [ClosedRange<UInt32>] = [
      5...9, 0...(.max), 5...7, 1...(.max), 5...9, 0...(.max - 1), 0...(.max - 2), 3...3,
    ]
    #expect(PolicyRules.distinct(ranges) == [0...(.max - 2), 1...(.max), 3...3, 5...7, 5...9])
    #expect(PolicyRules.distinct([]).isEmpty)
  }
}
