internal import SystemIO

/// A proxy on this machine whose connections have the delay, the rate and the losses of a network link.
///
/// A program connects to ``port`` on 127.0.0.1 in place of its server's:
///
/// ```swift
/// let server = try FaultServer()
/// let link = try LinkConditioner(.edge, to: server.port)
/// defer { link.close() }
/// ```
///
/// Each connection has a link of its own. Its first bytes take a round trip longer, which is the time to connect, and
/// `nameLookupDelay`, which is the time before. A lost segment arrives a round trip later. The kernel of this machine
/// makes the connection at once, so that with a complete loss a client is connected and nothing follows. No connection
/// can be made to a ``FaultPort``.
///
/// Links of whole namespaces, with their datagrams and all their programs, are those of netem
/// (``LinkProfile/trafficControl(near:far:device:)``).
public final class LinkConditioner: Sendable {
  /// The port on 127.0.0.1 at which clients connect.
  public let port: UInt16

  private let thread: LoopThread<LinkProxy>
  private let counts: Guarded<LinkCounts>

  /// Starts a conditioner.
  ///
  /// - Parameters:
  ///   - profile: The properties of the link.
  ///   - serverPort: The port of the server.
  ///   - serverAddress: The IPv4 address of the server.
  ///   - listeningPort: The port of the conditioner; 0 for any free one.
  /// - Throws: ``LoopbackError`` when the port is taken, or no thread can be started.
  public init(
    _ profile: LinkProfile, to serverPort: UInt16, at serverAddress: String = "127.0.0.1", listeningPort: UInt16 = 0
  ) throws(LoopbackError) {
    do throws(SystemError) {
      let socket = try InternetSocket.listen(
        at: "127.0.0.1", port: listeningPort, receiveBuffer: LinkProxy.kernelBuffer)
      let port = try InternetSocket.port(of: socket.number)
      let listener = LentDescriptor(socket)
      let counts = Guarded(LinkCounts())
      thread = try LoopThread("link-\(port)") { loop throws(SystemError) in
        try LinkProxy(
          listener.take(), on: loop, profile: profile, server: (serverAddress, serverPort), counts: counts)
      }
      (self.port, self.counts) = (port, counts)
    } catch {
      throw LoopbackError(error)
    }
  }

  deinit {
    thread.close()
  }

  /// Ends the conditioner: it stops listening, resets its connections, and ends its thread before the call returns.
  public func close() { thread.close() }

  /// Gives the link other properties. Bytes that are on their way arrive as before, and open connections stay.
  public func setProfile(_ profile: LinkProfile) { thread.perform { $0.profile = profile } }

  /// Holds everything on its way, as a link without a signal does, until ``resume()``. Connections stay open.
  public func stall() { thread.perform { $0.isStalled = true } }

  /// Lets bytes pass again after ``stall()``.
  public func resume() { thread.perform { $0.isStalled = false } }

  /// Resets all connections, on both sides. New ones can be made.
  public func reset() { thread.perform { $0.reset() } }

  /// The number of connections that clients have made.
  public var connectionCount: Int { counts.withLock { $0.connections } }
  /// The number of bytes that have arrived at clients.
  public var deliveredBytes: Int { counts.withLock { $0.downloaded } }
  /// The number of bytes that have arrived at the server.
  public var uploadedBytes: Int { counts.withLock { $0.uploaded } }
}

/// The counters of a conditioner.
struct LinkCounts: Sendable {
  var connections = 0
  var downloaded = 0
  var uploaded = 0
}
