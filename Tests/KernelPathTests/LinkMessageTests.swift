import KernelPath
import PathDecisions
import PathModel
import Testing

@Suite("Link messages")
struct LinkMessageTests {
  @Test func `a cable that is down is described in full, with its other end as parent`() throws {
    let link = try #require(CapturedMessage.vethDown.link)
    var expected = LinkFacts(
      index: 10, name: "eth0", flags: LinkFlags(rawValue: 0x1002), operationalState: .down, hasCarrier: false,
      kind: "veth", mtu: 1_500, hardwareAddress: [2, 0, 0, 0, 0, 10], parentIndex: 11)
    expected.carrierChanges = 1
    #expect(link.facts == expected)
    #expect(link.family == 0)
    #expect(link.isComplete)
    #expect(!link.isWirelessChatter)
  }

  @Test func `a parent in another namespace is none, for its index means another link here`() throws {
    let link = try #require(CapturedMessage.vethWithPeerElsewhere.link).facts
    #expect(link.parentIndex == nil)
    #expect(link.mtu == 1_400)
  }

  @Test func `a cable with carrier has no obstacle, and without carrier it has`() throws {
    let up = try #require(CapturedMessage.vethUp.link).facts
    #expect(up.flags.isSuperset(of: [.up, .running, .lowerUp]))
    #expect(up.operationalState == .up)
    #expect(up.hasCarrier == true)
    #expect(up.obstacle == nil)
    let down = try #require(CapturedMessage.vethWithoutCarrier.link).facts
    #expect(down.flags.isDisjoint(with: [.running, .lowerUp]))
    #expect(down.operationalState == .lowerLayerDown || down.operationalState == .down)
    #expect(down.hasCarrier == false)
    #expect(down.obstacle == .noCarrier)
  }

  @Test func `a tun device has no link-layer address and no hardware type`() throws {
    let link = try #require(CapturedMessage.tun.link).facts
    #expect(link.kind == "tun")
    #expect(link.hardwareType == HardwareType.none)
    #expect(link.flags.contains(.pointToPoint))
    #expect(link.hardwareAddress.isEmpty)
  }

  @Test func `the loopback device has no kind`() throws {
    let link = try #require(CapturedMessage.loopback.link).facts
    #expect(link.index == 1)
    #expect(link.name == "lo")
    #expect(link.kind == nil)
    #expect(link.mtu == 65_536)
    #expect(link.isLoopback)
  }

  @Test func `a bridge has a kind, and its port names it as master and keeps its own kind`() throws {
    let bridge = try #require(CapturedMessage.bridge.link).facts
    #expect(bridge.kind == "bridge")
    #expect(bridge.index == 30)
    #expect(bridge.masterIndex == nil)
    let port = try #require(CapturedMessage.bridgePort.link).facts
    #expect(port.masterIndex == 30)
    #expect(port.kind == "veth")
    #expect(port.index == 40)
  }

  @Test func `a bridge's message about its port has the bridge's family, and is not taken for the link`() throws {
    #expect(try #require(CapturedMessage.bridgeFamilyLink.link).family == 7)
    #expect(try #require(CapturedMessage.bridgeFamilyDeletedLink.link).family == 7)
    #expect(try #require(CapturedMessage.deleted.link).family == 0)
  }

  @Test(arguments: [UInt8(0), 1, 2, 3, 4])
  func `a port is blocked that listens, learns or blocks, in messages of the link and of the bridge`(
    state: UInt8
  ) throws {
    let isBlocked = [1, 2, 4].contains(state)
    // IFLA_BRPORT_PRIORITY stands for the other settings of a port.
    let port = MessageBuilder.attribute(2, [32, 0]) + MessageBuilder.attribute(1, [state])
    let link = try decode(information: MessageBuilder.attribute(4, "bridge") + MessageBuilder.attribute(5, port)).facts
    #expect(link.isBlockedPort == isBlocked && link.kind == nil)
    let bond = try decode(information: MessageBuilder.attribute(4, "bond") + MessageBuilder.attribute(5, port)).facts
    #expect(!bond.isBlockedPort, "the attributes of a bond's port have other meanings")
    let settings = try decode(MessageBuilder.attribute(12, port)).facts
    #expect(!settings.isBlockedPort, "IPv6 settings have the same attribute")
    #expect(try decode(MessageBuilder.attribute(12, port), family: 7).facts.isBlockedPort == isBlocked)
  }

