internal import CNetlink
package import PathDecisions
internal import PathModel

extension ConnectionFacts {
  /// The length of `struct inet_diag_msg`.
  private static let headerLength = 72
  /// The place of `tcpi_last_data_recv` in `struct tcp_info`.
  private static let lastReceive = 52
  /// The bit of `transparent` in the first byte of `struct inet_diag_sockopt`: bit fields begin at the lowest bit of a
  /// little-endian machine, and at the highest of another one.
  private static let transparent: UInt8 = 1.littleEndian == 1 ? 0x20 : 0x04

  /// Decodes the payload of an answer about a socket: `struct inet_diag_msg` and its attributes.
  ///
  /// `nil` for other families, and for states in which nothing can be lost.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: sock_diag(7), `linux/inet_diag.h`.
  package init?(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("inet_diag_msg", Self.headerLength)
    guard let family = IPAddress.Family(rawValue: header[0]), let state = State(rawValue: header[1]),
      let local = Endpoint(header, port: 4, address: 8, family),
      let remote = Endpoint(header, port: 6, address: 24, family)
    else { return nil }
    self.init(
      socketFamily: family, state: state, local: local, remote: remote, interfaceIndex: header.int32(at: 40),
      cookie: UInt64(header.uint32(at: 44)) | UInt64(header.uint32(at: 48)) << 32, user: header.uint32(at: 64),
      inode: header.uint32(at: 68), unacknowledgedBytes: header.uint32(at: 60))
    var attributes = message.attributes(of: "inet_diag_msg", after: Self.headerLength)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case INET_DIAG_INFO:
        // A kernel may know less of it. A socket that is not connected yet has no such time.
        if state != .synSent, attribute.value.count >= Self.lastReceive + 4 {
          silence = attribute.value.uint32(at: Self.lastReceive)
        }
      case INET_DIAG_SOCKOPT: isTransparent = try attribute.uint8("INET_DIAG_SOCKOPT") & Self.transparent != 0
      default: break
      }
    }
  }
}

extension ConnectionFacts.Endpoint {
  /// Reads an end; `nil` never for the 16 bytes of an address.
  fileprivate init?(_ header: NetlinkBytes, port: Int, address: Int, _ family: IPAddress.Family) {
    let length = family.bitWidth / 8
    guard let found = header.extracting(address..<address + length).address else { return nil }
    self.init(found.withoutMapping, UInt16(header[port]) << 8 | UInt16(header[port + 1]))
  }
}

extension IPAddress {
  /// The upper bits of the lower half of `::ffff:0:0/96`, in which IPv6 sockets have the addresses of IPv4.
  private static let mapping: UInt64 = 0xffff << 32

  /// The IPv4 address that an IPv6 address stands for; any other one as it is.
  fileprivate var withoutMapping: IPAddress {
    family == .ipv6 && high == 0 && low >> 32 == 0xffff ? IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) : self
  }

  /// The 16 bytes of the address in `struct inet_diag_sockid` of a socket of the family.
  func socketBytes(of family: Family) -> [UInt8] {
    func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
    switch (self.family, family) {
    case (.ipv4, .ipv4): return bytes(low, 4) + [UInt8](repeating: 0, count: 12)
    case (.ipv4, .ipv6): return bytes(0, 8) + bytes(Self.mapping | low, 8)
    case (.ipv6, _): return bytes(high, 8) + bytes(low, 8)
    }
  }
}
