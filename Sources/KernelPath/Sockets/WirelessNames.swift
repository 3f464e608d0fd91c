internal import PathDecisions

/// The names of the networks that wireless interfaces are connected to. The kernel is asked for a name when its link
/// has changed, and only if a rule needs it.
final class WirelessNames {
  private var socket: WirelessSocket?
  /// The links whose names may have changed; `nil` for all.
  private var changed: Set<Int32>? = nil
  /// Whether any name may have changed.
  var isDue: Bool { changed?.isEmpty != true }

  /// Records that a link has changed.
  func note(_ index: Int32) {
    changed?.insert(index)
  }

  /// Records that every link may have changed.
  func noteAll() {
    changed = nil
  }

  /// Asks again for the names of the changed links, and returns all names.
  ///
  /// - Parameters:
  ///   - names: The earlier names.
  ///   - wireless: The indices of all wireless links that can carry packets.
  func update(_ names: [Int32: NetworkName], of wireless: [Int32]) -> [Int32: NetworkName] {
    var result = names.filter { wireless.contains($0.key) }
    for index in wireless where changed?.contains(index) ?? true {
      // The kernel registers the family with the first wireless device, perhaps long after the start.
      if socket == nil { socket = WirelessSocket() }
      result[index] = socket?.networkName(of: index)
    }
    changed = []
    return result
  }
}
