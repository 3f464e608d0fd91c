import ProcessTestSupport
import SystemIO

/// A TCP client of a test, which waits in its calls.
struct RawClient: ~Copyable {
  /// The way in which the server ended the connection.
  enum End: Hashable {
    case end
    case failure(errno: Int32)
  }

  private let socket: OwnedDescriptor

  init(to port: UInt16) throws {
    let socket = try InternetSocket.connect(to: "127.0.0.1", port: port)
    try InternetSocket.waitForConnection(of: socket.number)
    self.socket = socket
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws { try UnixSocket.sendAll(bytes, over: socket.number) }

  func endSending() { UnixSocket.endSending(over: socket.number) }

  consuming func reset() { InternetSocket.reset(socket) }

  /// Everything up to the end.
  func receiveAll() -> (text: String, end: End) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      do throws(SystemError) {
        _ = try UnixSocket.waitForInput(from: socket.number, until: nil)
        switch try UnixSocket.receive(into: &buffer, from: socket.number) {
        case .bytes(let count): bytes += buffer[..<count]
        case .nothing: break
        case .end: return (String(decoding: bytes, as: UTF8.self), .end)
        }
      } catch {
        return (String(decoding: bytes, as: UTF8.self), .failure(errno: error.errorNumber))
      }
    }
  }

  /// The next bytes, at least so many.
  func receive(atLeast count: Int) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      _ = try UnixSocket.waitForInput(from: socket.number, until: nil)
      if case .bytes(let number) = try UnixSocket.receive(into: &buffer, from: socket.number) {
        bytes += buffer[..<number]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The answer to a request for a path.
  static func get(_ path: String, from port: UInt16) throws -> (text: String, end: End) {
    let client = try RawClient(to: port)
    try client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    return client.receiveAll()
  }
}
