import PathModel
import PathTestSupport
import Testing

@Suite("IP address")
struct IPAddressTests {
  @Test(arguments: [
    ("::", 0, 0), ("::1", 0, 1), ("fe80::1", 0xfe80_0000_0000_0000, 1), ("2001:db8::", 0x2001_0db8_0000_0000, 0),
    ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004, 0x0005_0006_0007_0008),
    // The longest run of zeros is left out, of equal ones the first, and a lone group of zeros never is.
    ("2001:0:0:1::1", 0x2001_0000_0000_0001, 1),
    ("2001:db8::1:0:0:1", 0x2001_0db8_0000_0000, 0x0001_0000_0000_0001),
    ("1:0:3:4:5:6:7:8", 0x0001_0000_0003_0004, 0x0005_0006_0007_0008),
    ("1:2:3:4:5:6:7:0", 0x0001_0002_0003_0004, 0x0005_0006_0007_0000),
    ("::2:3:4:5:6:7", 0x0000_0000_0002_0003, 0x0004_0005_0006_0007),
    ("1:2:3:4:5:6::", 0x0001_0002_0003_0004, 0x0005_0006_0000_0000),
    ("::ffff:192.0.2.1", 0, 0xffff_c000_0201),
    ("64:ff9b::c000:201", 0x0064_ff9b_0000_0000, 0xc000_0201),
  ])
  func `the RFC 5952 form is read and printed`(text: String, high: UInt64, low: UInt64) {
    #expect(IPAddress(text) == IPAddress(ipv6: high, low))
    #expect(IPAddress(ipv6: high, low).description == text)
  }

  @Test(arguments: [
    ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8:0:0::01", "2001:db8::1"), ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
    ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
    ("0000:0000:0000:0000:0000:ffff:255.255.255.255", "::ffff:255.255.255.255"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
  ])
  func `other spellings are read too`(text: String, canonical: String) {
    #expect(IPAddress(text)?.description == canonical)
  }

  @Test(arguments: [
    "", " ", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.00", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4 ",
    "+1.2.3.4", "0x1.2.3.4", "1.2.3.4/24", ":", ":::", "1:", ":1", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::", "1:2:3:4::5:6:7:8", "12345::", "g::", "fe80::1%", "%eth0", "fe80::1%a/64",
    "fe80::1%sixteen-bytes-ab", "fe80::1%a b", "192.0.2.1%eth0", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::",
    "1:2:3:4:5:6:7:1.2.3.4", "[::1]", "::1/128", "٣.1.1.1", "1.2.3.4\u{301}",
  ])
  func `other texts are refused`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("fe80::1%eth0", "eth0"), ("FE80:0::1%7", "7"), ("ff02::1%br-1.7", "br-1.7"), ("fe80::1%a%b", "a%b"),
  ])
  func `an IPv6 address keeps its scope`(text: String, scope: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.scope == scope)
    #expect(address.isLinkLocal || address.matches(.literal("ff00::"), prefixLength: 8))
    #expect(IPAddress(address.description) == address)
    #expect(IPAddress(unscoped: text) == nil)
  }

  @Test func `the same address on two links is two addresses`() {
    let address = IPAddress.literal("fe80::1")
    #expect(address.scope == nil)
    #expect(address.scoped(to: "eth0") == .literal("fe80::1%eth0"))
    #expect(address.scoped(to: "eth0") != address.scoped(to: "eth1"))
    #expect(address.scoped(to: "eth0") != address)
    #expect(address.scoped(to: "eth0").scoped(to: nil) == address)
    #expect(address.scoped(to: "eth0").matches(address, prefixLength: 128))
    #expect(IPAddress.literal("192.0.2.1").scoped(to: "eth0") == .literal("192.0.2.1"))
  }

  @Test func `equal bits of different families are different addresses`() {
    #expect(IPAddress(ipv4: 1) != IPAddress(ipv6: 0, 1))
    #expect(!IPAddress(ipv4: 1).matches(IPAddress(ipv6: 0, 1), prefixLength: 0))
  }

  @Test(arguments: [
    ("0.0.0.0", "255.255.255.255", 0, true), ("10.0.0.1", "10.0.0.0", 31, true), ("10.0.0.1", "10.0.0.0", 32, false),
    ("10.0.0.1", "10.0.0.0", 99, false), ("2001:db8::", "2001:db8:0:1::", 64, false),
    ("2001:db8::1", "2001:db8::1", 200, true), ("::1", "::1", -1, true),
  ])
  func `a prefix matches by its first bits`(left: String, right: String, length: Int, matches: Bool) {
    let (left, right) = (IPAddress.literal(left), IPAddress.literal(right))
    #expect(left.matches(right, prefixLength: length) == matches)
    #expect(right.matches(left, prefixLength: length) == matches)
  }

  @Test(arguments: [
    ("0.0.0.0", "unspecified"), ("::", "unspecified"), ("127.0.0.1", "loopback"), ("127.255.255.254", "loopback"),
    ("::1", "loopback"), ("169.254.0.1", "link-local"), ("fe80::1", "link-local"), ("febf::1", "link-local"),
    ("169.253.255.255", "routable"), ("169.255.0.0", "routable"), ("128.0.0.1", "routable"), ("fec0::1", "routable"),
    ("10.0.0.1", "routable"), ("fd00::1", "routable"), ("2001:db8::1", "routable"), ("::2", "routable"),
  ])
  func `an address is unspecified, loopback, link-local or routable`(text: String, kind: String) {
    let address = IPAddress.literal(text)
    #expect(address.isUnspecified == (kind == "unspecified"))
    #expect(address.isLoopback == (kind == "loopback"))
    #expect(address.isLinkLocal == (kind == "link-local"))
    #expect(address.isRoutableSource == (kind == "routable"))
  }
}
