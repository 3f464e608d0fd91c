internal import PathDecisions

/// The wireless interfaces: those that are access points, and the names of the networks that others are connected to.
/// The kernel is asked when the link has changed.
final class WirelessLinks {
  private var socket: WirelessSocket?
  /// The links that may have changed; `nil` for all.
  private var changed: Set<Int32>? = nil
  /// Whether any link may have changed.
  var isDue: Bool { changed?.isEmpty != true }

  /// Records that a link has changed. The kernel announces the link also when its mode changes while it is up, and
  /// before it is up again otherwise.
  func note(_ index: Int32) {
    changed?.insert(index)
  }

  /// Records that every link may have changed.
  func noteAll() {
    changed = nil
  }

  /// Asks again about the changed ones of all wireless links.
  ///
  /// - Parameter former: The names of the networks, and the access points, before.
  /// - Returns: Both as they are now.
  func update(
    _ wireless: [LinkFacts], after former: (names: [Int32: NetworkName], accessPoints: [Int32])
  ) -> (names: [Int32: NetworkName], accessPoints: [Int32]) {
    let unchanged = wireless.map(\.index).filter { changed?.contains($0) == false }
    var accessPoints = former.accessPoints.filter(unchanged.contains)
    var names = former.names.filter { unchanged.contains($0.key) }
    for link in wireless where !unchanged.contains(link.index) {
      // The kernel registers the family with the first wireless device, perhaps long after the start.
      if socket == nil { socket = WirelessSocket() }
      guard let interface = socket?.interface(link.index) else { continue }
      if interface.isAccessPoint { accessPoints.append(link.index) }
      guard link.obstacle == nil else { continue }
      names[link.index] = interface.networkName ?? socket?.scannedName(of: link.index)
    }
    changed = []
    return (names, accessPoints)
  }
}
