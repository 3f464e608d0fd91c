internal import CNetlink
internal import PathDecisions
internal import PathModel

/// A request to the kernel: a header, a fixed structure, and attributes (netlink(7)). A datagram may have several.
///
/// libnl can build it, too, in two allocations and as many copies. A change of the path takes about ten requests, which
/// then cost a seventh of its instructions (row `fresh` of the benchmarks).
struct NetlinkRequest {
  /// The bytes of the datagram.
  private(set) var bytes: [UInt8] = []
  /// The place of the last request.
  private var start = 0

  /// The room for a request, in bytes: none of ours is longer.
  private static let room = 128
  /// `IPPROTO_TCP`. The headers of the kernel and of the C library both have it, which hides it from Swift.
  static let protocolTCP: UInt8 = 6
  /// The offset of the sequence number in a request (`nlmsg_seq`).
  static let sequenceOffset = 8

  /// A datagram with room for so many requests.
  init(capacity: Int) { bytes.reserveCapacity(capacity * Self.room) }

  /// A request with a fixed structure (`struct ifinfomsg` and the like), whose length is a multiple of 4.
  init(_ type: Int, flags: Int32, structure: [UInt8]) {
    self.init(capacity: 1)
    begin(type, flags: flags)
    bytes += structure
    noteLength()
  }

  /// Begins a request.
  ///
  /// - Parameter sequence: The sequence number; 0 if ``QuerySocket`` sets it later.
  private mutating func begin(_ type: Int, flags: Int32, sequence: UInt32 = 0) {
    start = bytes.count
    bytes.append(inHostOrder: UInt32(0))  // nlmsg_len
    bytes.append(inHostOrder: UInt16(type))
    bytes.append(inHostOrder: UInt16(flags | NLM_F_REQUEST))
    bytes.append(inHostOrder: sequence)
    bytes.append(inHostOrder: UInt32(0))  // nlmsg_pid
  }

  private mutating func noteLength() { bytes.overwrite(at: start, with: UInt32(bytes.count - start)) }

  private mutating func begin(_ attribute: some BinaryInteger, byteCount: UInt16) {
    bytes.append(inHostOrder: 4 + byteCount)
    bytes.append(inHostOrder: UInt16(attribute))
  }

  /// Adds an attribute with an integer in host order.
  mutating func put(_ attribute: some BinaryInteger, _ value: UInt32) {
    begin(attribute, byteCount: 4)
    bytes.append(inHostOrder: value)
    noteLength()
  }

  /// Adds an attribute with a byte.
  mutating func put(_ attribute: some BinaryInteger, byte: UInt8) {
    begin(attribute, byteCount: 1)
    // The next attribute begins at a multiple of 4.
    bytes.append(inHostOrder: UInt32(byte).littleEndian)
    noteLength()
  }

  /// Adds an attribute with these bytes, whose number is a multiple of 4.
  mutating func put(_ attribute: some BinaryInteger, bytes value: [UInt8]) {
    begin(attribute, byteCount: UInt16(value.count))
    bytes += value
    noteLength()
  }

  /// Adds an attribute with an address in network order.
  mutating func put(_ attribute: some BinaryInteger, _ address: IPAddress) {
    begin(attribute, byteCount: UInt16(address.family.bitWidth / 8))
    switch address.family {
    case .ipv4: bytes.append(inHostOrder: UInt32(truncatingIfNeeded: address.low).bigEndian)
    case .ipv6:
      bytes.append(inHostOrder: address.high.bigEndian)
      bytes.append(inHostOrder: address.low.bigEndian)
    }
    noteLength()
  }
}

extension NetlinkRequest {
  /// Adds the request for the answer to a ``RouteQuery``.
  mutating func add(_ query: RouteQuery, sequence: UInt32) {
    let family = query.destination.family
    let width = UInt8(family.bitWidth)
    var flags: Int32 = 0
    if query.kind == .match {
      // IPv4 names the table only on request. IPv6 always names it, and refuses the flag under strict checks.
      flags = RTM_F_FIB_MATCH | (family == .ipv4 ? RTM_F_LOOKUP_TABLE : 0)
    }
    begin(RTM_GETROUTE, flags: 0, sequence: sequence)
    bytes.append(family.rawValue)
    bytes.append(width)  // rtm_dst_len
    bytes.append(query.source == nil ? 0 : width)  // rtm_src_len
    bytes.append(0)  // rtm_tos
    bytes.append(inHostOrder: UInt32(0))  // rtm_table, rtm_protocol, rtm_scope, rtm_type
    bytes.append(inHostOrder: flags)
    put(RTA_DST.rawValue, query.destination)
    if let source = query.source { put(RTA_SRC.rawValue, source) }
    // Without this attribute the rules of IPv4 see UDP, and those of IPv6 no protocol at all.
    put(RTA_IP_PROTO.rawValue, byte: NetlinkRequest.protocolTCP)
    if query.interfaceIndex != 0 { put(RTA_OIF.rawValue, UInt32(bitPattern: query.interfaceIndex)) }
    if let user = query.user { put(RTA_UID.rawValue, user) }
    if let mark = query.mark { put(RTA_MARK.rawValue, mark) }
  }

