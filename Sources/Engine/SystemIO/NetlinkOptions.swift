internal import CLinux
internal import Glibc

/// Options of netlink sockets that libnl does not know.
package enum NetlinkOptions {
  /// Makes the kernel check dump requests strictly and honour their filters (`NETLINK_GET_STRICT_CHK`, Linux 4.20).
  package static func enableStrictChecking(_ socket: Int32) throws(SystemError) {
    try systemCall("enable strict checks") { clinux_set_strict_checking(socket) }
  }

  /// Attaches a classic BPF program, encoded as an array of `struct sock_filter`.
  package static func attachFilter(_ program: [UInt64], to socket: Int32) throws(SystemError) {
    try systemCall("attach an event filter") {
      unsafe clinux_attach_filter(socket, program, UInt16(program.count))
    }
  }

  /// Sends one datagram that holds one or more requests to the kernel.
  package static func send(_ requests: Span<UInt8>, over socket: Int32) throws(SystemError) {
    try systemCall("send to the kernel") {
      unsafe requests.withUnsafeBytes { bytes in
        unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
    }
  }
}
