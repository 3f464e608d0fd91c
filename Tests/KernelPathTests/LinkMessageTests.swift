import PathDecisions
import PathModel
import PathTestSupport
import Testing

@testable import KernelPath

@Suite("Link messages")
struct LinkMessageTests {
  /// A link with the hardware address of its index, as the commands of captured messages make it.
  private static func facts(
    _ index: Int32, _ name: String, _ flags: UInt32, _ state: OperationalState, kind: String, mtu: UInt32,
    parent: Int32? = nil, carrierChanges: UInt32
  ) -> LinkFacts {
    var facts = LinkFacts(
      index: index, name: name, flags: LinkFlags(rawValue: flags), operationalState: state,
      hasCarrier: true, kind: kind, mtu: mtu, hardwareAddress: [2, 0, 0, 0, 0, UInt8(index)],
      parentIndex: parent)
    facts.carrierChanges = carrierChanges
    return facts
  }

  @Test func `a link is described in full`() throws {
    var port = Self.facts(40, "eth2", 0x11043, .up, kind: "veth", mtu: 1_500, parent: 2, carrierChanges: 2)
    port.masterIndex = 30
    var vxlan = Self.facts(50, "vx0", 0x11043, .unknown, kind: "vxlan", mtu: 1_350, parent: 10, carrierChanges: 0)
    vxlan.serverAddress = .literal("192.0.2.9")
    for (captured, facts) in [
      (.vethUp, Self.facts(10, "eth0", 0x11043, .up, kind: "veth", mtu: 1_400, carrierChanges: 2)),
      (.bridgePort, port), (.vxlan, vxlan),
    ] as [(CapturedMessage, LinkFacts)] {
      let link = try #require(captured.link)
      #expect(link.facts == facts)
      #expect(link.family == 0 && link.isComplete && !link.isWirelessChatter)
    }
  }

  // MARK: Attributes

