import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("Address messages")
struct AddressMessageTests {
  @Test func `an address is the local one, beside a peer, and in a dump`() throws {
    let peer = AddressFacts(
      interfaceIndex: 10, address: .literal("2001:db8:9::1"), peer: .literal("2001:db8:9::2"), prefixLength: 128,
      flags: AddressFlags(rawValue: 0x82), createdAt: 285_933)
    let ipv4 = AddressFacts(
      interfaceIndex: 10, address: .literal("192.0.2.2"), prefixLength: 24, flags: AddressFlags(rawValue: 0x80),
      createdAt: 285_911)
    let ipv6 = AddressFacts(
      interfaceIndex: 10, address: .literal("2001:db8::2"), prefixLength: 64, flags: AddressFlags(rawValue: 0x80),
      createdAt: 285_981)
    #expect(try DecodedMessage.all(in: CapturedMessage.addressDump.bytes) as? [AddressFacts] == [ipv4, peer, ipv6])
    #expect(try decode([2, 24, 0, 253], attribute(2, [192, 0, 2, 1]))?.scope == 253)
  }

  @Test func `the flags of 32 bits replace those of 8 bits`() throws {
    let attributes = attribute(2, [192, 0, 2, 1]) + attribute(8, 0x440)
    #expect(try decode([2, 24, 0x08, 0], attributes)?.flags == AddressFlags(rawValue: 0x440))
    #expect(try decode([2, 24, 0x08, 0], attribute(2, [192, 0, 2, 1]))?.flags == .duplicate)
  }

  @Test func `no address is one of another family, with a foreign peer or with too long a prefix`() throws {
    let local = attribute(2, [192, 0, 2, 1])
    let long = attribute(1, [UInt8](repeating: 0xFF, count: 16))
    for (start, attributes, isAddress) in [
      ([2, 24, 0, 0], [], false), ([16, 24, 0, 0], local, false), ([2, 24, 0, 0], long, false),
      ([2, 24, 0, 0], local + long, false), ([2, 33, 0, 0], local, false), ([2, 32, 0, 0], local, true),
      ([10, 129, 0, 0], long, false), ([10, 128, 0, 0], long, true),
    ] as [([UInt8], [UInt8], Bool)] {
      #expect(try (decode(start, attributes) != nil) == isAddress, "\(start)")
    }
    #expect(throws: NetlinkDecodingError.self, "its length is strange") {
      try decode([2, 24, 0, 0], attribute(2, [192, 0, 2]))
    }
  }

  private func decode(_ start: [UInt8], _ attributes: [UInt8]) throws -> AddressFacts? {
    let payload = start + MessageBuilder.bytes(UInt32(9)) + attributes
    return try DecodedMessage.all(in: MessageBuilder.message(20, payload)).first as? AddressFacts
  }
}
