internal import Glibc
package import SystemIO

/// Serves varlink calls on Unix sockets, all on the thread of its event loop.
///
/// No client can delay another for long. The server never blocks, and each client has one call served in its turn
/// (``TurnOrder``). After a few milliseconds of turns, the loop serves timers, new connections and the output of
/// streams. The memory that a client or a user makes us hold is limited, and the user with the most gives way
/// (``ShareBudget``).
package final class VarlinkServer {
  /// The limits on connections, calls and replies.
  package struct Limits: Hashable, Sendable {
    /// The largest size of a call, in bytes.
    package var callBytes = 65_536
    /// The largest number of connections. It is lower if the process may open fewer descriptors.
    package var connections = 16_384
    /// The largest number of connections of a user other than root.
    package var connectionsPerUser = 1_024
    /// The most bytes of all calls that are incomplete or wait for their turn.
    package var bytesHeld = 16 << 20
    /// The most bytes of all replies that wait to be read, here and in the kernel.
    package var bytesQueued = 32 << 20

    /// The usual limits.
    package init() {}
  }

  /// The code and data that answer calls.
  package struct Service {
    /// The answers of `org.varlink.service`, and the list of interfaces.
    package var directory: ServiceDirectory
    /// Serves a call of one of the interfaces: replies to it now or later.
    package var serve: (VarlinkCall, VarlinkConnection) -> Void
    /// Makes the error that names a reached limit.
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
  /// The limits for clients. A lower number of connections ends no existing one.
  package var limits: Limits {
    didSet { (input.whole, output.whole) = (limits.bytesHeld, limits.bytesQueued) }
  }
  private let service: Service
  private var listeners: [Int32] = []
  private var connections = ConnectionTable()
  private var nextNumber: UInt64 = 0
  private let turns = TurnOrder<VarlinkConnection>()
  private var input: ShareBudget
  private var output: ShareBudget
  /// The number of connections for which the descriptors suffice; `nil` when their limit is unknown.
  private let descriptors: Int?
  private var memory = MemoryRelief()
  private var memoryTimer: EventLoop.Timer?
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  /// A reserved descriptor. When no other is left, it is released to accept a client and send it an error.
  private var spare: Wakeup?
  /// Ends the pause of ``listeners``.
  private var pause: EventLoop.Timer?
  /// The number of rounds in a row that could accept nobody for want of descriptors.
  private var roundsWithoutDescriptors = 0

  /// A server that does not listen yet.
  package init(loop: EventLoop, limits: Limits = Limits(), service: Service) {
    self.loop = loop
    self.limits = limits
    self.service = service
    input = ShareBudget(whole: limits.bytesHeld)
    output = ShareBudget(whole: limits.bytesQueued)
    // The service needs some descriptors for itself: sockets, files, watches.
    descriptors = ResourceLimits.descriptors.map { $0 - min(64, $0 / 4) }
    spare = try? Wakeup()
    loop.setWork { [unowned self] in self.serveTurns() }
    memoryTimer = loop.makeTimer { [unowned self] in self.relieveMemory() }
  }

  /// Accepts connections from a listening socket until ``stop()``. The caller remains the owner of the socket.
  package func listen(on listener: Int32) throws(SystemError) {
    // systemd hands over blocking sockets: accept(2) on one would block the loop until another client connects.
    try UnixSocket.makeNonBlocking(listener)
    try loop.watch(listener) { [unowned self] _ in self.acceptAll(from: listener) }
    listeners.append(listener)
  }

  /// Ends all connections and stops listening.
  package func stop() {
    for listener in listeners { loop.unwatch(listener) }
    listeners = []
    if let pause { loop.remove(pause) }
    pause = nil
    if let memoryTimer { loop.remove(memoryTimer) }
    memoryTimer = nil
    loop.setWork(nil)
    for connection in connections.all.values { connection.close() }
  }

  /// The number of connected clients.
  package var connectionCount: Int { connections.count }

  // MARK: Connections

  private func acceptAll(from listener: Int32) {
    if spare == nil { spare = try? Wakeup() }
    // A crowd of new clients must not delay the connected ones: the next round accepts the rest. A call served
    // meanwhile may stop the server.
    let end = MonotonicInstant.now.advanced(by: Self.longestAdmission)
    var isAlone = turns.isEmpty
    while listeners.contains(listener), .now < end {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(from: listener) else { return }
        roundsWithoutDescriptors = 0
        admit(socket)
        // If no client waits, the first new client is served before the next is accepted.
        if isAlone { _ = serveTurns() }
        isAlone = false
      } catch {
        guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.errorNumber) else { return }
        // The next round notices clients that have left, which may free descriptors.
        roundsWithoutDescriptors += 1
        if roundsWithoutDescriptors > 2 { turnAwayWithoutDescriptors(from: listener) }
        return
      }
    }
  }

  private func admit(_ socket: consuming OwnedDescriptor) {
    guard let peer = try? PeerCredentials(of: socket.number) else { return }
    let whole = min(limits.connections, descriptors ?? .max)
    switch connections.admission(of: peer.user, ConnectionLimits(whole: whole, perUser: limits.connectionsPerUser)) {
    case .admitted: break
    case .admittedInPlaceOf(let user):
      connections.latest(of: user)?.refuse(service.limitReached("connections", whole))
    case .refused(let limit, let value):
      return turnAway(socket, service.limitReached(limit, value))
    }
    let limitReached = service.limitReached
    let session = ServerSession(limit: limits.callBytes) { limitReached("requestBytes", $0.limit) }
    let number = socket.number
    nextNumber += 1
    let connection = VarlinkConnection(socket, number: nextNumber, peer: peer, server: self, session: session)
    guard (try? loop.watch(number) { connection.handle($0) }) != nil else { return }
    connections.insert(connection)
    // A new client usually has a call ready. A turn without waiting for readability saves a round.
    queue(connection)
  }

  private func turnAway(_ socket: consuming OwnedDescriptor, _ error: VarlinkError) {
    _ = try? UnixSocket.send(error.frame, over: socket.number)
  }

  /// Accepts connections with the reserved descriptor, sends each an error and closes it.
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

  /// Pauses accepting for a moment: errors cannot be sent, and the loop would report the listeners all the time.
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
  /// The longest time for new clients within a round. Clients that only connect and leave must not fill the queue for
  /// long.
  private static let longestAdmission = Duration.milliseconds(5)
  /// The longest time for turns within a round; the last turn takes as long as its call.
  private static let longestTurns = Duration.milliseconds(3)

  func forget(_ connection: VarlinkConnection) {
    let number = connection.descriptor
    loop.unwatch(number)
    if connection.countedInput > 0 { input.set(0, of: number, user: connection.peer.user) }
    if connection.countedOutput > 0 { output.set(0, of: number, user: connection.peer.user) }
    if connections.remove(connection) { noteMemory() }
  }

  // MARK: Turns

  /// Queues a connection for its turn, once.
  func queue(_ connection: VarlinkConnection) {
    if connection.isQueued || connection.isClosed { return }
    connection.isQueued = true
    let user = connection.peer.user
    turns.append(connection, of: user, connections: connections.count(of: user))
    loop.requestWork()
  }

  /// Serves turns for some milliseconds. Returns whether clients still wait.
  private func serveTurns() -> Bool {
    var moment = MonotonicInstant.now
    let end = moment.advanced(by: Self.longestTurns)
    while moment < end, let (user, connection) = turns.next() {
      connection.isQueued = false
      connection.serveTurn()
      memory.noteTurn()
      let now = MonotonicInstant.now
      turns.charge(now.nanoseconds - moment.nanoseconds, to: user)
      moment = now
    }
    noteMemory()
    return !turns.isEmpty
  }

  // MARK: What connections need

  /// The result of reading from a client.
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

  // MARK: What connections make us hold

  /// Updates the budgets with the bytes of a connection, and ends connections that exceed a share.
  func noteBytes(of connection: VarlinkConnection) {
    let (number, user) = (connection.descriptor, connection.peer.user)
    let (held, queued) = (connection.bytesHeld, connection.bytesQueued)
    if held == connection.countedInput, queued == connection.countedOutput { return }
    if held != connection.countedInput {
      connection.countedInput = held
      input.set(held, of: number, user: user)
      while let excess = input.excess(after: user), let greatest = connections.all[excess.connection] {
        greatest.refuse(service.limitReached("incompleteRequestBytes", input.whole))
      }
    }
    if queued != connection.countedOutput, !connection.isClosed {
      connection.countedOutput = queued
      output.set(queued, of: number, user: user)
      while let excess = output.excess(after: user), let greatest = connections.all[excess.connection] {
        endUnlessRead(greatest)
      }
    }
    noteMemory()
  }

  /// Ends a connection whose client does not read, unless it has read since the last check.
  private func endUnlessRead(_ connection: VarlinkConnection) {
    connection.lookAtUnread()
    guard connection.bytesQueued < connection.countedOutput else { return connection.close() }
    connection.countedOutput = connection.bytesQueued
    output.set(connection.bytesQueued, of: connection.descriptor, user: connection.peer.user)
  }

  // MARK: Memory

  private func noteMemory() {
    let isOver = memory.isOver(bytes: input.total + output.total, connections: connections.count)
    if isOver, memoryTimer?.isSet == false { memoryTimer?.set(.now.advanced(by: Self.pauseBeforeRelief)) }
  }

  private func relieveMemory() {
    // While clients call, released memory would soon be allocated again.
    if !turns.isEmpty { return noteMemory() }
    memory.begin(bytes: input.total + output.total, connections: connections.count)
    ProcessMemory.trim()
  }

  private static let pauseBeforeRelief = Duration.seconds(1)
}
