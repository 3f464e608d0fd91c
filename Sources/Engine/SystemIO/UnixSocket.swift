internal import CLinux
internal import Glibc

/// Unix stream sockets, unix(7). All descriptors are non-blocking and closed on exec(2).
package enum UnixSocket {
  /// The longest path of a socket, in bytes (`sun_path` without its NUL).
  package static let longestPath = 107

  /// A socket that listens at the path, which must not exist.
  ///
  /// - Parameter mode: The permissions of the file, whatever the umask.
  package static func listen(at path: String, mode: UInt32) throws(SystemError) -> OwnedDescriptor {
    let socket = try make("listen at \(path)")
    try systemCall("listen at \(path)") { unsafe clinux_unix_bind(socket.number, path) }
    do throws(SystemError) {
      try systemCall("set the permissions of \(path)") { unsafe clinux_unix_set_mode(path, mode) }
      // The queue has room for so many new clients. If it is full, other clients wait in connect(2).
      try systemCall("listen at \(path)") { Glibc.listen(socket.number, 1_024) }
    } catch {
      Files.remove(path)
      throw error
    }
    return socket
  }

  /// A socket connected to the one that listens at the path.
  ///
  /// - Parameter deadline: The end of the wait while the listener's queue is full; the kernel admits waiting clients
  ///   one after the other. `nil` not to wait.
  /// - Throws: ``SystemError``: ENOENT and ECONNREFUSED without a listener, EAGAIN when the queue is still full.
  package static func connect(
    to path: String, until deadline: MonotonicInstant? = nil
  ) throws(SystemError) -> OwnedDescriptor {
    let socket = try make("connect to \(path)")
    do throws(SystemError) {
      try systemCall("connect to \(path)") { unsafe clinux_unix_connect(socket.number, path) }
    } catch {
      guard error.errorNumber == EAGAIN, let deadline else { throw error }
      try systemCall("connect to \(path)") {
        let rest = max(1, (deadline.nanoseconds - MonotonicInstant.now.nanoseconds) / 1_000)
        return unsafe clinux_unix_connect_waiting(socket.number, path, Int(rest))
      }
    }
    return socket
  }

  /// The bytes of the kernel's memory that hold data sent over the socket and not read yet.
  package static func bytesUnread(over descriptor: Int32) -> Int { Int(clinux_bytes_unread(descriptor)) }

  /// Whether the other side has read everything that was sent over the socket.
  ///
  /// The kernel counts a byte more while it reports that a piece has been read (`sock_wfree`).
  package static func isAllRead(over descriptor: Int32) -> Bool { bytesUnread(over: descriptor) <= 1 }

  private static func make(_ attempt: @autoclosure () -> String) throws(SystemError) -> OwnedDescriptor {
    OwnedDescriptor(owning: try systemCall(attempt()) { clinux_unix_socket() })
  }

  /// Makes a socket non-blocking that another program has opened.
  package static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
    try systemCall("make a socket non-blocking") {
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  /// Accepts the next connection that waits at a listening socket; `nil` when none does.
  package static func accept(from listener: Int32) throws(SystemError) -> OwnedDescriptor? {
    do throws(SystemError) {
      return OwnedDescriptor(owning: try systemCall("accept a connection") { clinux_accept(listener) })
    } catch {
      // The client may have closed the connection while it waited.
      guard error.errorNumber == EAGAIN || error.errorNumber == ECONNABORTED else { throw error }
      return nil
    }
  }

  /// Sends as many of the bytes from the offset on as fit; 0 when there is no room.
  ///
  /// - Throws: ``SystemError``: EPIPE or ECONNRESET when the other side is gone. The call raises no SIGPIPE.
  package static func send(_ bytes: [UInt8], from offset: Int = 0, over descriptor: Int32) throws(SystemError) -> Int {
    do throws(SystemError) {
      return try systemCall("send") {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe Glibc.send(
            descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset,
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
      }
    } catch {
      guard error.errorNumber == EAGAIN else { throw error }
      return 0
    }
  }

  /// The result of receiving.
  package enum Received: Hashable, Sendable {
    /// The number of bytes at the beginning of the buffer.
    case bytes(Int)
    /// No bytes at present.
    case nothing
    /// The end of the input.
    case end
  }

  /// Receives the available bytes, as far as they fit into the buffer.
  package static func receive(into buffer: inout [UInt8], from descriptor: Int32) throws(SystemError) -> Received {
    do throws(SystemError) {
      let count = try systemCall("receive") {
        unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      }
      return count == 0 ? .end : .bytes(count)
    } catch {
      guard error.errorNumber == EAGAIN else { throw error }
      return .nothing
    }
  }

  /// Waits for input or for its end. Returns whether either came before the deadline.
  package static func waitForInput(
    from descriptor: Int32, until deadline: MonotonicInstant?
  ) throws(SystemError) -> Bool {
    try wait(for: Int16(POLLIN), on: descriptor, until: deadline)
  }

  /// Waits until something can be sent.
  package static func waitForRoom(on descriptor: Int32) throws(SystemError) {
    _ = try wait(for: Int16(POLLOUT), on: descriptor, until: nil)
  }

  private static func wait(
    for events: Int16, on descriptor: Int32, until deadline: MonotonicInstant?
  ) throws(SystemError) -> Bool {
    while true {
      var request = pollfd(fd: descriptor, events: events, revents: 0)
      var timeout: Int32 = -1
      if let deadline {
        let nanoseconds = max(0, deadline.nanoseconds - MonotonicInstant.now.nanoseconds)
        timeout = Int32(min((nanoseconds + 999_999) / 1_000_000, 86_400_000))
      }
      // After a signal, the deadline is checked again.
      let count = unsafe poll(&request, 1, timeout)
      if count > 0 { return true }
      if count < 0, errno != EINTR { throw SystemError("wait for a socket", errorNumber: errno) }
      if let deadline, deadline <= .now { return false }
    }
  }

  /// Reports to the other side that no more bytes follow.
  package static func endSending(over descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends the connection for both sides, as closing the descriptor would. The descriptor stays open.
  package static func end(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// The credentials of the other end of a Unix socket, as of its connect(2). Source: `SO_PEERCRED`.
package struct PeerCredentials: Hashable, Sendable {
  /// The process.
  package var process: Int32
  /// The effective user.
  package var user: UInt32
  /// The effective group.
  package var group: UInt32

  /// Credentials with these values.
  package init(process: Int32, user: UInt32, group: UInt32) {
    self.process = process
    self.user = user
    self.group = group
  }

  /// The credentials of the other end of the socket.
  package init(of descriptor: Int32) throws(SystemError) {
    var peer = clinux_peer()
    try systemCall("learn who is connected") { unsafe clinux_peer_credentials(descriptor, &peer) }
    self.init(process: peer.process, user: peer.user, group: peer.group)
  }

  /// The supplementary groups of the other end of the socket. Source: `SO_PEERGROUPS`.
  package static func supplementaryGroups(of descriptor: Int32) throws(SystemError) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    while true {
      let room = Int32(groups.count)
      let count = try systemCall("learn the groups of who is connected") {
        unsafe clinux_peer_groups(descriptor, &groups, room)
      }
      if count <= room { return Array(groups.prefix(Int(count))) }
      groups = [UInt32](repeating: 0, count: Int(count))
    }
  }
}
