import ProcessTestSupport
import SystemIO

/// A socket that listens, and accepts connections only in ``accept()``.
final class Listener: Sendable {
  private let socket: OwnedDescriptor

  init(at path: String) throws {
    socket = try UnixSocket.listen(at: path, mode: 0o600)
  }

  /// The service's end of the connection that was made first.
  func accept() throws -> FakeService {
    guard let accepted = try UnixSocket.accept(from: socket.number) else {
      throw SystemError("accept: nobody is there", errorNumber: 0)
    }
    return FakeService(accepted)
  }
}

/// A service's end of a connection, which sends the bytes of a test.
final class FakeService: Sendable {
  private let socket: OwnedDescriptor

  init(_ socket: consuming OwnedDescriptor) {
    self.socket = socket
  }

  /// Waits for bytes and returns them.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    _ = try UnixSocket.waitForInput(from: socket.number, until: .now.advanced(by: .seconds(10)))
    guard case .bytes(let count) = try UnixSocket.receive(into: &buffer, from: socket.number) else { return [] }
    return Array(buffer[..<count])
  }

  /// Sends a few bytes.
  func send(_ bytes: [UInt8]) throws {
    _ = try UnixSocket.send(bytes, over: socket.number)
  }

  /// Sends text as it is.
  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends all bytes, waiting for room.
  func sendAll(_ bytes: [UInt8]) throws { try UnixSocket.sendAll(bytes, over: socket.number) }

  /// Ends the connection.
  func close() { UnixSocket.end(socket.number) }
}
