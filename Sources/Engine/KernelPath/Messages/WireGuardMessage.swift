internal import CNetlink
package import PathModel

/// The facts about a WireGuard tunnel from the answers of the family `wireguard`: `struct genlmsghdr`, and attributes.
/// The first of several answers describes the tunnel, and each has some of its peers.
///
/// A tunnel sends to the peer with the longest of the allowed networks that hold a destination. The private key and the
/// shared keys in the answers are passed over.
package struct WireGuardMessage: Hashable, Sendable {
  /// The end of a peer, to which the tunnel sends its own packets.
  package struct Endpoint: Hashable, Sendable {
    /// The address of the peer.
    package var address: IPAddress
    /// The interface of a link-local address; 0 for others.
    package var interfaceIndex: Int32
  }

  /// The peer with the longest allowed network so far that holds a destination.
  private struct Owner: Hashable {
    var length: Int
    var key: [UInt8]
  }

  /// The UDP port of the tunnel's own packets. Source: `WGDEVICE_A_LISTEN_PORT`.
  package private(set) var port: UInt16 = 0
  /// The mark of the tunnel's own packets; 0 for none. Source: `WGDEVICE_A_FWMARK`.
  package private(set) var mark: UInt32 = 0
  /// The ends of the peers to which packets for the destinations go, each once. It has none for a destination that no
  /// peer is for, or whose peer has not been heard yet. Source: `WGPEER_A_ALLOWEDIPS`, `WGPEER_A_ENDPOINT`.
  package var endpoints: [Endpoint] {
    var found: [Endpoint] = []
    for owner in owners.compactMap(\.self) {
      if let endpoint = ends[owner.key], !found.contains(endpoint) { found.append(endpoint) }
    }
    return found
  }

  private let destinations: [IPAddress]
  private var owners: [Owner?]
  private var ends: [[UInt8]: Endpoint] = [:]

  /// Nothing known yet of the peers for the destinations.
  package init(for destinations: [IPAddress]) {
    self.destinations = destinations
    owners = destinations.map { _ in nil }
  }

  /// Adds the facts in an answer.
  ///
  /// Unknown attributes are skipped, so a newer kernel does not break decoding.
  ///
  /// - Throws: ``NetlinkDecodingError`` when the bytes are short or an attribute overruns the message.
  /// - Source: `linux/genetlink.h`, `linux/wireguard.h`.
  package mutating func add(_ message: NetlinkMessage) throws(NetlinkDecodingError) {
    _ = try message.structure("genlmsghdr", NetlinkMessage.genericHeaderLength)
    var attributes = message.attributes(of: "wireguard", after: NetlinkMessage.genericHeaderLength)
    while let attribute = try attributes.next() {
      switch attribute.type {
      case WGDEVICE_A_LISTEN_PORT:
        try attribute.value.require(2, "WGDEVICE_A_LISTEN_PORT")
        port = attribute.value.uint16(at: 0)
      case WGDEVICE_A_FWMARK: mark = try attribute.uint32("WGDEVICE_A_FWMARK")
      case WGDEVICE_A_PEERS:
        var peers = attribute.attributes(of: "WGDEVICE_A_PEERS")
        while let peer = try peers.next() { try addPeer(peer) }
      default: break
      }
    }
  }

  /// Adds a peer, or more of the networks of one: those that do not fit into an answer follow in the next one, under
  /// the same public key.
  private mutating func addPeer(_ peer: NetlinkAttribute) throws(NetlinkDecodingError) {
    var key: [UInt8] = []
    var keys = peer.attributes(of: "wgpeer")
    while let attribute = try keys.next() {
      if attribute.type == WGPEER_A_PUBLIC_KEY { key = attribute.value.array }
    }
    var attributes = peer.attributes(of: "wgpeer")
    while let attribute = try attributes.next() {
      if attribute.type == WGPEER_A_ENDPOINT, let endpoint = try Endpoint(attribute.value) {
        ends[key] = endpoint
      } else if attribute.type == WGPEER_A_ALLOWEDIPS {
        var networks = attribute.attributes(of: "WGPEER_A_ALLOWEDIPS")
        while let network = try networks.next() { try addNetwork(network, of: key) }
      }
    }
  }

  private mutating func addNetwork(_ network: NetlinkAttribute, of key: [UInt8]) throws(NetlinkDecodingError) {
    var (address, length): (IPAddress?, Int) = (nil, 0)
    var attributes = network.attributes(of: "wgallowedip")
    while let attribute = try attributes.next() {
      if attribute.type == WGALLOWEDIP_A_IPADDR {
        address = attribute.value.address
      } else if attribute.type == WGALLOWEDIP_A_CIDR_MASK {
        length = Int(try attribute.uint8("WGALLOWEDIP_A_CIDR_MASK"))
      }
    }
    guard let address, length <= address.family.bitWidth else { return }
    for (place, destination) in destinations.enumerated()
    where destination.family == address.family && destination.matches(address, prefixLength: length) {
      if owners[place].map({ $0.length <= length }) ?? true { owners[place] = Owner(length: length, key: key) }
    }
  }
}

extension WireGuardMessage.Endpoint {
  /// Decodes `struct sockaddr_in` or `struct sockaddr_in6`; `nil` for another family.
  fileprivate init?(_ socketAddress: NetlinkBytes) throws(NetlinkDecodingError) {
    try socketAddress.require(2, "WGPEER_A_ENDPOINT")
    let number = socketAddress.uint16(at: 0)
    guard let family = IPAddress.Family.allCases.first(where: { UInt16($0.rawValue) == number }) else { return nil }
    try socketAddress.require(family == .ipv4 ? 8 : 28, "WGPEER_A_ENDPOINT")
    guard let address = socketAddress.extracting(family == .ipv4 ? 4..<8 : 8..<24).address else { return nil }
    self.address = address
    interfaceIndex = family == .ipv4 ? 0 : socketAddress.int32(at: 24)
  }
}

/// The numbers of the family `wireguard` that we use. A test compares each with the header of the machine it runs on.
