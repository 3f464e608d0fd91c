internal import PathDecisions
package import PathModel
internal import SystemIO

/// Readings about the datagram sockets of this machine.
extension Kernel {
  /// The most that is read of a list of sockets, in bytes.
  private static let limit = 1 << 20

  /// The reason why no program can be asked for names at an address of this machine, as a clause; `nil` when one may
  /// be, when the address is not of this machine, and when that cannot be read.
  package func faultOfLocalServer(_ server: IPAddress) -> String? {
    guard server.isLoopback || state.interfaces.contains(where: { $0.has(server) }) else { return nil }
    let loopback = state.interfaces.map(\.link).first { $0.isLoopback }
    if let loopback, loopback.obstacle != nil {
      return "the way to \(server) leads over \(loopback.name), which is switched off"
    }
    guard let sockets = datagramSockets() else { return nil }
    return sockets.mayServeNames(at: server) ? nil : "no program serves names at \(server) on this machine"
  }

  /// The datagram sockets of the network namespace; `nil` when they cannot be read.
  func datagramSockets() -> DatagramSockets? {
    var sockets = DatagramSockets()
    for path in datagramSocketPaths {
      // Without IPv6, the second file does not exist.
      guard let bytes = try? Files.read(path, limit: Self.limit) else {
        if path == datagramSocketPaths.first { return nil }
        continue
      }
      if bytes.count >= Self.limit { return nil }
      sockets.add(String(decoding: bytes, as: UTF8.self))
    }
    return sockets
  }
}
