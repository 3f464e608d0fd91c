import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Addresses of interfaces")
struct InterfaceAddressTests {
  @Test(arguments: [
    ("192.0.2.2/24", "192.0.2.2", 24), ("0.0.0.0/0", "0.0.0.0", 0), ("10.0.0.1/32", "10.0.0.1", 32),
    ("2001:db8::2/64", "2001:db8::2", 64), ("2001:db8::2/128", "2001:db8::2", 128),
    ("fe80::2%eth0/64", "fe80::2%eth0", 64),
  ])
  func `an address with a prefix length is read and printed`(text: String, address: String, length: Int) throws {
    let read = try #require(NetworkInterface.Address(text))
    #expect(read == NetworkInterface.Address(.literal(address), prefixLength: length))
    #expect(read.description == text)
  }

  @Test(arguments: [
    "", "/", "192.0.2.2", "192.0.2.2/", "/24", "192.0.2.2/33", "192.0.2.2/-1", "192.0.2.2/24/24", "2001:db8::2/129",
    "192.0.2.2/x", "192.0.2.2/+24", "192.0.2/24", "192.0.2.2/256",
  ])
  func `other texts are refused`(text: String) {
    #expect(NetworkInterface.Address(text) == nil)
  }

  @Test func `an address contains all addresses that share its prefix`() throws {
    let address = try #require(NetworkInterface.Address("192.0.2.2/25"))
    #expect(address.contains(.literal("192.0.2.127")))
    #expect(!address.contains(.literal("192.0.2.128")))
    #expect(!address.contains(.literal("2001:db8::1")))
  }

  @Test(arguments: ["eth\u{7}", "an-interface-name-that-is-too-long"])
  func `a name that no reader takes for a scope is replaced by the index of the interface`(name: String) throws {
    var kernel = FakeKernel()
    kernel.install(.up(2, name), "2001:db8:1::2/64")
    kernel.addRoute(RouteSpec("::/0", .via("fe80::1", name)))
    #expect(try kernel.evaluate().path.gateways.map(\.scope) == ["2"])
  }
}
