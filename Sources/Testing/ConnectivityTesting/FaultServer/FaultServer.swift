public import Foundation
internal import SystemIO

/// An HTTP server for tests that does what servers and networks do wrong.
///
/// It speaks HTTP/1.1 over sockets of its own, without a dependency, and listens on this machine. Each fault has a path
/// (``FaultAnswer/catalogue(_:)``), or a closure answers:
///
/// ```swift
/// let server = try FaultServer { request in
///   request.number < 3 ? FaultAnswer(503, headers: [("Retry-After", "1")]) : .json(#"{"name": "value"}"#)
/// }
/// defer { server.close() }
/// let (data, _) = try await URLSession.shared.data(from: server.url("/items"))
/// #expect(server.requestCount(to: "/items") == 1)
/// ```
///
/// The server has one thread. A connection carries one request and is closed after the answer.
public final class FaultServer: Sendable {
  /// The address at which the server listens.
  public let address: String
  /// The port at which the server listens.
  public let port: UInt16

  private let log: RequestLog
  private let thread: LoopThread<FaultListener>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: An IPv4 address of this machine.
  ///   - port: The port; 0 for any free one.
  ///   - answer: Called for each request, on the server's thread; it should not wait.
  /// - Throws: ``LoopbackError`` when the server cannot listen there, or no thread can be started.
  public convenience init(
    at address: String = "127.0.0.1", port: UInt16 = 0,
    answer: @escaping @Sendable (FaultRequest) -> FaultAnswer = { .catalogue($0) }
  ) throws(LoopbackError) {
    try self.init(on: try Listener(at: address, port: port), answer: answer)
  }

  /// A socket that listens for the connections of a server. It belongs to the network namespace of its creator. The
  /// thread of the server can live in another.
  package struct Listener: Sendable {
    fileprivate let address: String
    fileprivate let port: UInt16
    fileprivate let descriptor: LentDescriptor

    /// Begins to listen.
    package init(at address: String, port: UInt16 = 0) throws(LoopbackError) {
      do throws(SystemError) {
        let socket = try InternetSocket.listen(at: address, port: port)
        (self.address, self.port) = (address, try InternetSocket.port(of: socket.number))
        descriptor = LentDescriptor(socket)
      } catch {
        throw LoopbackError(error)
      }
    }
  }

  /// Starts a server on a socket of its own.
  package init(
    on listener: Listener, answer: @escaping @Sendable (FaultRequest) -> FaultAnswer
  ) throws(LoopbackError) {
    let log = RequestLog()
    do throws(SystemError) {
      thread = try LoopThread("faults-\(listener.port)") { loop throws(SystemError) in
        try FaultListener(listener.descriptor.take(), on: loop, log: log, answer: answer)
      }
    } catch {
      throw LoopbackError(error)
    }
    (address, port, self.log) = (listener.address, listener.port, log)
  }

  deinit {
    thread.close()
  }

  /// Ends the server: it stops listening, resets its connections, and ends its thread before the call returns.
  /// ``waitForRequests(_:to:)`` returns to all who wait.
  public func close() {
    thread.close()
    log.close()
  }

  /// The URL of a path at this server.
  ///
  /// - Parameters:
  ///   - path: The path, such as `/ok`.
  ///   - query: The names and values of the query; each is percent-encoded.
  ///   - host: The host of the URL; `nil` for the server's address.
  public func url(_ path: String, query: [String: String] = [:], host: String? = nil) -> URL {
    var components = URLComponents()
    (components.scheme, components.host, components.port) = ("http", host ?? address, Int(port))
    components.path = path
    if !query.isEmpty {
      components.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
      // Foundation leaves a `+` in a query, where servers read it as a space.
      components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
    }
    return components.url ?? URL(fileURLWithPath: path)
  }

  // MARK: Counters

  /// The requests that have come, in their order.
  public var requests: [FaultRequest] { log.requests }

  /// The number of requests to a path, whatever their query; `nil` for the requests to all paths.
  public func requestCount(to path: String? = nil) -> Int { log.requestCount(to: path) }

  /// The number of connections that clients have made, with and without a request.
  public var connectionCount: Int { log.connectionCount }

  /// The number of requests whose clients ended the connection before the answer was complete.
  public func abandonedCount(of path: String? = nil) -> Int { log.abandonedCount(of: path) }

  /// Waits until so many requests to a path have come.
  ///
  /// - Returns: Whether they have; `false` when the server was closed or the task cancelled before.
  @discardableResult
  public func waitForRequests(_ count: Int = 1, to path: String? = nil) async -> Bool {
    await log.wait { $0.requestCount(to: path) >= count }
  }

  /// Waits until the clients of so many requests to a path have ended the connection before the answer was complete.
  ///
  /// - Returns: Whether they have; `false` when the server was closed or the task cancelled before.
  @discardableResult
  public func waitForAbandoned(_ count: Int = 1, of path: String? = nil) async -> Bool {
    await log.wait { $0.abandonedCount(of: path) >= count }
  }
}
