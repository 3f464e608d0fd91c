package import SystemIO

/// One client of a ``VarlinkServer``: a socket that obeys a ``ServerSession``.
package final class VarlinkConnection {
  /// Who is connected.
  package let peer: PeerCredentials
  /// Called when the last reply has been sent completely after it had to wait for room.
  package var whenDrained: (() -> Void)?
  /// Called when the connection ends while a call is being served.
  package var whenCancelled: (() -> Void)?

  /// Tells which of two connections was made first.
  let number: UInt64
  /// Whether it waits for its turn.
  var isQueued = false
  /// What the server's budgets count of it, in bytes: of calls, and of replies.
  var (countedInput, countedOutput) = (0, 0)

  private let socket: OwnedDescriptor
  /// The server holds its connections too: one that is closed is let go.
  private let server: VarlinkServer
  private var session: ServerSession
  private var watched: EventLoop.Readiness = .readable
  private var isProcessing = false
  package private(set) var isClosed = false
  /// Bytes that were sent since it was last looked up how many of them the client has not read.
  private var bytesSentUnseen = 0
  /// How many bytes the client had not read by then.
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

  /// The number of the descriptor, for as long as the connection lives.
  var descriptor: Int32 { socket.number }
  /// How many bytes are held for calls that have not been served.
  var bytesHeld: Int { session.bytesHeld }
  /// How many bytes of replies wait here, and in the socket for a client that does not read.
  var bytesQueued: Int { session.frameToSend.count - session.bytesSent + bytesUnread }

  /// The supplementary groups of who is connected.
  package func supplementaryGroups() throws(SystemError) -> [UInt32] {
    try PeerCredentials.supplementaryGroups(of: socket.number)
  }

  // MARK: Replies

  /// Whether the last reply has been sent completely: the next one of a stream would be sent at once.
  package var isDrained: Bool { session.isDrained }

  /// Answers the call that is being served, and goes on with the next one.
  package func reply(_ frame: [UInt8]) {
    whenDrained = nil
    whenCancelled = nil
    session.answer(frame)
    goOn()
  }

  /// Answers the call that is being served with an error, and goes on with the next one.
  package func fail(_ error: VarlinkError) {
    reply(error.frame)
  }

  /// Answers the call that is being served; more replies follow. To be called only when ``isDrained``.
  package func replyAndContinue(_ frame: [UInt8]) {
    guard session.isIdleStream, !isProcessing, !isClosed else {
      session.answer(frame, continues: true)
      return goOn()
    }
    // One of thousands, perhaps, who are sent the same: mostly it is sent at once and need not be kept.
    guard let count = try? UnixSocket.send(frame, over: socket.number) else { return close() }
    noteSent(count)
    if count < frame.count {
      session.answer(frame, continues: true)
      session.sent(count)
      watch()
    }
    server.noteBytes(of: self)
  }

  /// Sends what a handler replied, and goes on, in case the handler is not called within a turn of this client.
  private func goOn() {
    // The handler can tell by ``isDrained`` whether there is room for more. What fails in a turn fails again there.
    guard send() || isProcessing else { return close() }
    if !isProcessing { waitForMore() }
  }

  /// Ends the connection after an error that is no reply to a call; at once, if the client does not read.
  func refuse(_ error: VarlinkError) {
    session.refuse(error.frame)
    _ = send()
    close()
  }

  // MARK: The socket

  /// Does what the socket is ready for. Calls are served when it is this client's turn.
  func handle(_ readiness: EventLoop.Readiness) {
    if isQueued {
      // It is known already, and need not be reported again and again.
      return watch(for: [])
    }
    if readiness.contains(.writable), !session.isDrained {
      guard send() else { return close() }
      // Before the next call is served, which has its own.
      if session.isDrained { whenDrained?() }
      if isClosed { return }
      if !session.wantsInput { return waitForMore() }
    }
    if session.wantsInput {
      server.queue(self)
    } else if !readiness.isDisjoint(with: [.hungUp, .failed]) {
      close()
    }
  }

  /// Serves one call, if one has come: reads what there is, but no more than once.
  func takeTurn() {
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

  /// Returns whether anything came that may be served.
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

  /// Sends as much as there is room for. Returns whether the client is there.
  private func send() -> Bool {
    while !isClosed, !session.isDrained {
      guard let count = try? UnixSocket.send(session.frameToSend, from: session.bytesSent, over: socket.number) else {
        return false
      }
      if count == 0 { break }
      session.sent(count)
      noteSent(count)
    }
    return true
  }

  /// Counts what was sent, and now and then looks up what of it the client has not read: until then the kernel holds it
  /// in our name.
  private func noteSent(_ count: Int) {
    bytesSentUnseen += count
    if bytesSentUnseen >= Self.bytesBetweenLooks { lookAtUnread() }
  }

  /// Looks up how many bytes the client has not read.
  func lookAtUnread() {
    bytesSentUnseen = 0
    bytesUnread = UnixSocket.bytesUnread(over: socket.number)
    // A reply or two that are on their way are no debt.
    if bytesUnread < Self.bytesBetweenLooks { bytesUnread = 0 }
  }

  private static let bytesBetweenLooks = 8_192

  /// Waits for another turn, or for what leads to one.
  private func waitForMore() {
    if isClosed { return }
    server.noteBytes(of: self)
    if isClosed { return }
    // What was read before and holds perhaps another call, the end that the client has announced, or our own.
    if session.hasMore { server.queue(self) } else { watch() }
  }

  private func watch() {
    // Input is left in the kernel while a call is served; a client that goes away is always reported.
    watch(for: !session.isDrained ? .writable : session.wantsInput ? .readable : [])
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
    // Also when somebody still has the connection, who is to reply to it.
    UnixSocket.end(socket.number)
    let cancelled = whenCancelled
    whenDrained = nil
    whenCancelled = nil
    cancelled?()
  }
}
