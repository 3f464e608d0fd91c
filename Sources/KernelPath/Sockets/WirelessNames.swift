internal import PathModel

/// The names of the networks that wireless interfaces are connected to. Each is asked for when its link has changed,
/// and only where a rule needs it.
final class WirelessNames {
  private var socket: WirelessSocket?
  /// The links whose names may be others than before; `nil` for all.
  private var changed: Set<Int32>? = nil
  /// Whether any name may be another than before.
  var isDue: Bool { changed?.isEmpty != true }

  /// Takes note that a link has changed.
  func note(_ index: Int32) {
    changed?.insert(index)
  }

  /// Takes note that every link may have changed.
  func noteAll() {
    changed = nil
  }

  /// The names with those of the changed links asked for anew.
  ///
  /// - Parameters:
  ///   - names: The names as they were.
  ///   - wireless: The indices of all wireless links that can carry packets.
  func update(_ names: [Int32: NetworkName], of wireless: [Int32]) -> [Int32: NetworkName] {
    var result = names.filter { wireless.contains($0.key) }
    for index in wireless where changed?.contains(index) ?? true {
      // The family comes with the first wireless device, perhaps long after the start.
      if socket == nil { socket = WirelessSocket() }
      result[index] = socket?.networkName(of: index)
    }
    changed = []
    return result
  }
}
