internal import Glibc
internal import ProcessTestSupport
internal import SystemIO

/// The frames that arrive at the links of a network namespace.
package final class FrameCapture {
  /// A frame with a TCP or UDP packet in it.
  package struct Frame: Hashable, Sendable {
    /// The hardware address of the interface that sent it.
    package var sourceAddress: [UInt8]
    package var destinationPort: UInt16
  }

  private let descriptor: OwnedDescriptor
  private var buffer = [UInt8](repeating: 0, count: 2_048)

  /// Listens in the far namespace. The thread has to be in the near one, and is there again afterwards.
  package init(_ namespace: TestNamespace) throws {
    try NetworkNamespace.enter(namespace.far)
    let allProtocols = Int32(Self.allProtocols.bigEndian)
    descriptor = OwnedDescriptor(
      owning: socket(AF_PACKET, Int32(SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), allProtocols)
    )
    try NetworkNamespace.enter(namespace.near)
  }

  /// The frames that have arrived since the last call.
  ///
  /// - Parameter limit: How long to wait for the first of them.
  package func drain(within limit: Duration = .zero) -> [Frame] {
    var frames: [Frame] = []
    var isFirst = true
    while !isFirst || limit == .zero || isReadable(descriptor.number, within: limit) {
      isFirst = false
      let length = unsafe recv(descriptor.number, &buffer, buffer.count, 0)
      if length < 0 { break }
      if let frame = Self.frame(buffer[..<length]) { frames.append(frame) }
    }
    return frames
  }

  /// `ETH_P_ALL` of `linux/if_ether.h`.
  private static let allProtocols: UInt16 = 3
  private static let etherTypeIPv4: UInt16 = 0x0800
  private static let etherTypeIPv6: UInt16 = 0x86dd
  private static let carriesPorts: [UInt8] = [UInt8(IPPROTO_TCP), UInt8(IPPROTO_UDP)]

  private static func frame(_ bytes: ArraySlice<UInt8>) -> Frame? {
    guard bytes.count >= 58 || bytes.count >= 38 && bytes[12] == 8 else { return nil }
    let etherType = UInt16(bytes[12]) << 8 | UInt16(bytes[13])
    let ports: Int
    switch etherType {
    case etherTypeIPv4 where carriesPorts.contains(bytes[23]): ports = 14 + 4 * Int(bytes[14] & 15)
    case etherTypeIPv6 where carriesPorts.contains(bytes[20]): ports = 54
    default: return nil
    }
    guard bytes.count >= ports + 4 else { return nil }
    return Frame(
      sourceAddress: Array(bytes[6..<12]), destinationPort: UInt16(bytes[ports + 2]) << 8 | UInt16(bytes[ports + 3]))
  }
}
