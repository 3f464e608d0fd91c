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
}
