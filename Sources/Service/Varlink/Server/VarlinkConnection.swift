package import SystemIO

/// One client of a ``VarlinkServer``: a socket that obeys a ``ServerSession``.
package final class VarlinkConnection {
  /// The credentials of the client.
  package let peer: PeerCredentials
  /// Called when the connection ends while a call is being served.
  package var whenCancelled: (() -> Void)?

  /// The position in the order of connecting: a newer connection has a greater number.
  let number: UInt64
  /// Whether the connection waits for its turn.
  var isQueued = false
  /// The bytes of calls and of replies that the server's budgets include for this connection.
  var (countedInput, countedOutput) = (0, 0)

  private let socket: OwnedDescriptor
  /// The server retains its connections, too, until they are closed.
  private let server: VarlinkServer
  private var session: ServerSession
  /// The handler of ``whenDrained(_:)``.
  private var drainedHandler: (() -> Void)?
  private var watched: EventLoop.Readiness = .readable
  private var isProcessing = false
  package private(set) var isClosed = false
  /// The bytes sent since the last check of the client's unread bytes.
  private var bytesSentUnseen = 0
  /// The bytes that the client had not read at the last check.
  private var bytesUnread = 0

  init(
    _ socket: consuming OwnedDescriptor, number: UInt64, peer: PeerCredentials, server: VarlinkServer,
    session: ServerSession
  ) {
    self.number = number
    self.socket = socket
    self.peer = peer
    self.server = server
    self.session = session
  }

  /// The number of the descriptor, valid while the connection exists.
  var descriptor: Int32 { socket.number }
  /// The bytes held for calls that have not been served.
  var bytesHeld: Int { session.bytesHeld }
  /// The bytes of replies that wait here, and in the socket of a client that does not read.
  var bytesQueued: Int { session.frameToSend.count - session.bytesSent + bytesUnread }

  /// The supplementary groups of the client.
  package func supplementaryGroups() throws(SystemError) -> [UInt32] {
    try PeerCredentials.supplementaryGroups(of: socket.number)
  }

  // MARK: Replies

  /// Whether the client has read all replies so far.
  ///
  /// A stream sends its next reply only then. The kernel holds what a client does not read, so a client that is merely
  /// slow makes it hold one reply, and nobody has to end the connection.
  package var isDrained: Bool { session.isSent && UnixSocket.isAllRead(over: socket.number) }

  /// Calls the handler once, when the client has read all replies to the call that is being served.
  package func whenDrained(_ handler: @escaping () -> Void) {
    drainedHandler = handler
    if !isProcessing, !isClosed { watch() }
  }

  /// Answers the call that is being served, and continues with the next one.
  package func reply(_ frame: [UInt8]) {
    drainedHandler = nil
    whenCancelled = nil
    session.answer(frame)
    goOn()
  }

  /// Answers the call that is being served with an error, and continues with the next one.
  package func fail(_ error: VarlinkError) {
    reply(error.frame)
  }

  /// Answers the call that is being served; more replies follow. Call it only when ``isDrained``.
  package func replyAndContinue(_ frame: [UInt8]) {
    guard session.isIdleStream, !isProcessing, !isClosed else {
      session.answer(frame, continues: true)
      return goOn()
    }
    // Thousands of clients may receive the same frame. The socket usually takes it at once, so no copy is kept.
    guard let count = try? UnixSocket.send(frame, over: socket.number) else { return close() }
    noteSent(count)
    if count < frame.count {
      session.answer(frame, continues: true)
      session.sent(count)
      watch()
    }
    server.noteBytes(of: self)
  }

  /// Sends the replies of a handler. Outside a turn of this client, it also continues with the next call.
  private func goOn() {
    // A turn repeats a failed attempt and handles it.
    guard send() || isProcessing else { return close() }
    if !isProcessing { waitForMore() }
  }

  /// Sends an error that is no reply to a call, as far as there is room, and ends the connection.
  func refuse(_ error: VarlinkError) {
    session.refuse(error.frame)
    _ = send()
    close()
  }

  // MARK: The socket

  /// Handles the readiness of the socket. Calls are served in this client's turn.
  func handle(_ readiness: EventLoop.Readiness) {
    if isQueued {
      // The turn handles this readiness, so the loop need not report it again.
      return watch(for: [])
    }
    let isOver = readiness.contains(.hungUp) || readiness.contains(.failed)
    if readiness.contains(.writable), !session.wantsInput {
      guard send() else { return close() }
      // The handler of this call runs before the next call is served, which sets its own.
      if !isOver, drainedHandler != nil, isDrained { drainedHandler.take()?() }
      if isClosed { return }
      if !session.wantsInput, !isOver { return waitForMore() }
    }
    if session.wantsInput {
      server.queue(self)
    } else if isOver {
      close()
    }
  }

  /// Serves one call, if there is one. Reads at most once.
  func serveTurn() {
    if isClosed { return }
    isProcessing = true
    serveNext()
    isProcessing = false
    if isClosed { return }
    guard send() else { return close() }
    waitForMore()
  }

  private func serveNext() {
    var hasRead = false
    while true {
      switch session.next() {
      case .serve(let call): return server.serve(call, on: self)
      case .refuse(let error): return session.refuse(error.frame)
      case .close: return close()
      case .wait:
        guard session.wantsInput, !hasRead else { return }
        hasRead = true
        guard receive() else { return }
      }
    }
  }

  /// Returns whether bytes, or the end of the input, have arrived.
  private func receive() -> Bool {
    do throws(SystemError) {
      switch try server.receive(from: socket.number) {
      case .nothing: return false
      case .end: session.receiveEnd()
      case .bytes(let bytes): session.receive(bytes)
      }
      return true
    } catch {
      close()
      return false
    }
  }

  /// Sends as much as there is room for. Returns `false` if the socket has failed.
  private func send() -> Bool {
    while !isClosed, !session.isSent {
      guard let count = try? UnixSocket.send(session.frameToSend, from: session.bytesSent, over: socket.number) else {
        return false
      }
      if count == 0 { break }
      session.sent(count)
      noteSent(count)
    }
    return true
  }

  /// Counts the sent bytes, and now and then checks how many of them the client has not read: the kernel holds those in
  /// our name.
  private func noteSent(_ count: Int) {
    bytesSentUnseen += count
    if bytesSentUnseen >= Self.bytesBetweenLooks { lookAtUnread() }
  }

  /// Checks how many bytes the client has not read.
  func lookAtUnread() {
    bytesSentUnseen = 0
    bytesUnread = UnixSocket.bytesUnread(over: socket.number)
    // A reply or two in transit are no debt.
    if bytesUnread < Self.bytesBetweenLooks { bytesUnread = 0 }
  }

  private static let bytesBetweenLooks = 8_192

  /// Waits for another turn, or for the readiness that leads to one.
  private func waitForMore() {
    if isClosed { return }
    server.noteBytes(of: self)
    if isClosed { return }
    // The session may hold another call, the end that the client has announced, or our own.
    if session.hasMore { server.queue(self) } else { watch() }
  }

  private func watch() {
    // Input stays in the kernel while a call is served; the loop always reports a client that goes away.
    if !session.isSent {
      watch(for: .writable)
    } else if drainedHandler != nil {
      // There has been room all the time: only the changes of it show that the client reads.
      watch(for: [.writable, .eachChange])
    } else {
      watch(for: session.wantsInput ? .readable : [])
    }
  }

  private func watch(for wanted: EventLoop.Readiness) {
    guard wanted != watched else { return }
    watched = wanted
    server.rewatch(self, for: wanted)
  }

  /// Ends the connection.
  func close() {
    if isClosed { return }
    isClosed = true
    server.forget(self)
    // This ends the socket even if a handler retains the connection for a later reply.
    UnixSocket.end(socket.number)
    let cancelled = whenCancelled
    drainedHandler = nil
    whenCancelled = nil
    cancelled?()
  }
}