  @Test func `vxlan and macvlan name the link below them`() throws {
    let vxlan = try #require(CapturedMessage.vxlan.link).facts
    #expect(vxlan.kind == "vxlan")
    #expect(vxlan.parentIndex == 10)
    let macvlan = try #require(CapturedMessage.renamed.link).facts
    #expect(macvlan.kind == "macvlan")
    #expect(macvlan.parentIndex == 10)
    #expect(macvlan.name == "mv1")
  }

  @Test(arguments: [("gre", UInt16(6), UInt16(20)), ("ip6gre", 6, 20), ("ipip", 2, 20), ("sit", 2, 20), ("vti", 4, 6)])
  func `a tunnel has the source address and the mark of its own packets`(
    kind: String, source: UInt16, mark: UInt16
  ) throws {
    let data = MessageBuilder.attribute(source, [192, 0, 2, 2]) + MessageBuilder.attribute(mark, UInt32(0xca6c))
    let link = try decode(information: MessageBuilder.attribute(1, kind) + MessageBuilder.attribute(2, data)).facts
    #expect(link.tunnelSource == IPAddress("192.0.2.2"))
    #expect(link.tunnelMark == 0xca6c)
    let none = MessageBuilder.attribute(source, [0, 0, 0, 0]) + MessageBuilder.attribute(mark, UInt32(0))
    let free = try decode(information: MessageBuilder.attribute(1, kind) + MessageBuilder.attribute(2, none)).facts
    #expect(free.tunnelSource == nil && free.tunnelMark == nil)
  }

  @Test func `a tunnel that was made in another namespace has no server here, for its packets leave there`() throws {
    let data = MessageBuilder.attribute(2, [203, 0, 113, 5])
    let information = MessageBuilder.attribute(1, "vxlan") + MessageBuilder.attribute(2, data)
    let link = try decode(information: information)
    #expect(link.facts.serverAddress == IPAddress("203.0.113.5"))
    let moved = try decode(MessageBuilder.attribute(18, information) + MessageBuilder.attribute(37, UInt32(0)))
    #expect(moved.facts.serverAddress == nil)
  }

  @Test func `a bond in active-backup mode names the port that carries its traffic`() throws {
    // IFLA_BOND_MODE, IFLA_BOND_ACTIVE_SLAVE and IFLA_BOND_PRIMARY: the preferred port may differ from the active one.
    let data =
      MessageBuilder.attribute(1, [1]) + MessageBuilder.attribute(2, UInt32(5))
      + MessageBuilder.attribute(11, UInt32(6))
    let link = try decode(information: MessageBuilder.attribute(1, "bond") + MessageBuilder.attribute(2, data))
    #expect(link.facts.kind == "bond")
    #expect(link.facts.activePortIndex == 5)
    #expect(link.facts.parentIndex == nil)
  }

  @Test func `a bond without an active port has none`() throws {
    let data = MessageBuilder.attribute(1, [1]) + MessageBuilder.attribute(11, UInt32(6))
    let link = try decode(information: MessageBuilder.attribute(1, "bond") + MessageBuilder.attribute(2, data))
    #expect(link.facts.activePortIndex == nil)
  }

