import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Address facts")
struct AddressFactsTests {
  @Test(
    arguments: [
      ("192.0.2.2", 0, [], true), ("192.0.2.2", 200, [], true), ("10.0.0.1", 0, [.deprecated], true),
      ("169.254.3.4", 0, [], false), ("169.254.3.4", 253, [], false), ("127.0.0.1", 254, [], false),
      ("192.0.2.2", 253, [], false), ("192.0.2.2", 254, [], false), ("0.0.0.0", 0, [], false),
      ("2001:db8::2", 0, [], true), ("fd00::2", 0, [], true), ("fe80::2", 253, [], false), ("::1", 254, [], false),
      ("2001:db8::2", 0, [.tentative], false), ("2001:db8::2", 0, [.optimistic], true),
      ("2001:db8::2", 0, [.tentative, .optimistic], true), ("2001:db8::2", 0, [.deprecated], true),
      ("2001:db8::2", 0, [.duplicate], false), ("2001:db8::2", 0, [.tentative, .duplicate], false),
      ("2001:db8::2", 0, [.tentative, .optimistic, .duplicate], false),
      ("2001:db8::2", 0, AddressFlags(rawValue: 0x80), true),
    ] as [(String, UInt8, AddressFlags, Bool)])
  func `an address is usable when it gets beyond the link and duplicate detection has passed`(
    text: String, scope: UInt8, flags: AddressFlags, isUsable: Bool
  ) {
    let address = AddressFacts(
      interfaceIndex: 2, address: .literal(text), prefixLength: 24, scope: scope, flags: flags)
    #expect(address.isUsable == isUsable)
  }

  @Test func `an address is written with its prefix length`() {
    #expect(AddressFacts(interfaceIndex: 2, address: .literal("fd00::1"), prefixLength: 64).text == "fd00::1/64")
  }
}

@Suite("Link-local addresses behind a router")
struct TranslatedAddressTests {
  private static func kernel(scope: UInt8, gateway: String?) -> FakeKernel {
    var kernel = FakeKernel()
    kernel.install(.up(2, "eth0"))
    kernel.update(
      AddressFacts(interfaceIndex: 2, address: .literal("169.254.0.1"), prefixLength: 30, scope: scope))
    var route = RouteSpec("default", .via(gateway, "eth0"))
    route.source = .literal("169.254.0.1")
    kernel.addRoute(route)
    return kernel
  }

  @Test func `an address of a provider is usable over its router`() throws {
    var kernel = Self.kernel(scope: 0, gateway: "169.254.0.2")
    let path = try kernel.evaluate().path
    #expect(path.status == .satisfied)
    #expect(path.interfaces.first?.addresses.map(\.description) == ["169.254.0.1/30"])
  }

  @Test(
    "an address that the host gave itself is not", arguments: [(253, "169.254.0.2"), (0, nil)] as [(UInt8, String?)])
  func selfAssigned(scope: UInt8, gateway: String?) throws {
    var kernel = Self.kernel(scope: scope, gateway: gateway)
    #expect(try kernel.evaluate().path.unsatisfiedReason == .noAddress)
  }

  @Test func `an interface with such an address is usable beside another one`() throws {
    var kernel = Self.kernel(scope: 0, gateway: "169.254.0.2")
    kernel.install(.up(3, "eth1"))
    kernel.addAddress("192.0.2.2/24", to: "eth1")
    kernel.addRoute(RouteSpec("0.0.0.0/1", .via("192.0.2.1", "eth1")))
    kernel.addRoute(RouteSpec("128.0.0.0/1", .via("192.0.2.1", "eth1")))
    #expect(try kernel.evaluate().path.interfaces.map(\.name) == ["eth1", "eth0"])
  }
}
