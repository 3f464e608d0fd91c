import KernelPath
import PathDecisions
import PathModel
import Testing

@Suite("Address messages")
struct AddressMessageTests {
  @Test func `an IPv4 address is the local one, without a peer`() throws {
    let address = try #require(CapturedMessage.addressIPv4.address)
    #expect(
      address
        == AddressFacts(
          interfaceIndex: 10, address: IPAddress(ipv4: 0xc000_0202), prefixLength: 24,
          flags: AddressFlags(rawValue: 0x80), createdAt: 285_911))
    #expect(address.isUsable)
  }

  @Test func `with a peer, the local address is ours and the other one the peer's`() throws {
    let ipv4 = try #require(CapturedMessage.addressWithPeer.address)
    #expect(ipv4.address == IPAddress("198.51.100.1"))
    #expect(ipv4.peer == IPAddress("198.51.100.2"))
    #expect(ipv4.prefixLength == 32)
    let ipv6 = try #require(CapturedMessage.addressWithPeerIPv6.address)
    #expect(ipv6.address == IPAddress("2001:db8:9::1"))
    #expect(ipv6.peer == IPAddress("2001:db8:9::2"))
    #expect(ipv6.prefixLength == 128)
  }

  @Test func `an IPv6 address is unusable until duplicate address detection is over`() throws {
    let tentative = try #require(CapturedMessage.addressTentative.address)
    #expect(tentative.flags.contains(.tentative))
    #expect(!tentative.isUsable)
    let settled = try #require(CapturedMessage.addressIPv6.address)
    #expect(settled.address == tentative.address)
    #expect(settled.peer == nil)
    #expect(settled.prefixLength == 64)
    #expect(settled.isUsable)
  }

  @Test func `a removed address is described like an added one`() throws {
    #expect(CapturedMessage.addressDeleted.address == CapturedMessage.addressIPv4.address)
  }

  @Test func `the flags of 32 bits replace those of 8 bits`() throws {
    let attributes = MessageBuilder.attribute(2, [192, 0, 2, 1]) + MessageBuilder.attribute(8, UInt32(0x440))
    #expect(try decode([2, 24, 0x08, 0], attributes)?.flags == AddressFlags(rawValue: 0x440))
    #expect(try decode([2, 24, 0x08, 0], MessageBuilder.attribute(2, [192, 0, 2, 1]))?.flags == .duplicate)
  }

  @Test func `a message without an address, or of another family, is no address`() throws {
    #expect(try decode([2, 24, 0, 0], []) == nil)
    #expect(try decode([16, 24, 0, 0], MessageBuilder.attribute(2, [192, 0, 2, 1])) == nil)
    #expect(try decode([2, 24, 0, 0], MessageBuilder.attribute(2, [UInt8](repeating: 1, count: 16))) == nil)
  }

  @Test func `a peer of another family, or a prefix longer than the address, is no address`() throws {
    let local = MessageBuilder.attribute(2, [192, 0, 2, 1])
    let peer = MessageBuilder.attribute(1, [UInt8](repeating: 0xFF, count: 16))
    #expect(try decode([2, 24, 0, 0], local + peer) == nil)
    #expect(try decode([2, 33, 0, 0], local) == nil)
    #expect(try decode([10, 129, 0, 0], peer) == nil)
    #expect(try decode([10, 128, 0, 0], peer) != nil)
  }

  @Test func `an address of a strange length is refused`() {
    #expect(throws: NetlinkDecodingError.self) {
      try decode([2, 24, 0, 0], MessageBuilder.attribute(2, [192, 0, 2]))
    }
  }

  @Test func `every address of a dump is found`() throws {
    let messages = try DecodedMessage.all(in: CapturedMessage.addressDump.bytes)
    #expect(!messages.isEmpty)
    #expect(messages.allSatisfy { if case .address(.some) = $0 { true } else { false } })
  }

  private func decode(_ start: [UInt8], _ attributes: [UInt8]) throws -> AddressFacts? {
    let payload = start + MessageBuilder.bytes(UInt32(9)) + attributes
    guard case .address(let address)? = try DecodedMessage.all(in: MessageBuilder.message(20, payload)).first else {
      return nil
    }
    return address
  }
}
