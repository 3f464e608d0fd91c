internal import Glibc
package import SystemIO

/// Serves varlink calls on Unix sockets, all on the thread of its event loop.
///
/// No client can delay another: nothing waits, input is taken in small pieces, and what a client makes us hold is
/// limited.
package final class VarlinkServer {
  /// What clients may make us hold.
  package struct Limits: Hashable, Sendable {
    /// How many bytes a call may have.
    package var callBytes = 65_536
    /// How many connections there may be.
    package var connections = 16_384
    /// How many connections a user other than root may have.
    package var connectionsPerUser = 1_024
    /// How many bytes all incomplete calls together may have.
    package var bytesHeld = 16 << 20

    /// The usual limits.
    package init() {}
  }

  /// How calls are answered.
  package struct Service {
    /// What `org.varlink.service` tells, and which interfaces there are.
    package var directory: ServiceDirectory
    /// Serves a call of one of the interfaces: replies to it now or later.
    package var serve: (VarlinkCall, VarlinkConnection) -> Void
    /// The error that says which limit was reached.
    package var limitReached: @Sendable (_ limit: String, _ value: Int) -> VarlinkError

    /// A service.
    package init(
      directory: ServiceDirectory, limitReached: @escaping @Sendable (_ limit: String, _ value: Int) -> VarlinkError,
      serve: @escaping (VarlinkCall, VarlinkConnection) -> Void
    ) {
      self.directory = directory
      self.limitReached = limitReached
      self.serve = serve
    }
  }

  private let loop: EventLoop
  /// What clients may make us hold; those who are connected stay so when there may be fewer.
  package var limits: Limits
  private let service: Service
  private var listeners: [Int32] = []
  private var connections: [Int32: VarlinkConnection] = [:]
  private var connectionsByUser: [UInt32: Int] = [:]
  private var bytesHeld: [Int32: Int] = [:]
  private var totalBytesHeld = 0
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  /// Given up when there is no descriptor left, so that a client can be told so.
  private var spare: Wakeup?
  /// Ends the pause of ``listeners``.
  private var pause: EventLoop.Timer?
  /// How often in a row nobody could be accepted for want of descriptors.
  private var roundsWithoutDescriptors = 0

  /// A server that does not listen yet.
  package init(loop: EventLoop, limits: Limits = Limits(), service: Service) {
    self.loop = loop
    self.limits = limits
    self.service = service
    spare = try? Wakeup()
  }

  /// Accepts connections from a listening socket, which stays its owner's, until ``stop()``.
  package func listen(on listener: Int32) throws(SystemError) {
    // systemd hands over blocking sockets: there the loop would end its life waiting for one more client.
    try UnixSocket.makeNonBlocking(listener)
    try loop.watch(listener) { [unowned self] _ in self.acceptAll(from: listener) }
    listeners.append(listener)
  }

  /// Ends all connections and listens no more.
  package func stop() {
    for listener in listeners { loop.unwatch(listener) }
    listeners = []
    if let pause { loop.remove(pause) }
    pause = nil
    for connection in connections.values { connection.close() }
  }

  /// How many clients are connected.
  package var connectionCount: Int { connections.count }

  // MARK: Connections

  private func acceptAll(from listener: Int32) {
    if spare == nil { spare = try? Wakeup() }
    // A crowd at the door must not keep those inside waiting: the rest has its turn in the next round.
    // And who is inside may end it all.
    for _ in 0..<64 where listeners.contains(listener) {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(from: listener) else { return }
        roundsWithoutDescriptors = 0
        admit(socket)
      } catch {
        guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.errorNumber) else { return }
        // Clients that have left are noticed within the next round: first there may be room again.
        roundsWithoutDescriptors += 1
        if roundsWithoutDescriptors > 2 { turnAwayWithoutDescriptors(from: listener) }
        return
      }
    }
  }

  private func admit(_ socket: consuming OwnedDescriptor) {
    guard let peer = try? PeerCredentials(of: socket.number) else { return }
    let ofUser = connectionsByUser[peer.user, default: 0]
    if connections.count >= limits.connections {
      return turnAway(socket, service.limitReached("connections", limits.connections))
    }
    if peer.user != 0, ofUser >= limits.connectionsPerUser {
      return turnAway(socket, service.limitReached("connectionsPerUser", limits.connectionsPerUser))
    }
    let limitReached = service.limitReached
    let session = ServerSession(limit: limits.callBytes) { limitReached("requestBytes", $0.limit) }
    let number = socket.number
    let connection = VarlinkConnection(socket, peer: peer, server: self, session: session)
    guard (try? loop.watch(number) { connection.handle($0) }) != nil else { return }
    connections[number] = connection
    connectionsByUser[peer.user] = ofUser + 1
    // Who connects mostly has something to say already: that saves a round.
    connection.handle(.readable)
  }

  private func turnAway(_ socket: consuming OwnedDescriptor, _ error: VarlinkError) {
    _ = try? UnixSocket.send(error.frame, over: socket.number)
  }

  /// Accepts a connection with the descriptor that is kept for this, and says why it ends.
  private func turnAwayWithoutDescriptors(from listener: Int32) {
    roundsWithoutDescriptors = 0
    spare = nil
    defer { spare = try? Wakeup() }
    for _ in 0..<64 {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(from: listener) else { return }
        turnAway(socket, service.limitReached("descriptors", connections.count))
      } catch {
        return pauseListening()
      }
    }
  }

  /// Lets those who knock wait for a moment: nobody can be told anything, and they would be reported all the time.
  private func pauseListening() {
    for listener in listeners { try? loop.rewatch(listener, for: []) }
    if pause == nil {
      pause = loop.makeTimer { [unowned self] in
        for listener in self.listeners { try? self.loop.rewatch(listener, for: .readable) }
      }
    }
    pause?.set(.now.advanced(by: Self.pauseWithoutDescriptors))
  }

  private static let pauseWithoutDescriptors = Duration.milliseconds(100)

  func forget(_ connection: VarlinkConnection) {
    let number = connection.descriptor
    loop.unwatch(number)
    noteBytesHeld(0, by: number)
    guard connections.removeValue(forKey: number) != nil else { return }
    let left = connectionsByUser[connection.peer.user, default: 1] - 1
    connectionsByUser[connection.peer.user] = left > 0 ? left : nil
  }

  // MARK: What connections need

  /// What a client sent.
  enum Input {
    case bytes(ArraySlice<UInt8>)
    case nothing
    case end
  }

  func receive(from descriptor: Int32) throws(SystemError) -> Input {
    switch try UnixSocket.receive(into: &buffer, from: descriptor) {
    case .bytes(let count): .bytes(buffer[..<count])
    case .nothing: .nothing
    case .end: .end
    }
  }

  func rewatch(_ connection: VarlinkConnection, for readiness: EventLoop.Readiness) {
    try? loop.rewatch(connection.descriptor, for: readiness)
  }

  func serve(_ call: VarlinkCall, on connection: VarlinkConnection) {
    switch service.directory.answer(to: call) {
    case .reply(let frame): connection.reply(frame)
    case .forward: service.serve(call, connection)
    }
  }

  /// Ends the connection when it brings all incomplete calls over the limit.
  func checkBytesHeld(by connection: VarlinkConnection) {
    noteBytesHeld(by: connection)
    if totalBytesHeld > limits.bytesHeld, connection.bytesHeld > 0 {
      connection.refuse(service.limitReached("incompleteRequestBytes", limits.bytesHeld))
    }
  }

  func noteBytesHeld(by connection: VarlinkConnection) {
    noteBytesHeld(connection.bytesHeld, by: connection.descriptor)
  }

  private func noteBytesHeld(_ count: Int, by descriptor: Int32) {
    let before = bytesHeld[descriptor] ?? 0
    if before == count { return }
    totalBytesHeld += count - before
    bytesHeld[descriptor] = count > 0 ? count : nil
  }
}
