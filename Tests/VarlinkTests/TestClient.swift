import SystemIO
import Varlink

/// A client that sends what a test tells it to, whole calls or not, and collects what it hears.
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

  /// Connects, and reads whenever the loop says that there is something to read.
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
    // Once only: the number may be somebody else's by now.
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

  /// Tells the server that nothing more comes.
  func endSending() { UnixSocket.endSending(over: descriptor) }

  /// Goes away.
  func close() {
    stopReading()
    socket = nil
  }

  deinit { stopReading() }
}
