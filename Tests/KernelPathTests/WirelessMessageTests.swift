import PathDecisions
import Testing

@testable import KernelPath

@Suite("Messages of nl80211")
struct WirelessMessageTests {
  /// An answer to NL80211_CMD_GET_INTERFACE, as a kernel 6.1 gives it.
  private static func answer(_ name: [UInt8]?, mode: UInt32 = 2) -> [UInt8] {
    let attributes = [
      attribute(3, 4), attribute(4, "wlan0"), attribute(1, 0), attribute(5, mode),
      attribute(153, MessageBuilder.bytes(UInt64(1))), attribute(6, [2, 0, 0, 0, 0, 1]), attribute(38, 2_412),
      name.map { attribute(52, $0) } ?? [],
    ]
    return MessageBuilder.message(28, [7, 1, 0, 0] + attributes.flatMap(\.self))
  }

  private static func decode(_ bytes: [UInt8]) throws -> WirelessMessage? {
    try MessageBuilder.decode(bytes) { (message) throws(NetlinkDecodingError) in try WirelessMessage(message) }.last
  }

  @Test(arguments: [Array("Hotel".utf8), [0xff, 0, 0x20], [UInt8](repeating: 0x61, count: 32)])
  func `the name is reported as its bytes`(name: [UInt8]) throws {
    let message = try #require(try Self.decode(Self.answer(name)))
    #expect(message.interfaceIndex == 4)
    #expect(message.networkName?.bytes == name)
  }

  @Test func `without a connection there is no name, nor with bytes that no name has`() throws {
    #expect(try Self.decode(Self.answer(nil))?.networkName == nil)
    #expect(try Self.decode(Self.answer([]))?.networkName == nil)
    #expect(try Self.decode(Self.answer([UInt8](repeating: 0x61, count: 33)))?.networkName == nil)
  }

  @Test(arguments: [(0, false), (1, false), (2, false), (3, true), (4, true), (7, false), (8, false), (9, true)])
  func `access points are those modes in which others connect to this machine`(mode: UInt32, isOne: Bool) throws {
    #expect(try Self.decode(Self.answer(nil, mode: mode))?.isAccessPoint == isOne)
  }

  /// One of the networks of an answer to NL80211_CMD_GET_SCAN.
  private static func station(_ elements: [UInt8], status: UInt32?) -> [UInt8] {
    var station = attribute(1, [2, 0, 0, 0, 1, 0]) + attribute(2, UInt32(2_412))
    station += attribute(6, elements)
    if let status { station += attribute(9, status) }
    let nested = attribute(47 | 0x8000, station)
    return MessageBuilder.message(28, flags: 2, [34, 1, 0, 0] + attribute(3, UInt32(4)) + nested)
  }

  private static let elements: [UInt8] = [1, 4, 0x82, 0x84, 0x8b, 0x96, 0, 5] + Array("Hotel".utf8) + [3, 1, 6]

  @Test(arguments: [(1, true), (2, true), (0, false), (7, false), (nil, false)] as [(UInt32?, Bool)])
  func `of the visible networks the one with the connection gives its name`(status: UInt32?, isOurs: Bool) throws {
    let message = try #require(try Self.decode(Self.station(Self.elements, status: status)))
    #expect(message.interfaceIndex == 4)
    #expect(message.networkName == (isOurs ? NetworkName(Array("Hotel".utf8)) : nil))
  }

  @Test func `elements that are cut off, and hidden names, are no names`() throws {
    for length in 0..<13 {
      let cut = Array(Self.elements.prefix(length))
      #expect(try Self.decode(Self.station(cut, status: 1))?.networkName == nil)
    }
    #expect(try Self.decode(Self.station([0, 0, 3, 1, 6], status: 1))?.networkName == nil)
    #expect(try Self.decode(Self.station([0, 255], status: 1))?.networkName == nil)
  }

  @Test func `a mode that is cut off throws`() throws {
    let payload: [UInt8] = [7, 1, 0, 0] + attribute(3, UInt32(4))
    for length in 0..<4 {
      let cut = payload + attribute(5, [UInt8](repeating: 3, count: length))
      #expect(throws: NetlinkDecodingError.self) { try Self.decode(MessageBuilder.message(28, cut)) }
    }
  }

  @Test func `every truncation throws or lacks the name`() throws {
    let whole = Self.answer(Array("Hotel".utf8))
    for length in 16..<whole.count - 3 {
      let cut = MessageBuilder.bytes(UInt32(length)) + whole[4..<length]
      let decoded = try? Self.decode(cut)
      #expect(decoded?.networkName == nil)
    }
  }

  @Test func `the kernel is asked about a link only when it has changed`() {
    let links = WirelessLinks()
    #expect(links.isDue)
    let (seven, eight) = (LinkFacts(index: 7, name: "wlan7"), LinkFacts(index: 8, name: "wlan8"))
    // A link that is gone has no facts, nor has one that the kernel does not know, and neither is a failure.
    let first = links.update([seven], after: ([7: NetworkName([1])!], [7, 8]))
    #expect(first.names.isEmpty && first.accessPoints.isEmpty)
    #expect(!links.isDue)
    links.note(8)
    #expect(links.isDue)
    #expect(links.update([seven, eight], after: ([:], [7, 8])).accessPoints == [7])
    links.noteAll()
    #expect(links.isDue)
  }
}