  @Test func `a modem's channel is of the kind wwan, and the data of unknown kinds is skipped`() throws {
    // IFLA_WWAN_LINK_ID has the number of IFLA_BOND_MODE; 11 is undefined for the kind.
    let data = MessageBuilder.attribute(1, UInt32(2)) + MessageBuilder.attribute(11, UInt32(9))
    let link = try decode(
      hardwareType: HardwareType.none,
      information: MessageBuilder.attribute(1, "wwan") + MessageBuilder.attribute(2, data))
    #expect(link.facts.kind == "wwan")
    #expect(link.facts.hardwareType == HardwareType.none)
    #expect(link.facts.activePortIndex == nil)
    #expect(link.facts.parentIndex == nil)
  }

  @Test func `flags of nesting and byte order do not hide an attribute`() throws {
    // NLA_F_NESTED on IFLA_LINKINFO, NLA_F_NET_BYTEORDER on IFLA_IFNAME.
    let attributes =
      MessageBuilder.attribute(0x8000 | 18, MessageBuilder.attribute(1, "veth"))
      + MessageBuilder.attribute(0x4000 | 3, "eth9")
    let link = try decode(attributes)
    #expect(link.facts.kind == "veth")
    #expect(link.facts.name == "eth9")
  }

  @Test func `an interface may have other names, in a list that may have other properties`() throws {
    // IFLA_PROP_LIST, with NLA_F_NESTED, and in it IFLA_ALT_IFNAME twice.
    let properties =
      MessageBuilder.attribute(53, "enp0s3") + MessageBuilder.attribute(99, "news")
      + MessageBuilder.attribute(53, "a-name-that-is-longer-than-others-may-be")
    let attributes = MessageBuilder.attribute(3, "eth9") + MessageBuilder.attribute(0x8000 | 52, properties)
    #expect(
      try decode(attributes).facts.alternativeNames == ["enp0s3", "a-name-that-is-longer-than-others-may-be"])
    #expect(
      CapturedMessage.alternativeNames.link?.facts.alternativeNames == ["enp0s31f6", "uplink-to-the-office"])
    #expect(try decode(MessageBuilder.attribute(3, "eth9")).facts.alternativeNames.isEmpty)
    #expect(try decode(MessageBuilder.attribute(52, [])).facts.alternativeNames.isEmpty)
  }

  @Test(arguments: 1..<24)
  func `a list of names that is cut off is no list`(length: Int) throws {
    // Two names of 12 bytes each with their headers. A list that is cut at the end of the first name is complete.
    let properties = MessageBuilder.attribute(53, "enp0s3f") + MessageBuilder.attribute(53, "enp0s4f")
    let attribute = MessageBuilder.attribute(52, Array(properties[..<length]))
    let header = MessageBuilder.linkHeader(hardwareType: 1, index: 9, flags: 0x1043)
    let message = CapturedMessage(bytes: MessageBuilder.message(16, header + attribute))
    if length < 4 || (12..<16).contains(length) {
      // A rest that is shorter than a header is padding.
      #expect(message.link?.facts.alternativeNames.count == length / 12)
    } else {
      #expect(throws: NetlinkDecodingError.self) { try DecodedMessage.all(in: message.bytes) }
    }
  }

  @Test func `attributes of a newer kernel are skipped`() throws {
    let link = try decode(MessageBuilder.attribute(1_000, "news") + MessageBuilder.attribute(3, "eth9"))
    #expect(link.facts.name == "eth9")
  }

  @Test func `a name that is not UTF-8 is escaped instead of refused, so that two of them stay two`() throws {
    #expect(try decode(MessageBuilder.attribute(3, [0x65, 0xff, 0x30, 0])).facts.name == #"e\xff0"#)
  }

  @Test func `a bond tells its conditions for a carrier, a bridge and a VLAN what they pass`() throws {
    func link(_ kind: String, _ data: [UInt8]) throws -> LinkFacts {
      try decode(information: MessageBuilder.attribute(1, kind) + MessageBuilder.attribute(2, data)).facts
    }
    // IFLA_BOND_MODE, IFLA_BOND_MIN_LINKS, IFLA_BOND_ARP_IP_TARGET.
    let bond = try link(
      "bond",
      MessageBuilder.attribute(1, [4]) + MessageBuilder.attribute(18, UInt32(2))
        + MessageBuilder.attribute(8 | 0x8000, MessageBuilder.attribute(0, [192, 0, 2, 1])))
    #expect(bond.aggregation?.usesLACP == true)
    #expect(bond.aggregation?.leastPorts == 2)
    #expect(bond.aggregation?.targets.map(\.description) == ["192.0.2.1"])
    #expect(try link("bridge", MessageBuilder.attribute(7, [1])).filtersVLANs)
    #expect(try link("vlan", MessageBuilder.attribute(1, [10, 0])).vlan == 10)
  }

  @Test func `the parent of an IPsec interface does not carry its packets`() throws {
    let data =
      MessageBuilder.attribute(1, "xfrm") + MessageBuilder.attribute(2, MessageBuilder.attribute(2, UInt32(42)))
    let (link, information) = (
      MessageBuilder.attribute(5, UInt32(1)), MessageBuilder.attribute(18, data)
    )
    for attributes in [link + information, information + link] {
      #expect(try decode(hardwareType: 65_534, attributes).facts.parentIndex == nil)
    }
  }

  private func decode(hardwareType: UInt16 = 1, information: [UInt8]) throws -> LinkMessage {
    try decode(hardwareType: hardwareType, MessageBuilder.attribute(18, information))
  }

  private func decode(hardwareType: UInt16 = 1, _ attributes: [UInt8], family: UInt8 = 0) throws -> LinkMessage {
    let header = MessageBuilder.linkHeader(family: family, hardwareType: hardwareType, index: 9, flags: 0x1043)
    return try #require(CapturedMessage(bytes: MessageBuilder.message(16, header + attributes)).link)
  }
}

