import PathModel
import PathTestSupport
import Testing

@Suite("IP address")
struct IPAddressTests {
  @Test(arguments: [
    "fe80::1%", "%eth0", "fe80::1%a/64", "fe80::1%sixteen-bytes-ab", "fe80::1%a b", "192.0.2.1%eth0",
  ])
  func `a scope is the name or number of an interface, behind an IPv6 address`(text: String) {
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

  @Test(arguments: [
    ("10.0.0.1", "10.0.0.0", 99, false), ("2001:db8::1", "2001:db8::1", 200, true), ("::1", "::1", -1, true),
    ("0.0.0.1", "::1", 0, false), ("0.0.0.1", "::1", 32, false),
  ])
  func `a prefix of any length matches, or does not, and never an address of the other family`(
    left: String, right: String, length: Int, matches: Bool
  ) {
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
