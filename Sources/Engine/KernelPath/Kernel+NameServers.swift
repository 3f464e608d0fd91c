internal import PathDecisions
package import PathModel
internal import SystemIO

/// Readings about the datagram sockets of this machine.
extension Kernel {
  /// The most that is read of a list of sockets, in bytes.
  private static let limit = 1 << 20

  /// Whether a program may serve names at an address of this machine; `nil` if that cannot be read.
  package func servesNames(at address: IPAddress) -> Bool? { datagramSockets()?.mayServeNames(at: address) }

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