/// A wireless event carries the name and the driver's data, and leaves out all else.
@Suite("Wireless events")
struct WirelessEventTests {
  private let known = LinkFacts(
    index: 3, name: "wlan0", flags: [.up, .running, .lowerUp], operationalState: .up, hasCarrier: true, kind: nil,
    mtu: 1_500, hardwareAddress: [2, 0, 0, 0, 0, 3], masterIndex: 7)

  @Test func `a wireless event clears no known value`() throws {
    let event = try wirelessEvent(flags: known.flags.rawValue, change: .max)
    #expect(!event.isComplete)
    #expect(event.merged(onto: known) == known)
  }

  @Test func `the flags of a wireless event are the link's new flags`() throws {
    let event = try wirelessEvent(flags: LinkFlags.up.rawValue, change: 0x10040)
    #expect(!event.isWirelessChatter)
    var expected = known
    expected.flags = .up
    #expect(event.merged(onto: known) == expected)
  }

  @Test func `a wireless event without a change is ignored`() throws {
    #expect(try wirelessEvent(flags: known.flags.rawValue, change: 0).isWirelessChatter)
  }

  @Test func `a wireless event of an unknown link asks for a fresh reading`() throws {
    #expect(try wirelessEvent(flags: known.flags.rawValue, change: .max).merged(onto: nil) == nil)
  }

  @Test func `a complete message replaces all known values, also by absence`() throws {
    let link = try #require(CapturedMessage.vethUp.link)
    #expect(link.merged(onto: known) == link.facts)
    #expect(link.merged(onto: nil) == link.facts)
  }

  /// IFLA_IFNAME and IFLA_WIRELESS.
  private func wirelessEvent(flags: UInt32, change: UInt32) throws -> LinkMessage {
    let attributes =
      MessageBuilder.attribute(3, "wlan0") + MessageBuilder.attribute(11, [UInt8](repeating: 0xa5, count: 24))
    let header = MessageBuilder.linkHeader(index: 3, flags: flags, change: change)
    return try #require(CapturedMessage(bytes: MessageBuilder.message(16, header + attributes)).link)
  }
}