  /// Expects that a link with these attributes has these facts besides those of every link.
  private func expect(
    _ attributes: [UInt8]..., hardwareType: UInt16 = 1, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout LinkFacts) -> Void = { _ in }
  ) throws {
    var facts = LinkFacts(index: 9, name: "", flags: LinkFlags(rawValue: 0x1043), hardwareType: hardwareType)
    change(&facts)
    let link = try decode(hardwareType: hardwareType, attributes.flatMap(\.self))
    #expect(link.facts == facts, sourceLocation: sourceLocation)
  }

  private func decode(hardwareType: UInt16 = 1, _ attributes: [UInt8], family: UInt8 = 0) throws -> LinkMessage {
    let header = MessageBuilder.linkHeader(family: family, hardwareType: hardwareType, index: 9, flags: 0x1043)
    return try #require(CapturedMessage(bytes: MessageBuilder.message(16, header + attributes)).link)
  }

  /// `IFLA_LINKINFO`: the kind, and its data.
  private func kind(_ kind: String, _ data: [UInt8]...) -> [UInt8] {
    attribute(18, attribute(1, kind) + attribute(2, data.flatMap(\.self)))
  }

  @Test(arguments: [UInt8(0), 1, 2, 3, 4])
  func `a port is blocked that listens, learns or blocks, in messages of the link and of the bridge`(
    state: UInt8
  ) throws {
    let isBlocked = [1, 2, 4].contains(state)
    // IFLA_BRPORT_PRIORITY stands for the other settings of a port.
    let port = attribute(2, [32, 0]) + attribute(1, [state])
    try expect(attribute(18, attribute(4, "bridge") + attribute(5, port))) { $0.isBlockedPort = isBlocked }
    // The attributes of a bond's port have other meanings, and IPv6 settings have the same attribute.
    try expect(attribute(18, attribute(4, "bond") + attribute(5, port)))
    try expect(attribute(12, port))
    let bridges = try decode(attribute(12, port), family: 7)
    #expect(bridges.facts.isBlockedPort == isBlocked && bridges.family == 7)
  }

  @Test(arguments: [("gre", UInt16(6), UInt16(20)), ("ip6gre", 6, 20), ("ipip", 2, 20), ("sit", 2, 20), ("vti", 4, 6)])
  func `a tunnel has the source address and the mark of its own packets`(
    kind: String, source: UInt16, mark: UInt16
  ) throws {
    try expect(self.kind(kind, attribute(source, [192, 0, 2, 2]), attribute(mark, 0xca6c))) {
      ($0.kind, $0.tunnelSource, $0.tunnelMark) = (kind, .literal("192.0.2.2"), 0xca6c)
    }
    try expect(self.kind(kind, attribute(source, [0, 0, 0, 0]), attribute(mark, 0))) { $0.kind = kind }
  }

  @Test func `a lower link and a server in another namespace are nothing here, for the packets leave there`()
    throws
  {
    let (link, vxlan) = (attribute(5, 11), kind("vxlan", attribute(2, [203, 0, 113, 5])))
    try expect(link, vxlan) { ($0.kind, $0.parentIndex, $0.serverAddress) = ("vxlan", 11, .literal("203.0.113.5")) }
    try expect(link, vxlan, attribute(37, 0)) { $0.kind = "vxlan" }
  }

  @Test func `a bond in active-backup mode names the port that carries its traffic, if there is one`() throws {
    // IFLA_BOND_MODE, IFLA_BOND_ACTIVE_SLAVE and IFLA_BOND_PRIMARY: the preferred port may differ from the active one.
    let (mode, primary) = (attribute(1, [1]), attribute(11, 6))
    try expect(kind("bond", mode, attribute(2, 5), primary)) {
      ($0.kind, $0.activePortIndex, $0.aggregation) = ("bond", 5, Aggregation())
    }
    try expect(kind("bond", mode, primary)) { ($0.kind, $0.aggregation) = ("bond", Aggregation()) }
  }

  @Test func `a modem's channel is of the kind wwan, and the data of unknown kinds is skipped`() throws {
    // IFLA_WWAN_LINK_ID has the number of IFLA_BOND_MODE; 11 is undefined for the kind.
    try expect(kind("wwan", attribute(1, 2), attribute(11, 9)), hardwareType: HardwareType.none) { $0.kind = "wwan" }
  }

  @Test func `flags of nesting and byte order do not hide an attribute, and those of a newer kernel are skipped`()
    throws
  {
    // NLA_F_NESTED on IFLA_LINKINFO, NLA_F_NET_BYTEORDER on IFLA_IFNAME.
    try expect(attribute(1_000, "news"), attribute(0x8000 | 18, attribute(1, "veth")), attribute(0x4000 | 3, "eth9")) {
      $0 = LinkFacts(index: 9, name: "eth9", flags: $0.flags, kind: "veth")
    }
  }

  @Test func `an interface may have other names, in a list that may have other properties`() throws {
    // IFLA_PROP_LIST, with NLA_F_NESTED, and in it IFLA_ALT_IFNAME twice.
    let long = "a-name-that-is-longer-than-others-may-be"
    let properties = attribute(53, "enp0s3") + attribute(99, "news") + attribute(53, long)
    try expect(attribute(0x8000 | 52, properties)) {
      $0 = LinkFacts(index: 9, name: "", alternativeNames: ["enp0s3", long], flags: $0.flags)
    }
    try expect(attribute(52, [UInt8]()))
  }

  @Test(arguments: 1..<24)
  func `a list of names that is cut off is no list`(length: Int) throws {
    // Two names of 12 bytes each with their headers. A list that is cut at the end of the first name is complete.
    let properties = attribute(53, "enp0s3f") + attribute(53, "enp0s4f")
    let header = MessageBuilder.linkHeader(index: 9, flags: 0x1043)
    let message = MessageBuilder.message(16, header + attribute(52, Array(properties[..<length])))
    if length < 4 || (12..<16).contains(length) {
      // A rest that is shorter than a header is padding.
      #expect(CapturedMessage(bytes: message).link?.facts.alternativeNames.count == length / 12)
    } else {
      #expect(throws: NetlinkDecodingError.self) { try DecodedMessage.all(in: message) }
    }
  }

  @Test func `a name that is not UTF-8 is escaped instead of refused, so that two of them stay two`() throws {
    #expect(try decode(attribute(3, [0x65, 0xff, 0x30, 0])).facts.name == #"e\xff0"#)
  }

  @Test func `a bond tells its conditions for a carrier, a bridge and a VLAN what they pass`() throws {
    // IFLA_BOND_MODE, IFLA_BOND_MIN_LINKS, IFLA_BOND_ARP_IP_TARGET.
    let target = attribute(8 | 0x8000, attribute(0, [192, 0, 2, 1]))
    var conditions = Aggregation()
    (conditions.usesLACP, conditions.leastPorts, conditions.targets) = (true, 2, [.literal("192.0.2.1")])
    try expect(kind("bond", attribute(1, [4]), attribute(18, 2), target)) {
      ($0.kind, $0.aggregation) = ("bond", conditions)
    }
    try expect(kind("bridge", attribute(7, [1]))) { ($0.kind, $0.filtersVLANs) = ("bridge", true) }
    try expect(kind("vlan", attribute(1, [10, 0]))) { ($0.kind, $0.vlan) = ("vlan", 10) }
  }

  @Test func `a link that is down has its state, and how often its carrier changed`() throws {
    try expect(attribute(16, [2]), attribute(33, [0]), attribute(35, 7)) {
      ($0.operationalState, $0.hasCarrier, $0.carrierChanges) = (.down, false, 7)
    }
  }

  @Test func `a link whose IPv4 settings forward passes on the packets of other hosts`() throws {
    for forwards: UInt32 in [0, 1] {
      try expect(attribute(26, attribute(2, attribute(1, forwards)))) { $0.forwards = forwards == 1 }
    }
  }

  @Test func `the parent of an IPsec interface does not carry its packets`() throws {
    let (link, information) = (attribute(5, 1), kind("xfrm", attribute(2, 42)))
    try expect(link, information) { $0.kind = "xfrm" }
    try expect(information, link) { $0.kind = "xfrm" }
  }
}

/// A wireless event carries the name and the driver's data, and leaves out all else.
@Suite("Wireless events")
struct WirelessEventTests {
  private let known = LinkFacts(
    index: 3, name: "wlan0", flags: [.up, .running, .lowerUp], operationalState: .up, hasCarrier: true, kind: nil,
    mtu: 1_500, hardwareAddress: [2, 0, 0, 0, 0, 3], masterIndex: 7)

  @Test func `a wireless event clears no known value, and has the link's new flags`() throws {
    #expect(try wirelessEvent(flags: known.flags.rawValue, change: .max).merged(onto: known) == known)
    let event = try wirelessEvent(flags: LinkFlags.up.rawValue, change: 0x10040)
    #expect(!event.isWirelessChatter)
    var expected = known
    expected.flags = .up
    #expect(event.merged(onto: known) == expected)
  }

  @Test func `a wireless event without a change is ignored, and one of an unknown link asks for a fresh reading`()
    throws
  {
    #expect(try wirelessEvent(flags: known.flags.rawValue, change: 0).isWirelessChatter)
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
      attribute(3, "wlan0") + attribute(11, [UInt8](repeating: 0xa5, count: 24))
    let header = MessageBuilder.linkHeader(index: 3, flags: flags, change: change)
    return try #require(CapturedMessage(bytes: MessageBuilder.message(16, header + attributes)).link)
  }
}
