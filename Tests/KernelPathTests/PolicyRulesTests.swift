import PathDecisions
import PathModel
import Testing

@testable import KernelPath

@Suite("The users and sources that policy rules name")
struct PolicyRulesTests {
  @Test func `a rule for some users names them, in either family`() throws {
    let ipv4 = try #require(CapturedMessage.ruleOfUsers.rule)
    #expect(ipv4.family == .ipv4)
    #expect(ipv4.users == 1_000...1_999)
    #expect(CapturedMessage.ruleOfUsersDeleted.rule == ipv4)
    let ipv6 = try #require(CapturedMessage.ruleOfUsersIPv6.rule)
    #expect(ipv6.family == .ipv6)
    #expect(ipv6.users == 0...999)
  }

  @Test func `a rule for all users names none`() throws {
    let rule = try #require(CapturedMessage.ruleAdded.rule)
    #expect(rule.family == .ipv4)
    #expect(rule.users == nil)
  }

  @Test(arguments: [
    (UInt32(5), UInt32(5), Optional(UInt32(5)...5)), (0, .max, 0...(.max)), (.max, .max, .max...(.max)), (2, 1, nil),
    (.max, 0, nil),
  ])
  func `a range that ends before it starts is none`(start: UInt32, end: UInt32, range: ClosedRange<UInt32>?) throws {
    #expect(try #require(Self.rule(MessageBuilder.bytes(start) + MessageBuilder.bytes(end))).users == range)
  }

  @Test func `a longer range is read from its start, a shorter one throws`() throws {
    let value = MessageBuilder.bytes(UInt32(7)) + MessageBuilder.bytes(UInt32(8))
    #expect(Self.rule(value + [1, 2, 3, 4])?.users == 7...8)
    for length in 0..<8 { #expect(Self.rule(Array(value[..<length])) == nil) }
  }

  @Test func `the error of a truncated rule names the missing bytes`() throws {
    let bytes = MessageBuilder.message(32, [2, 0, 0])
    let error = try #require(throws: NetlinkDecodingError.self) { try DecodedMessage.all(in: bytes) }
    #expect(error.description == "cannot decode fib_rule_hdr: needs 12 bytes, has 3 (at byte 16)")
  }

  @Test func `ranges are in order, each once, and without those of all users`() {
    let ranges: [ClosedRange<UInt32>] = [
      5...9, 0...(.max), 5...7, 1...(.max), 5...9, 0...(.max - 1), 0...(.max - 2), 3...3,
    ]
    #expect(PolicyRules.distinct(ranges) == [0...(.max - 2), 1...(.max), 3...3, 5...7, 5...9])
    #expect(PolicyRules.distinct([]).isEmpty)
  }

  /// A rule with these bytes as its range of users.
  private static func rule(_ value: [UInt8]) -> PolicyRule? {
    let payload = MessageBuilder.ruleHeader(family: 2) + MessageBuilder.attribute(20, value)
    return CapturedMessage(bytes: MessageBuilder.message(32, payload)).rule
  }

  @Test func `a rule names a source when it has a prefix for it`() throws {
    var header = MessageBuilder.ruleHeader(family: 2)
    for (length, names) in [(UInt8(0), false), (1, true), (32, true)] {
      header[2] = length
      let bytes = MessageBuilder.message(32, header + MessageBuilder.attribute(2, [192, 0, 2, 2]))
      guard case .rule(let rule?)? = try DecodedMessage.all(in: bytes).first else {
        Issue.record("no rule")
        continue
      }
      #expect(rule.namesSource == names)
    }
  }
}
