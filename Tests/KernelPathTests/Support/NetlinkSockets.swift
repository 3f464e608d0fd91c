internal import CNetlink
internal import Glibc
internal import SystemIO

/// The netlink sockets of a kernel under test, which are private. They are found in the system's tables.
package struct NetlinkSockets {
  /// The port of the socket for questions, which is in no group.
  package let queryPort: UInt32
  package let queryDescriptor: Int32

  /// Finds the only socket of this thread's namespace that is in no group and is ours.
  package init?() {
    var candidates: [String: UInt32] = [:]
    for line in Self.lines(of: "/proc/thread-self/net/netlink").dropFirst() {
      // sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode
      let fields = line.split(separator: " ")
      guard fields.count >= 10, fields[1] == "0", fields[3] == "00000000", let port = UInt32(fields[2]), port != 0
      else {
        continue
      }
      candidates["socket:[\(fields[9])]"] = port
    }
    for descriptor in Int32(0)..<1_024 {
      guard let target = Files.linkTarget("/proc/self/fd/\(descriptor)"), let port = candidates[target] else {
        continue
      }
      (queryPort, queryDescriptor) = (port, descriptor)
      return
    }
    return nil
  }

  package static func port(ofDescriptor descriptor: Int32) -> UInt32 {
    var address = sockaddr_nl()
    var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
    _ = unsafe withUnsafeMutableBytes(of: &address) { bytes in
      unsafe getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    return address.nl_pid
  }

  /// Sends a datagram from a socket of our own to a port, as another process would.
  ///
  /// - Returns: Whether it was sent.
  package static func forge(_ datagram: [UInt8], to port: UInt32) -> Bool {
    let sender = OwnedDescriptor(owning: socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), NETLINK_ROUTE))
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_pid = port
    let length = socklen_t(MemoryLayout<sockaddr_nl>.size)
    let sent = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe sendto(
        sender.number, datagram, datagram.count, 0, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
    }
    return sent == datagram.count
  }

  private static func lines(of path: String) -> [Substring] {
    let bytes = (try? Files.read(path, limit: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}

/// While this object exists, each use of the descriptor fails, and no other file gets its number.
package struct BrokenDescriptor: ~Copyable {
  private let number: Int32
  private let original: OwnedDescriptor

  /// Puts `/dev/null` in the place of the descriptor.
  package init(_ number: Int32) {
    self.number = number
    original = OwnedDescriptor(owning: dup(number))
    let null = OwnedDescriptor(owning: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    _ = dup2(null.number, number)
  }

  deinit {
    _ = dup2(original.number, number)
  }
}
