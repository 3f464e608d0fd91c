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

  /// The family of a route that has come or gone; `nil` for other messages, which may concern any lookup.
  func familyOfRoute() throws(NetlinkDecodingError) -> IPAddress.Family? {
    guard type == MessageType.newRoute || type == MessageType.deleteRoute else { return nil }
    return IPAddress.Family(rawValue: try structure("rtmsg", 12)[0])
  }
}
