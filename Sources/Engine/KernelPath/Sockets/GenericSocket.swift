internal import CNetlink
internal import SystemIO

/// A libnl socket on generic netlink for one family of messages about interfaces. The kernel has answered when a
/// request has been sent.
@safe struct GenericSocket: ~Copyable {
  private let socket: OpaquePointer
  private let descriptor: Int32
  /// The number that the kernel gave the family when it was loaded.
  private let family: UInt16
  private let buffer = DatagramBuffer(slotSize: 32_768)

  /// Opens a socket.
  ///
  /// - Returns: `nil` when the kernel does not have the family, or a sandbox forbids the socket.
  init?(_ name: String) {
    guard let socket = unsafe nl_socket_alloc() else { return nil }
    let family = unsafe genl_connect(socket) >= 0 ? unsafe genl_ctrl_resolve(socket, name) : -1
    guard let family = UInt16(exactly: family) else {
      unsafe nl_socket_free(socket)
      return nil
    }
    unsafe self.socket = socket
    self.family = family
    unsafe descriptor = nl_socket_get_fd(socket)
    _ = unsafe nl_socket_set_nonblocking(socket)
  }

  deinit {
    unsafe nl_socket_free(socket)
  }

  /// Asks about an interface, and passes the messages of the answer to `body`.
  ///
  /// - Parameters:
  ///   - command: The command of the family.
  ///   - attribute: The attribute that names the interface by its index.
  /// - Returns: 0 if the whole answer was passed, or the error number of the kernel's refusal; `nil` when nothing could
  ///   be asked or decoded.
  func ask(
    _ command: some RawRepresentable<UInt32>, flags: Int32 = 0, about index: Int32,
    in attribute: some RawRepresentable<UInt32>,
    _ body: (NetlinkMessage) throws(NetlinkDecodingError) -> Void
  ) -> Int32? {
    var request = NetlinkRequest(Int(family), flags: flags, structure: [UInt8(command.rawValue), 0, 0, 0])
    request.put(attribute.rawValue, UInt32(bitPattern: index))
    var result: Int32?
    do {
      // The rest of an earlier answer belongs to another question.
      while try buffer.receive(from: descriptor) > 0 {}
      try NetlinkOptions.send(request.bytes.span, over: descriptor)
      // The kernel has answered already. It makes each further part of a list when the one before is read.
      while result == nil {
        let received = try buffer.receive(from: descriptor, limit: 4)
        if received == 0 { break }
        for slot in 0..<received {
          let envelope = buffer.envelope(slot)
          // Accept only messages of the kernel, and only whole ones.
          guard envelope.senderPort == 0, !envelope.isTruncated else { continue }
          var messages = NetlinkMessages(buffer.datagram(slot))
          while let message = try messages.next() {
            if message.type == NLMSG_DONE || message.type == NLMSG_ERROR {
              result = try message.errorNumber()
            }
            if message.type == family { try body(message) }
          }
        }
      }
    } catch {
      return nil
    }
    return result
  }
}
