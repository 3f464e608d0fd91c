/// The meaning of a message for answers that were given before it.
extension NetlinkMessage {
  /// Whether the kernel makes the change before it announces it: a new route, and the state of a neighbour.
  var isDoneWhenAnnounced: Bool {
    switch type {
    case MessageType.newRoute, MessageType.newNeighbour, MessageType.deleteNeighbour: true
    default: false
    }
  }
}
