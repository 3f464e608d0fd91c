internal import KernelPath
internal import PathDecisions
internal import PathModel

/// The names of the wireless networks that paths lead over. The kernel is asked for each path, because a name can
/// change while the interface stays.
final class NetworkNames {
  private var socket: WirelessSocket?

  /// The name of the network of the interface that carries the traffic; `nil` where that is not wireless, or the name
  /// is not known.
  func name(of path: NetworkPath) -> String? {
    guard path.status == .satisfied, let interface = path.interfaces.first, interface.type == .wifi,
      let index = Int32(exactly: interface.index)
    else { return nil }
    // The kernel registers nl80211 with the first wireless device, perhaps long after the start.
    if socket == nil { socket = WirelessSocket() }
    return socket?.networkName(of: index)?.text
  }
}
