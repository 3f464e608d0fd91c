import SystemIO

@testable import Varlink

/// A client that sends the bytes of a test, whole calls or not, and collects the replies.
final class TestClient {
  private let loop: EventLoop
  private let descriptor: Int32
  private var socket: OwnedDescriptor?
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var reader = FrameReader(limit: 1 << 24)
  private var isReading = false
  /// Whether the server has ended the connection.
  private(set) var hasEnded = false
  /// The frames that have come, as replies.
  private(set) var replies: [VarlinkReply] = []

  /// Connects, and reads whenever the loop reports readiness.
  ///
  /// - Parameter isReading: Whether it does so from the beginning.
  init(connectingTo path: String, on loop: EventLoop, isReading: Bool = true) throws {
    self.loop = loop
    let socket = try UnixSocket.connect(to: path)
    descriptor = socket.number
    self.socket = consume socket
    if isReading { try startReading() }
  }

  /// Reads from now on.
  func startReading() throws {
    try loop.watch(descriptor) { [unowned self] _ in read() }
    isReading = true
  }

  private func stopReading() {
    // Only once: the number may belong to another file later.
    if isReading { loop.unwatch(descriptor) }
    isReading = false
  }

  private func read() {
    do {
      switch try UnixSocket.receive(into: &buffer, from: descriptor) {
      case .nothing: return
      case .end: end()
      case .bytes(let count):
        reader.append(buffer[..<count])
        while let frame = try reader.next() { replies.append(try VarlinkReply(parsing: frame)) }
      }
    } catch {
      // The server closes a connection whose input it has not read to the end: that resets it.
      end()
    }
  }

  private func end() {
    hasEnded = true
    stopReading()
  }

  /// Sends bytes, all at once.
  func send(_ bytes: [UInt8]) throws {
    guard try UnixSocket.send(bytes, over: descriptor) == bytes.count else {
      throw VarlinkProtocolError(description: "there is no room for \(bytes.count) bytes")
    }
  }

  /// Sends text as it is.
  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends calls, all at once.
  func send(_ calls: VarlinkCall...) throws { try send(calls.flatMap(\.frame)) }

  /// Shuts down the sending side.
  func endSending() { UnixSocket.endSending(over: descriptor) }

  /// Ends and closes the connection. A child that another test starts meanwhile holds the descriptor for a moment, too,
  /// and the connection would not be over before.
  func close() {
    stopReading()
    if socket != nil { UnixSocket.end(descriptor) }
    socket = nil
  }

  deinit { stopReading() }
}
