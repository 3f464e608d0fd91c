import CNetlink
import PathModel
import Testing

@testable import KernelPath

@Suite("Messages of nl80211")
struct WirelessMessageTests {
  /// An answer to NL80211_CMD_GET_INTERFACE, as a kernel 6.1 gives it.
  private static func answer(_ name: [UInt8]?, index: UInt32 = 4) -> [UInt8] {
    var payload: [UInt8] = [7, 1, 0, 0]
    payload += MessageBuilder.attribute(3, index)
    payload += MessageBuilder.attribute(4, "wlan0")
    payload += MessageBuilder.attribute(1, UInt32(0))
    payload += MessageBuilder.attribute(5, UInt32(2))
    payload += MessageBuilder.attribute(153, MessageBuilder.bytes(UInt64(1)))
    payload += MessageBuilder.attribute(6, [2, 0, 0, 0, 0, 1])
    payload += MessageBuilder.attribute(38, UInt32(2_412))
    if let name { payload += MessageBuilder.attribute(52, name) }
    return MessageBuilder.message(28, payload)
  }

  private static func decode(_ bytes: [UInt8]) throws -> WirelessMessage? {
    var decoded: WirelessMessage?
    try NetlinkMessage.forEach(in: bytes.span) { (message) throws(NetlinkDecodingError) in
      decoded = try WirelessMessage(message, in: bytes.span)
    }
    return decoded
  }

  @Test(arguments: [Array("Hotel".utf8), [0xff, 0, 0x20], [UInt8](repeating: 0x61, count: 32)])
  func `the name is told as its bytes`(name: [UInt8]) throws {
    let message = try #require(try Self.decode(Self.answer(name)))
    #expect(message.interfaceIndex == 4)
    #expect(message.networkName?.bytes == name)
  }

  @Test func `without a connection there is no name, and none that cannot be`() throws {
    #expect(try Self.decode(Self.answer(nil))?.networkName == nil)
    #expect(try Self.decode(Self.answer([]))?.networkName == nil)
    #expect(try Self.decode(Self.answer([UInt8](repeating: 0x61, count: 33)))?.networkName == nil)
  }

  @Test func `every truncation throws or lacks the name`() throws {
    let whole = Self.answer(Array("Hotel".utf8))
    for length in 16..<whole.count - 3 {
      let cut = MessageBuilder.bytes(UInt32(length)) + whole[4..<length]
      let decoded = try? Self.decode(cut)
      #expect(decoded?.networkName == nil)
    }
  }

  @Test func `our numbers are those of the headers`() {
    #expect(UInt32(WirelessRequest.getInterface) == NL80211_CMD_GET_INTERFACE.rawValue)
    #expect(UInt32(WirelessRequest.interfaceIndex) == NL80211_ATTR_IFINDEX.rawValue)
    #expect(UInt32(WirelessRequest.networkName) == NL80211_ATTR_SSID.rawValue)
    #expect(WirelessRequest.headerLength == MemoryLayout<genlmsghdr>.size)
  }

  @Test func `names are asked for when a link has changed, and only then`() {
    let names = WirelessNames()
    #expect(names.isDue)
    // Without such interfaces nothing is known, and nothing fails.
    #expect(names.update([7: NetworkName([1])!], of: []).isEmpty)
    #expect(!names.isDue)
    names.note(3)
    #expect(names.isDue)
    #expect(names.update([:], of: [3]).isEmpty)
    names.noteAll()
    #expect(names.isDue)
  }
}
