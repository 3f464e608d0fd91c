package import SystemIO

/// One client of a ``VarlinkServer``: a socket that obeys a ``ServerSession``.
package final class VarlinkConnection {
  /// Who is connected.
  package let peer: PeerCredentials
  /// Called when the last reply has been sent completely after it had to wait for room.
  package var whenDrained: (() -> Void)?
  /// Called when the connection ends while a call is being served.
  package var whenCancelled: (() -> Void)?

  private let socket: OwnedDescriptor
  /// The server holds its connections too: one that is closed is let go.
  private let server: VarlinkServer
  private var session: ServerSession
  private var watched: EventLoop.Readiness = .readable
  private var isProcessing = false
  package private(set) var isClosed = false

  init(_ socket: consuming OwnedDescriptor, peer: PeerCredentials, server: VarlinkServer, session: ServerSession) {
    self.socket = socket
    self.peer = peer
    self.server = server
    self.session = session
  }

  /// The number of the descriptor, for as long as the connection lives.
  var descriptor: Int32 { socket.number }
  /// How many bytes are held for calls that have not been served.
  var bytesHeld: Int { session.bytesHeld }

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
    if count == frame.count { return }
    session.answer(frame, continues: true)
    session.sent(count)
    process()
  }

  /// Sends what a handler replied, and goes on, in case the handler is not called by ``process()`` itself.
  private func goOn() {
    if !isProcessing { return process() }
    // The handler can tell by ``isDrained`` whether there is room for more. What fails fails again in `process()`.
    _ = send()
  }

  /// Ends the connection after an error that is no reply to a call.
  func refuse(_ error: VarlinkError) {
    session.refuse(error.frame)
    process()
  }

  // MARK: The socket

  /// Does what the socket is ready for.
  func handle(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable), !session.isDrained {
      guard send() else { return close() }
      // Before the next call is served, which has its own.
      if session.isDrained { whenDrained?() }
      process()
    }
    if isClosed { return }
    if session.wantsInput {
      receive()
    } else if !readiness.isDisjoint(with: [.hungUp, .failed]) {
      close()
    }
  }

  private func receive() {
    do throws(SystemError) {
      switch try server.receive(from: socket.number) {
      case .nothing: return
      case .end: session.receiveEnd()
      case .bytes(let bytes): session.receive(bytes)
      }
      process()
      if !isClosed { server.checkBytesHeld(by: self) }
    } catch {
      close()
    }
  }

  /// Sends what there is, and serves calls until there is nothing left to do.
  func process() {
    // A handler replies while it is called: its reply is taken up by the loop below.
    if isProcessing || isClosed { return }
    isProcessing = true
    defer { isProcessing = false }
    while true {
      guard send() else { return close() }
      switch session.next() {
      case .wait: return wait()
      case .close: return close()
      case .refuse(let error): session.refuse(error.frame)
      case .serve(let call): server.serve(call, on: self)
      }
      if isClosed { return }
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
    }
    return true
  }

  private func wait() {
    server.noteBytesHeld(by: self)
    // Input is left in the kernel while a call is served; a client that goes away is always reported.
    let wanted: EventLoop.Readiness =
      !session.isDrained ? .writable : session.wantsInput ? .readable : []
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
