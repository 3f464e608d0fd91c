internal import PathModel

/// The meaning of a message for answers that were given before it.
extension NetlinkMessage {
  /// Whether the kernel makes the change before it announces it: a new route, and the state of a neighbour.
  var isDoneWhenAnnounced: Bool {
    switch type {
    case MessageType.newRoute, MessageType.newNeighbour, MessageType.deleteNeighbour: true
    default: false
    }
  }

  /// The families whose routing decisions the change may affect.
  func touchedFamilies(in datagram: Span<UInt8>) -> AddressFamilies {
    switch type {
    case MessageType.newAddress, MessageType.deleteAddress, MessageType.newRoute, MessageType.deleteRoute,
      MessageType.newNeighbour, MessageType.deleteNeighbour, MessageType.newRule, MessageType.deleteRule,
      MessageType.newSettings, MessageType.deleteSettings:
      // All these begin with the family (`struct rtgenmsg`).
      guard !payload.isEmpty,
        let family = IPAddress.Family(rawValue: datagram[payload.lowerBound])
      else { return .all }
      return family == .ipv4 ? .ipv4 : .ipv6
    default: return .all
    }
  }
}
