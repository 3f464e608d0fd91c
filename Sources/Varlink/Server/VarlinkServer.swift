internal import Glibc
package import SystemIO

/// Serves varlink calls on Unix sockets, all on the thread of its event loop.
///
/// No client can delay another for long: nothing waits, each client has one call served at its turn (``TurnOrder``), and
/// between a few milliseconds of turns everything else has its own: timers, who connects, and what is sent to streams.
/// What a client and a user make us hold is limited, and who has too much gives way (``ShareBudget``).
package final class VarlinkServer {
  /// What clients may make us hold.
  package struct Limits: Hashable, Sendable {
    /// How many bytes a call may have.
    package var callBytes = 65_536
    /// How many connections there may be. Where the process may open fewer descriptors, there are fewer.
    package var connections = 16_384
    /// How many connections a user other than root may have.
    package var connectionsPerUser = 1_024
    /// How many bytes all calls together may have that are incomplete or wait for their turn.
    package var bytesHeld = 16 << 20
    /// How many bytes all replies together may have that wait to be read, here and in the kernel.
    package var bytesQueued = 32 << 20

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
  /// How many connections the descriptors suffice for; `nil` when it is not known how many there are.
  private let descriptors: Int?
  private var memory = MemoryRelief()
  private var memoryTimer: EventLoop.Timer?
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
    input = ShareBudget(whole: limits.bytesHeld)
    output = ShareBudget(whole: limits.bytesQueued)
    // What the service opens for itself: sockets, files it reads, watches.
    descriptors = ResourceLimits.descriptors.map { $0 - min(64, $0 / 4) }
    spare = try? Wakeup()
    loop.setWork { [unowned self] in self.takeTurns() }
    memoryTimer = loop.makeTimer { [unowned self] in self.relieveMemory() }
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
    if let memoryTimer { loop.remove(memoryTimer) }
    memoryTimer = nil
    loop.setWork(nil)
    for connection in connections.all.values { connection.close() }
  }

  /// How many clients are connected.
  package var connectionCount: Int { connections.count }

  // MARK: Connections

  private func acceptAll(from listener: Int32) {
    if spare == nil { spare = try? Wakeup() }
    // A crowd at the door must not keep those inside waiting: the rest has its turn in the next round.
    // And who is inside may end it all.
    let end = MonotonicInstant.now.advanced(by: Self.longestAdmission)
    var isAlone = turns.isEmpty
    while listeners.contains(listener), .now < end {
      do throws(SystemError) {
        guard let socket = try UnixSocket.accept(from: listener) else { return }
        roundsWithoutDescriptors = 0
        admit(socket)
        // Where nobody waits, who connects and calls is answered before the next is looked for.
        if isAlone { _ = takeTurns() }
        isAlone = false
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
    // Who connects mostly has something to say already: that saves a round.
    queue(connection)
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
  /// How long clients are accepted within a round. Those who only connect and go must not fill the queue for long.
  private static let longestAdmission = Duration.milliseconds(5)
  /// How long turns are given within a round; the last of them takes as long as its call does.
  private static let longestTurns = Duration.milliseconds(3)

  func forget(_ connection: VarlinkConnection) {
    let number = connection.descriptor
    loop.unwatch(number)
    if connection.countedInput > 0 { input.set(0, of: number, user: connection.peer.user) }
    if connection.countedOutput > 0 { output.set(0, of: number, user: connection.peer.user) }
    if connections.remove(connection) { noteMemory() }
  }

  // MARK: Turns

  /// Lets a connection wait for its turn, once.
  func queue(_ connection: VarlinkConnection) {
    if connection.isQueued || connection.isClosed { return }
    connection.isQueued = true
    let user = connection.peer.user
    turns.append(connection, of: user, connections: connections.count(of: user))
    loop.requestWork()
  }

  /// Gives turns for some milliseconds. Returns whether others wait.
  private func takeTurns() -> Bool {
    var moment = MonotonicInstant.now
    let end = moment.advanced(by: Self.longestTurns)
    while moment < end, let (user, connection) = turns.next() {
      connection.isQueued = false
      connection.takeTurn()
      memory.noteTurn()
      let now = MonotonicInstant.now
      turns.charge(now.nanoseconds - moment.nanoseconds, to: user)
      moment = now
    }
    noteMemory()
    return !turns.isEmpty
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

  // MARK: What connections make us hold

  /// Counts the bytes that a connection makes us hold, and ends those whose user has too many.
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

  /// Ends a connection whose client does not read, unless it has read since that was looked up last.
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
    // While a crowd calls it would only be taken from the system again.
    if !turns.isEmpty { return noteMemory() }
    memory.begin(bytes: input.total + output.total, connections: connections.count)
    ProcessMemory.trim()
  }

  private static let pauseBeforeRelief = Duration.seconds(1)
}
