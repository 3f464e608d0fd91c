internal import CNetlink
internal import Glibc
internal import PathDecisions
internal import PathModel

/// A request to the kernel, built by libnl.
@safe struct NetlinkRequest: ~Copyable {
  private let message: OpaquePointer

  /// The room for a message, in bytes: none of ours is half as long. libnl would allocate and clear a page.
  private static let room = 256

  /// A request with a fixed structure (`struct rtmsg` and the like) as its payload.
  init(_ type: UInt16, flags: UInt16, payload: [UInt8]) {
    // If a few hundred bytes cannot be allocated, the program cannot go on: libnl's functions would receive null.
    guard let message = unsafe nlmsg_alloc_size(Self.room),
      unsafe nlmsg_put(message, 0, 0, Int32(type), 0, Int32(flags | MessageFlag.request)) != nil
    else { fatalError("out of memory") }
    unsafe self.message = message
    var payload = payload
    _ = unsafe nlmsg_append(message, &payload, payload.count, Int32(NLMSG_ALIGNTO))
  }

  deinit {
    unsafe nlmsg_free(message)
  }

  /// Adds an attribute with an integer in host order.
  func put(_ attribute: UInt16, _ value: UInt32) {
    _ = unsafe nla_put_u32(message, Int32(attribute), value)
  }

  /// Adds an attribute with an address in network order.
  func put(_ attribute: UInt16, _ address: IPAddress) { put(attribute, address.networkBytes) }

  /// Adds an attribute with these bytes.
  func put(_ attribute: UInt16, _ bytes: [UInt8]) {
    _ = unsafe nla_put(message, Int32(attribute), Int32(bytes.count), bytes)
  }

  /// The bytes to send.
  var bytes: [UInt8] {
    guard let header = unsafe nlmsg_hdr(message) else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: header, count: Int(header.pointee.nlmsg_len)))
  }
}

extension NetlinkRequest {
  /// The request for the answer to a ``RouteQuery``.
  static func route(_ query: RouteQuery) -> [UInt8] {
    let family = query.destination.family
    let width = UInt8(family.bitWidth)
    var flags: UInt32 = 0
    if query.kind == .match {
      // IPv4 names the table only on request. IPv6 always names it, and refuses the flag under strict checks.
      flags = RouteFlag.matchedEntry | (family == .ipv4 ? RouteFlag.lookupTable : 0)
    }
    let request = NetlinkRequest(
      MessageType.getRoute, flags: 0,
      payload: [family.rawValue, width, query.source == nil ? 0 : width, 0, 0, 0, 0, 0] + flags.hostBytes)
    request.put(RouteAttribute.destination, query.destination)
    if let source = query.source { request.put(RouteAttribute.source, source) }
    // Without this attribute the rules of IPv4 see UDP, and those of IPv6 no protocol at all.
    request.put(RouteAttribute.protocolNumber, [UInt8(IPPROTO_TCP)])
    if query.interfaceIndex != 0 {
      request.put(RouteAttribute.outputInterface, UInt32(bitPattern: query.interfaceIndex))
    }
    if let user = query.user { request.put(RouteAttribute.user, user) }
    if let mark = query.mark { request.put(RouteAttribute.mark, mark) }
    return request.bytes
  }

  /// The request for all links, without their counters.
  static func allLinks() -> [UInt8] {
    let request = NetlinkRequest(MessageType.getLink, flags: MessageFlag.dump, payload: .init(repeating: 0, count: 16))
    request.put(LinkAttribute.extensionMask, skipStatistics)
    return request.bytes
  }

  /// The request for one link, without its counters.
  static func link(_ index: Int32) -> [UInt8] {
    let request = NetlinkRequest(
      MessageType.getLink, flags: 0,
      payload: [0, 0, 0, 0] + UInt32(bitPattern: index).hostBytes + .init(repeating: 0, count: 8))
    request.put(LinkAttribute.extensionMask, skipStatistics)
    return request.bytes
  }

  /// The request for all addresses of both families.
  static func allAddresses() -> [UInt8] {
    NetlinkRequest(MessageType.getAddress, flags: MessageFlag.dump, payload: .init(repeating: 0, count: 8)).bytes
  }

  /// The request for all policy rules of a family.
  static func allRules(of family: UInt8) -> [UInt8] {
    NetlinkRequest(
      MessageType.getRule, flags: MessageFlag.dump, payload: [family] + .init(repeating: 0, count: 11)
    ).bytes
  }

  /// The request for the neighbour entry of a router on the link of an interface.
  static func neighbour(_ neighbour: RoutingFacts.Neighbour) -> [UInt8] {
    let request = NetlinkRequest(
      MessageType.getNeighbour, flags: 0,
      payload: [neighbour.address.family.rawValue, 0, 0, 0]
        + UInt32(bitPattern: neighbour.interfaceIndex).hostBytes + [0, 0, 0, 0])
    request.put(NeighbourAttribute.destination, neighbour.address)
    return request.bytes
  }

  /// The request for the routes of all tables over a link.
  static func routes(of family: IPAddress.Family, over link: Int32) -> [UInt8] {
    let request = NetlinkRequest(
      MessageType.getRoute, flags: MessageFlag.dump,
      payload: [family.rawValue, 0, 0, 0, 0, 0, 0, RouteType.unicast, 0, 0, 0, 0])
    request.put(RouteAttribute.outputInterface, UInt32(bitPattern: link))
    return request.bytes
  }

  /// The request for the routes of a table, of one type alone or of all types (0).
  static func routes(of family: IPAddress.Family, table: UInt32, type: UInt8) -> [UInt8] {
    let request = NetlinkRequest(
      MessageType.getRoute, flags: MessageFlag.dump,
      payload: [family.rawValue, 0, 0, 0, 0, 0, 0, type, 0, 0, 0, 0])
    request.put(RouteAttribute.table, table)
    return request.bytes
  }
}

extension IPAddress {
  /// The 4 or 16 bytes in network order.
  fileprivate var networkBytes: [UInt8] {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
    return family == .ipv4 ? bytes(low, 4) : bytes(high, 8) + bytes(low, 8)
  }
}

extension UInt32 {
  /// The 4 bytes in host order.
  fileprivate var hostBytes: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.overwrite(at: 0, with: self)
    return bytes
  }
}
