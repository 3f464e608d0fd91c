internal import Glibc
package import PathModel
internal import SystemIO

/// The outcome of connect(2) for a destination: the truth that the tests compare a path with.
package enum ConnectionAttempt: Hashable, Sendable {
  package enum Transport: Hashable, Sendable {
    case tcp, udp
  }

  /// The kernel refuses, with the error number.
  case refused(Int32)
  /// The kernel has a route, and sends from this address; packets may be as long as the route says, in bytes.
  case connected(source: IPAddress, mtu: Int32)

  /// Connects a non-blocking socket and has it send a packet.
  ///
  /// - Parameter device: The interface that the socket is bound to; `nil` for none.
  package init(_ transport: Transport, to destination: IPAddress, port: UInt16, device: String? = nil) {
    let kind = transport == .tcp ? SOCK_STREAM : SOCK_DGRAM
    let flags = Int32(kind.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = OwnedDescriptor(owning: socket(Int32(destination.family.rawValue), flags, 0))
    if let device {
      let status = unsafe setsockopt(
        descriptor.number, SOL_SOCKET, SO_BINDTODEVICE, device, socklen_t(device.utf8.count + 1))
      if status != 0 {
        self = .refused(errno)
        return
      }
    }
    var address = SocketAddress.bytes(destination, port)
    let status = unsafe address.withUnsafeMutableBytes { bytes in
      unsafe connect(
        descriptor.number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    if status != 0, errno != EINPROGRESS {
      self = .refused(errno)
      return
    }
    var packet: UInt8 = 0
    if transport == .udp { _ = unsafe send(descriptor.number, &packet, 1, 0) }
    self = .connected(
      source: SocketAddress.local(of: descriptor.number, destination.family),
      mtu: SocketAddress.routeMTU(of: descriptor.number, destination.family))
  }
}

extension ConnectionAttempt {
  /// Sends packets from one unconnected socket: the kernel looks up a route once for each of them, and always with the
  /// same ports.
  package static func sendPackets(_ count: Int, to destination: IPAddress, port: UInt16) {
    let flags = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = OwnedDescriptor(owning: socket(Int32(destination.family.rawValue), flags, 0))
    var address = SocketAddress.bytes(destination, port)
    var packet: UInt8 = 0
    for _ in 0..<count {
      unsafe address.withUnsafeMutableBytes { bytes in
        _ = unsafe sendto(
          descriptor.number, &packet, 1, 0, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count))
      }
    }
  }
}

/// Socket addresses as bytes: `struct sockaddr_in` and `struct sockaddr_in6`.
private enum SocketAddress {
  static func bytes(_ address: IPAddress, _ port: UInt16) -> [UInt8] {
    // The family is in host order, everything else in network order.
    var bytes = [address.family.rawValue, 0, UInt8(port >> 8), UInt8(port & 255)]
    switch address.family {
    case .ipv4:
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: address.low >> (24 - 8 * $0)) } + Array(repeating: 0, count: 8)
    case .ipv6:
      bytes += [0, 0, 0, 0]
      bytes += [address.high, address.low].flatMap { half in
        (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
      }
      bytes += [0, 0, 0, 0]
    }
    return bytes
  }

  static func local(of descriptor: Int32, _ family: IPAddress.Family) -> IPAddress {
    var bytes = [UInt8](repeating: 0, count: 28)
    var length = socklen_t(bytes.count)
    _ = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    return family == .ipv4 ? IPAddress(ipv4: UInt32(number(4..<8))) : IPAddress(ipv6: number(8..<16), number(16..<24))
  }

  static func routeMTU(of descriptor: Int32, _ family: IPAddress.Family) -> Int32 {
    var mtu: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let (level, option) = family == .ipv4 ? (Int32(IPPROTO_IP), IP_MTU) : (Int32(IPPROTO_IPV6), IPV6_MTU)
    _ = unsafe getsockopt(descriptor, level, option, &mtu, &length)
    return mtu
  }
}
