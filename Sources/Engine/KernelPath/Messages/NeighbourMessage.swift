internal import CNetlink
package import PathDecisions
internal import PathModel

extension NeighbourFacts {
  /// The ticks a second in which the kernel counts for programs (`USER_HZ`), as microseconds.
  private static let tick = 10_000

  /// Decodes the payload of an `RTM_NEWNEIGH` message: `struct ndmsg` and its attributes.
  ///
  /// `nil` for another family, and a message without an address or a state.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: rtnetlink(7), `linux/neighbour.h`.
  package init?(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    let header = try message.structure("ndmsg", 12)
    var address: IPAddress?
    var confirmedAgo: Int?
    var hardwareAddress: [UInt8] = []
    var attributes = message.attributes(of: "ndmsg", after: 12)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case NDA_DST: address = try attribute.address("NDA_DST")
      // struct nda_cacheinfo begins with ndm_confirmed.
      case NDA_CACHEINFO: confirmedAgo = Int(try attribute.uint32("NDA_CACHEINFO")) * Self.tick
      case NDA_LLADDR: hardwareAddress = attribute.value.array
      default: break
      }
    }
    guard let address, address.family.rawValue == header[0], let state = Self.state(header.uint16(at: 8)) else {
      return nil
    }
    self.init(
      RoutingFacts.Neighbour(address, on: header.int32(at: 4)), state, confirmedAgo: confirmedAgo,
      hardwareAddress: hardwareAddress)
  }

  private static func state(_ flags: UInt16) -> RoutingFacts.NeighbourState? {
    switch Int32(flags) {
    case let flags where flags & NUD_FAILED != 0: .failed
    case let flags where flags & NUD_INCOMPLETE != 0: .incomplete
    case let flags where flags & NUD_REACHABLE != 0: .reachable
    case let flags where flags & (NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_NOARP | NUD_PERMANENT) != 0: .stale
    default: nil
    }
  }
}
