internal import SystemIO

/// A port of this machine that accepts no connection, for tests of clients that try to connect.
///
/// ```swift
/// let port = try FaultPort.refusing()
/// defer { port.close() }
/// ```
public final class FaultPort: Sendable {
  /// The address of the port.
  public let address: String
  /// The port.
  public let port: UInt16

  private let sockets: Guarded<[LentDescriptor]>

  /// A port that refuses connections at once: it is taken, and nobody listens.
  ///
  /// - Parameter address: An IPv4 address of this machine.
  /// - Throws: ``LoopbackError`` when the address is not one of this machine.
  public static func refusing(at address: String = "127.0.0.1") throws(LoopbackError) -> FaultPort {
    do throws(SystemError) {
      let socket = try InternetSocket.bind(at: address)
      return FaultPort(address, try InternetSocket.port(of: socket.number), [LentDescriptor(socket)])
    } catch {
      throw LoopbackError(error)
    }
  }

  /// A port that does not answer: clients try to connect until they time out, as with a host that is switched off.
  ///
  /// The queue of the listening socket is full, and the kernel drops further attempts (`tcp_abort_on_overflow` of
  /// tcp(7), which is off by default).
  ///
  /// - Parameter address: An IPv4 address of this machine.
  /// - Throws: ``LoopbackError`` when the address is not one of this machine.
  public static func silent(at address: String = "127.0.0.1") throws(LoopbackError) -> FaultPort {
    do throws(SystemError) {
      let listener = try InternetSocket.listen(at: address, queueLength: 0)
      let port = try InternetSocket.port(of: listener.number)
      let filler = try InternetSocket.connect(to: address, port: port)
      try InternetSocket.waitForConnection(of: filler.number)
      return FaultPort(address, port, [LentDescriptor(listener), LentDescriptor(filler)])
    } catch {
      throw LoopbackError(error)
    }
  }

  private init(_ address: String, _ port: UInt16, _ sockets: [LentDescriptor]) {
    (self.address, self.port) = (address, port)
    self.sockets = Guarded(sockets)
  }

  /// Releases the port. It is also released with the object.
  public func close() {
    sockets.exchange(\.self, for: [])
  }
}
