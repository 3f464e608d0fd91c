internal import CNetlink
internal import Glibc
internal import SystemIO

/// A libnl socket of netlink, which never blocks.
@safe struct NetlinkSocket: ~Copyable {
  private let socket: OpaquePointer
  /// The descriptor, which belongs to libnl and is valid as long as the socket lives.
  let descriptor: Int32

  /// Opens a socket that is a member of no group.
  ///
  /// - Parameters:
  ///   - family: The family of messages, by default those about links, addresses and routes.
  ///   - receiveBuffer: The size to request for the receive buffer, in bytes. The kernel limits it to
  ///     `net.core.rmem_max`, then doubles it.
  /// - Throws: ``KernelPathError`` with `netlinkRefused`.
  init(of family: Int32 = NETLINK_ROUTE, receiveBuffer: Int32) throws(KernelPathError) {
    guard let socket = unsafe nl_socket_alloc() else {
      throw KernelPathError(.netlinkRefused, "cannot make a netlink socket: out of memory")
    }
    let code = unsafe nl_connect(socket, family)
    let errorNumber = errno
    guard code >= 0 else {
      unsafe nl_socket_free(socket)
      // libnl has no word for these.
      if [EMFILE, ENFILE].contains(errorNumber) {
        throw KernelPathError(SystemError("open a netlink socket", errorNumber: errorNumber))
      }
      throw KernelPathError(
        .netlinkRefused, "cannot open a netlink socket: \(Self.words(code))",
        advice: """
          Allow the address family AF_NETLINK to this program (systemd: RestrictAddressFamilies=AF_NETLINK AF_UNIX; \
          containers: the seccomp profile).
          """)
    }
    unsafe self.socket = socket
    unsafe descriptor = nl_socket_get_fd(socket)
    _ = unsafe nl_socket_set_nonblocking(socket)
    _ = unsafe nl_socket_set_buffer_size(socket, receiveBuffer, 0)
  }

  deinit {
    unsafe nl_socket_free(socket)
  }

  /// Joins a multicast group.
  ///
  /// - Returns: The reason for the kernel's refusal; `nil` when it did not refuse.
  func join(_ group: UInt32) -> String? {
    let code = unsafe nl_socket_add_membership(socket, Int32(group))
    return code >= 0 ? nil : Self.words(code)
  }

  /// Leaves a multicast group.
  func leave(_ group: UInt32) {
    _ = unsafe nl_socket_drop_membership(socket, Int32(group))
  }

  /// The text of libnl for its error code.
  private static func words(_ code: Int32) -> String {
    unsafe nl_geterror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