  /// The request for all links, without their counters.
  static func allLinks() -> [UInt8] {
    var request = NetlinkRequest(
      RTM_GETLINK, flags: NLM_F_DUMP, structure: .init(repeating: 0, count: 16))
    request.put(IFLA_EXT_MASK, UInt32(RTEXT_FILTER_SKIP_STATS))
    return request.bytes
  }

  /// The request for the VLANs of all bridges and their ports, in ranges.
  static func allBridgePorts() -> [UInt8] {
    var request = NetlinkRequest(
      RTM_GETLINK, flags: NLM_F_DUMP, structure: [UInt8(AF_BRIDGE)] + .init(repeating: 0, count: 15))
    request.put(IFLA_EXT_MASK, UInt32(RTEXT_FILTER_BRVLAN_COMPRESSED))
    return request.bytes
  }

  /// The request for one link, without its counters.
  static func link(_ index: Int32) -> [UInt8] {
    var structure = [UInt8](repeating: 0, count: 16)
    structure.overwrite(at: 4, with: UInt32(bitPattern: index))  // ifi_index
    var request = NetlinkRequest(RTM_GETLINK, flags: 0, structure: structure)
    request.put(IFLA_EXT_MASK, UInt32(RTEXT_FILTER_SKIP_STATS))
    return request.bytes
  }

  /// The request for all addresses of both families.
  static func allAddresses() -> [UInt8] {
    NetlinkRequest(RTM_GETADDR, flags: NLM_F_DUMP, structure: .init(repeating: 0, count: 8)).bytes
  }

  /// The request for all policy rules of a family.
  static func allRules(of family: UInt8) -> [UInt8] {
    NetlinkRequest(
      RTM_GETRULE, flags: NLM_F_DUMP, structure: [family] + .init(repeating: 0, count: 11)
    ).bytes
  }

  /// The request for the neighbour entry of a router on the link of an interface.
  static func neighbour(_ neighbour: RoutingFacts.Neighbour) -> [UInt8] {
    var structure: [UInt8] = [neighbour.address.family.rawValue, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    structure.overwrite(at: 4, with: UInt32(bitPattern: neighbour.interfaceIndex))  // ndm_ifindex
    var request = NetlinkRequest(RTM_GETNEIGH, flags: 0, structure: structure)
    request.put(NDA_DST, neighbour.address)
    return request.bytes
  }

  /// The request for a next-hop object.
  static func nextHop(_ identifier: UInt32) -> [UInt8] {
    var request = NetlinkRequest(RTM_GETNEXTHOP, flags: 0, structure: .init(repeating: 0, count: 8))
    request.put(NHA_ID, identifier)
    return request.bytes
  }

  /// The request for the routes of all tables over a link.
  static func routes(of family: IPAddress.Family, over link: Int32) -> [UInt8] {
    var request = NetlinkRequest(
      RTM_GETROUTE, flags: NLM_F_DUMP,
      structure: [family.rawValue, 0, 0, 0, 0, 0, 0, RouteType.unicast, 0, 0, 0, 0])
    request.put(RTA_OIF.rawValue, UInt32(bitPattern: link))
    return request.bytes
  }

  /// The request for the routes of a table, of one type alone or of all types (0).
  static func routes(of family: IPAddress.Family, table: UInt32, type: UInt8) -> [UInt8] {
    var request = NetlinkRequest(
      RTM_GETROUTE, flags: NLM_F_DUMP,
      structure: [family.rawValue, 0, 0, 0, 0, 0, 0, type, 0, 0, 0, 0])
    request.put(RTA_TABLE.rawValue, table)
    return request.bytes
  }
}
