internal import CNetlink
package import PathDecisions
internal import SystemIO

/// A libnl socket on generic netlink for the family nl80211, which reports the networks of wireless interfaces.
/// Everybody may ask it. The kernel has answered when a request has been sent.
@safe package struct WirelessSocket: ~Copyable {
  private let socket: OpaquePointer
  private let descriptor: Int32
  /// The number that the kernel gave the family when it was loaded.
  private let family: UInt16
  private let buffer = DatagramBuffer(slotSize: 32_768)

  /// Opens a socket.
  ///
  /// - Returns: `nil` when the kernel has no wireless networks, or a sandbox forbids the socket.
  package init?() {
    guard let socket = unsafe nl_socket_alloc() else { return nil }
    let family = unsafe genl_connect(socket) >= 0 ? unsafe genl_ctrl_resolve(socket, "nl80211") : -1
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

  /// The name of the network that an interface is connected to; `nil` when it is not, or cannot be asked.
  ///
  /// Linux 6.1 does not report the name with the interface if a program such as wpa_supplicant has made the connection.
  /// Then the networks that were seen in a scan are searched for the connected one.
  package func networkName(of index: Int32) -> NetworkName? {
    ask(WirelessRequest.getInterface, flags: 0, about: index)
      ?? ask(WirelessRequest.getScan, flags: MessageFlag.dump, about: index)
  }

  /// The name in the answers to a question.
  private func ask(_ command: UInt8, flags: UInt16, about index: Int32) -> NetworkName? {
    let request = NetlinkRequest(family, flags: flags, payload: [command, 0, 0, 0])
    request.put(WirelessAttribute.interfaceIndex, UInt32(bitPattern: index))
    var name: NetworkName?
    var isDone = false
    do {
      // The rest of an earlier answer belongs to another question.
      while try buffer.receive(from: descriptor) > 0 {}
      try NetlinkOptions.send(request.bytes.span, over: descriptor)
      // The kernel has answered already. It makes each further part of a list when the one before is read.
      while !isDone {
        let received = try buffer.receive(from: descriptor, limit: 4)
        if received == 0 { break }
        for slot in 0..<received {
          let envelope = buffer.envelope(slot)
          // Accept only messages of the kernel, and only whole ones.
          guard envelope.senderPort == 0, !envelope.isTruncated else { continue }
          let datagram = buffer.datagram(slot)
          try NetlinkMessage.forEach(in: datagram) { (message) throws(NetlinkDecodingError) in
            if message.type == MessageType.done || message.type == MessageType.error { isDone = true }
            guard message.type == family else { return }
            let answer = try WirelessMessage(message, in: datagram)
            if answer.interfaceIndex == index, let found = answer.networkName { name = found }
          }
        }
      }
    } catch {
      return nil
    }
    return name
  }
}
