import PathDecisions
import PathModel
import Testing

@testable import KernelPath

/// Rules with all their conditions, as Linux 6.18 lists them.
@Suite("Policy rules for explanations")
struct PolicyRuleDecodingTests {
  // ip rule add pref 1000 from 192.0.2.2 lookup 300
  private static let from = CapturedMessage(
    "from",
    """
    4400000020000200070000006f17000002002000fc0000010000000008000f002c01000008000e00ffffffff050015000000
    000008000600e803000008000200c0000202
    """)

  // ip rule add pref 1001 not to 198.51.100.0/24 fwmark 0x1/0xff iif lo ipproto tcp lookup main suppress_prefixlength 0
  private static let inverted = CapturedMessage(
    "inverted",
    """
    6400000020000200070000006f17000002180000fe0000010200000008000f00fe00000008000e0000000000050015000000
    0000070003006c6f000008000600e903000008000a000100000008001000ff000000050016000600000008000100c6336400
    """)

  // ip rule add pref 1002 prohibit
  private static let prohibit = CapturedMessage(
    "prohibit",
    """
    3c00000020000200070000006f17000002000000000000080000000008000f000000000008000e00ffffffff050015000000
    000008000600ea030000
    """)

  // ip rule add pref 1003 goto 32766
  private static let jump = CapturedMessage(
    "jump",
    """
    4400000020000200070000006f17000002000000000000020000000008000f000000000008000e00ffffffff050015000000
    000008000600eb03000008000400fe7f0000
    """)

  // ip rule add pref 1004 dport 53 unreachable
  private static let port = CapturedMessage(
    "port",
    """
    4c00000020000200070000006f17000002000000000000070000000008000f000000000008000e00ffffffff050015000000
    000008000600ec030000080018003500350006001d00ffff0000
    """)

  // ip -6 rule add pref 1005 from 2001:db8::/32 oif lo blackhole
  private static let blackhole = CapturedMessage(
    "blackhole",
    """
    5800000020000200070000006f1700000a002000000000060000000008000f000000000008000e00ffffffff050015000000
    0000070011006c6f000008000600ed0300001400020020010db8000000000000000000000000
    """)

  // ip rule add pref 1006 l3mdev
  private static let domain = CapturedMessage(
    "domain",
    """
    4400000020000200070000006f17000002000000000000010000000008000f000000000008000e00ffffffff050015000000
    000008000600ee0300000500130001000000
    """)

  private static func rule(_ captured: CapturedMessage) throws -> PolicyRule {
    var rule: PolicyRule?
    var messages = NetlinkMessages(captured.bytes.span)
    while let message = try messages.next() { rule = try PolicyRule(rule: message) }
    return try #require(rule)
  }

  @Test func `a rule for a source leads to a table`() throws {
    let rule = try Self.rule(Self.from)
    #expect(rule.family == .ipv4)
    #expect(rule.priority == 1_000)
    #expect(rule.action == .lookup(table: 300))
    #expect(rule.selector == "from 192.0.2.2")
    #expect(!rule.isInverted)
  }

  @Test func `every condition of an inverted rule is read`() throws {
    let rule = try Self.rule(Self.inverted)
    #expect(rule.selector == "not from all to 198.51.100.0/24 fwmark 0x1/0xff iif lo ipproto 6")
    #expect(rule.action == .lookup(table: 254))
    #expect(rule.suppressedPrefixLength == 0)
  }

  @Test func `the actions of rules are read`() throws {
    #expect(try Self.rule(Self.prohibit).action == .prohibit)
    #expect(try Self.rule(Self.jump).action == .goTo(priority: 32_766))
    #expect(try Self.rule(Self.port).action == .unreachable)
    #expect(try Self.rule(Self.port).looksAtPacket)
    let blackhole = try Self.rule(Self.blackhole)
    #expect(blackhole.action == .blackhole)
    #expect(blackhole.selector == "from 2001:db8::/32 oif lo")
    #expect(try Self.rule(Self.domain).isForRoutingDomains)
  }

  @Test func `a truncated rule throws instead of trapping`() throws {
    let bytes = Self.inverted.bytes
    for length in 17..<bytes.count {
      var cut = Array(bytes[..<length])
      cut[0] = UInt8(length)
      do {
        var messages = NetlinkMessages(cut.span)
        while let message = try messages.next() { _ = try PolicyRule(rule: message) }
      } catch {
        #expect("\(error)".hasPrefix("cannot decode"))
      }
    }
  }
}
