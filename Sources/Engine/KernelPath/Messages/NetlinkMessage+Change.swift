internal import CNetlink
internal import PathModel

/// The meaning of a message for answers that were given before it.
extension NetlinkMessage {
  /// Whether the kernel makes the change before it announces it: a new route, and the state of a neighbour.
  var isDoneWhenAnnounced: Bool {
    switch type {
    case RTM_NEWROUTE, RTM_NEWNEIGH, RTM_DELNEIGH: true
    default: false
    }
  }

  /// The family of a route that has come or gone; `nil` for other messages, which may concern any lookup.
  func familyOfRoute() throws(NetlinkDecodingError) -> IPAddress.Family? {
    guard type == RTM_NEWROUTE || type == RTM_DELROUTE else { return nil }
    return IPAddress.Family(rawValue: try structure("rtmsg", 12)[0])
  }
}
