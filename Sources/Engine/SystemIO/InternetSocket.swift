internal import Glibc

/// TCP sockets over IPv4, tcp(7). All descriptors are non-blocking and closed on exec(2).
///
/// Bytes are sent and received by ``UnixSocket``, whose calls work on every stream socket.
package enum InternetSocket {
  /// A socket that owns a free port and does not listen: the kernel refuses connections to it.
  ///
  /// - Parameter address: An IPv4 address of this machine, such as `127.0.0.1`.
  package static func bind(at address: String) throws(SystemError) -> OwnedDescriptor {
    let attempt = "take a port of \(address)"
    let socket = try make(attempt)
    try bind(socket.number, to: try socketAddress(address, 0, attempt), attempt)
    return socket
  }

  /// A socket that listens.
  ///
  /// - Parameters:
  ///   - address: An IPv4 address of this machine, such as `127.0.0.1`.
  ///   - port: The port; 0 for any free one.
  ///   - queueLength: The number of connections that wait for ``UnixSocket/accept(from:)``, less one.
  ///   - receiveBuffer: The bytes that the kernel receives ahead for each connection; `nil` for its own choice.
  package static func listen(
    at address: String, port: UInt16 = 0, queueLength: Int32 = 1_024, receiveBuffer: Int32? = nil
  ) throws(SystemError) -> OwnedDescriptor {
    let attempt = "listen at \(address):\(port)"
    let socket = try make(attempt)
    // Connections of an earlier listener that have ended hold up no new one.
    try set(SO_REUSEADDR, of: socket.number, to: 1, attempt)
    try bind(socket.number, to: try socketAddress(address, port, attempt), attempt)
    // Accepted sockets inherit the size; later it would no longer limit the window.
    if let receiveBuffer { try set(SO_RCVBUF, of: socket.number, to: receiveBuffer, attempt) }
    try systemCall(attempt) { Glibc.listen(socket.number, queueLength) }
    return socket
  }

  /// A socket that begins to connect. It becomes writable when it is connected or has failed; see
  /// ``takeError(of:)``.
  package static func connect(
    to address: String, port: UInt16, receiveBuffer: Int32? = nil
  ) throws(SystemError) -> OwnedDescriptor {
    let attempt = "connect to \(address):\(port)"
    var name = try socketAddress(address, port, attempt)
    let socket = try make(attempt)
    if let receiveBuffer { try set(SO_RCVBUF, of: socket.number, to: receiveBuffer, attempt) }
    do throws(SystemError) {
      try systemCall(attempt) {
        unsafe withUnsafeBytes(of: &name) { name in
          unsafe Glibc.connect(
            socket.number, name.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(name.count))
        }
      }
    } catch {
      guard error.errorNumber == EINPROGRESS else { throw error }
    }
    return socket
  }

  /// Waits until a socket of ``connect(to:port:receiveBuffer:)`` is connected.
  ///
  /// - Throws: ``SystemError`` with the errno of the connection, such as ECONNREFUSED.
  package static func waitForConnection(of descriptor: Int32) throws(SystemError) {
    try UnixSocket.waitForRoom(on: descriptor)
    let failure = takeError(of: descriptor)
    if failure != 0 { throw SystemError("connect", errorNumber: failure) }
  }

  /// The errno that waits at the socket, which this call removes; 0 for none. Source: `SO_ERROR`.
  package static func takeError(of descriptor: Int32) -> Int32 {
    var (failure, length): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &length)
    return failure
  }

  /// The port at which the socket listens, or from which it is connected.
  package static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try systemCall("learn the port of a socket") {
      unsafe withUnsafeMutableBytes(of: &name) { name in
        unsafe getsockname(descriptor, name.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
      }
    }
    return UInt16(bigEndian: name.sin_port)
  }

  /// Makes the kernel send small pieces at once instead of collecting them (`TCP_NODELAY`).
  package static func sendAtOnce(over descriptor: Int32) throws(SystemError) {
    var one: Int32 = 1
    try systemCall("make a socket send at once") {
      unsafe setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Limits the bytes that the kernel accepts and has not sent yet.
  package static func setSendBuffer(of descriptor: Int32, to byteCount: Int32) throws(SystemError) {
    try set(SO_SNDBUF, of: descriptor, to: byteCount, "limit the send buffer of a socket")
  }

  /// Closes the socket so that the other side receives a reset instead of an end: bytes that were not sent or not read
  /// are lost.
  package static func reset(_ descriptor: consuming OwnedDescriptor) {
    var choice = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor.number, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
  }

  private static func bind(
    _ descriptor: Int32, to name: sockaddr_in, _ attempt: String
  ) throws(SystemError) {
    try systemCall(attempt) {
      unsafe withUnsafeBytes(of: name) { name in
        unsafe Glibc.bind(descriptor, name.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(name.count))
      }
    }
  }

  private static func make(_ attempt: String) throws(SystemError) -> OwnedDescriptor {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    return OwnedDescriptor(owning: try systemCall(attempt) { socket(AF_INET, Int32(kind), 0) })
  }

  private static func set(
    _ option: Int32, of descriptor: Int32, to value: Int32, _ attempt: String
  ) throws(SystemError) {
    var value = value
    try systemCall(attempt) {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  private static func socketAddress(
    _ address: String, _ port: UInt16, _ attempt: String
  ) throws(SystemError) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, address, &name.sin_addr) == 1 else {
      throw SystemError(attempt, errorNumber: EINVAL, because: "'\(address)' is no IPv4 address")
    }
    return name
  }
}
