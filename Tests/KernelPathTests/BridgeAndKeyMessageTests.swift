import PathDecisions
import Testing

@testable import KernelPath

/// What no message about a link itself tells: the VLANs of bridges, and the keys of MACsec.
@Suite("Messages about VLANs and MACsec")
struct BridgeAndKeyMessageTests {
  private static func filters(_ information: [UInt8], family: UInt8 = 7) throws -> [Int32: VLANFilter] {
    let header = MessageBuilder.linkHeader(family: family, index: 9, flags: 0x1043)
    let bytes = MessageBuilder.message(16, header + attribute(26 | 0x8000, information))
    var filters: [Int32: VLANFilter] = [:]
    _ = try MessageBuilder.decode(bytes) { (message) throws(NetlinkDecodingError) in
      try VLANFilter.add(message, to: &filters)
    }
    return filters
  }

  /// `struct bridge_vlan_info`: flags, and a VLAN.
  private static func vlan(_ flags: UInt16, _ vlan: UInt16) -> [UInt8] {
    attribute(2, MessageBuilder.bytes(flags) + MessageBuilder.bytes(vlan))
  }

  @Test func `the VLANs of a port come alone or in ranges, and one of them is its own`() throws {
    let found = try Self.filters(Self.vlan(6, 1) + Self.vlan(8, 10) + Self.vlan(16, 20))
    #expect(found == [9: VLANFilter([1...1, 10...20], own: 1)])
    #expect(found[9]?.contains(15) == true && found[9]?.contains(2) == false)
    #expect(try Self.filters(Self.vlan(6, 1), family: 0).isEmpty)
  }

  @Test func `a range that ends before it begins has its end alone, and a VLAN that is cut off throws`() throws {
    #expect(try Self.filters(Self.vlan(8, 20) + Self.vlan(16, 10)) == [9: VLANFilter([10...10])])
    #expect(throws: NetlinkDecodingError.self) { try Self.filters(attribute(2, [6, 0])) }
  }

  // MARK: MACsec

  /// An answer to MACSEC_CMD_GET_TXSC: whether it protects, the association that sends, and the associations with keys.
  private static func lacksKey(
    protects: UInt8, sends: UInt8, _ keys: (number: UInt8, isActive: UInt8)...
  ) throws -> Bool {
    var payload: [UInt8] = [0, 1, 0, 0] + attribute(1, UInt32(4))
    payload += attribute(
      4 | 0x8000, attribute(2, [sends]) + attribute(6, [protects]))
    let list = keys.flatMap { key in
      attribute(
        1 | 0x8000, attribute(1, [key.number]) + attribute(2, [key.isActive]))
    }
    payload += attribute(5 | 0x8000, list)
    let found = try MessageBuilder.decode(MessageBuilder.message(29, flags: 2, payload)) {
      (message) throws(NetlinkDecodingError) in try MACsecMessage(message)
    }.first
    #expect(found?.interfaceIndex == 4)
    return found?.lacksKey == true
  }

  @Test func `a link lacks a key if the association that sends has none in use`() throws {
    #expect(try Self.lacksKey(protects: 1, sends: 0))
    #expect(try Self.lacksKey(protects: 1, sends: 0, (0, 0)))
    #expect(try Self.lacksKey(protects: 1, sends: 1, (0, 1)))
    #expect(try !Self.lacksKey(protects: 1, sends: 1, (0, 0), (1, 1)))
    #expect(try !Self.lacksKey(protects: 0, sends: 0), "frames leave without protection")
  }
}
