import CMicroHTTPD
import Glibc

/// Answers on the loopback addresses of this machine, and nowhere else.
final class WebServer {
  /// The reason why the server cannot start.
  struct StartError: Error {
    /// The error number of the system.
    var code: Int32
    var sentence: String
  }

  /// The data for the threads of libmicrohttpd.
  fileprivate final class Context: Sendable {
    let site: Site
    let streams: EventStreams
    let choose: @Sendable (_ option: String, _ problem: String) -> Bool

    init(
      site: Site, streams: EventStreams, choose: @escaping @Sendable (_ option: String, _ problem: String) -> Bool
    ) {
      (self.site, self.streams, self.choose) = (site, streams, choose)
    }
  }

  /// The port that the server listens on.
  let port: UInt16
  private let context: Context
  private var daemons: [OpaquePointer] = []

  /// Listens on 127.0.0.1 and, where the machine has it, on ::1.
  ///
  /// - Parameters:
  ///   - port: The port to listen on; 0 for any free one.
  ///   - choose: Called with the option of a problem that a user has chosen; whether it is shown.
  init(
    port: UInt16, site: Site, streams: EventStreams,
    choose: @escaping @Sendable (_ option: String, _ problem: String) -> Bool
  ) throws(StartError) {
    context = Context(site: site, streams: streams, choose: choose)
    daemons = [try Self.listen(AF_INET, port, context)]
    self.port = port_of(daemons[0])
    do throws(StartError) {
      daemons.append(try Self.listen(AF_INET6, self.port, context))
    } catch {
      // Without IPv6 no client connects there. If another program listens there, "localhost" would lead to it.
      if error.code == EADDRINUSE {
        stop()
        throw error
      }
    }
  }

  private static func listen(_ family: Int32, _ port: UInt16, _ context: Context) throws(StartError) -> OpaquePointer {
    let daemon = serve_on_loopback(
      family, port, UInt32(EventStreams.limit + 32), 10,
      { context, connection, target, method, _, _, _, request in
        guard let context, let connection, let target, let method else { return .NO }
        return Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().reply(
          to: String(cString: method), String(cString: target), on: connection)
      }, Unmanaged.passUnretained(context).toOpaque())
    guard let daemon else {
      let code = errno
      let address = family == AF_INET6 ? "[::1]" : "127.0.0.1"
      throw StartError(
        code: code, sentence: "cannot listen on \(address):\(port): \(String(cString: strerror(code)))")
    }
    return daemon
  }

  /// Ends all connections. The streams have to be ended before, because suspended connections would stay.
  func stop() {
    for daemon in daemons { MHD_stop_daemon(daemon) }
    daemons = []
  }
}

extension WebServer.Context {
  fileprivate func reply(to method: String, _ target: String, on connection: OpaquePointer) -> MHD_Result {
    let (host, origin) = (header("Host", of: connection), header("Origin", of: connection))
    switch site.answer(method: method, target: target, host: host, origin: origin) {
    case .document(let document):
      return send(200, document.type, Self.response(document.bytes), on: connection)
    case .report:
      return send(200, "application/json", Self.response(Array(streams.report.utf8)), on: connection)
    case .events:
      let type = "text/event-stream; charset=utf-8"
      if method == "HEAD" { return send(200, type, Self.response([]), on: connection) }
      guard let response = streams.open(on: connection) else {
        return refuse(503, "There are \(EventStreams.limit) readers already.\n", on: connection)
      }
      return send(200, type, response, on: connection)
    case .choice(let option, let problem):
      guard choose(option, problem) else { return refuse(409, "This is not shown any more.\n", on: connection) }
      return send(204, "text/plain; charset=utf-8", Self.response([]), on: connection)
    case .refused(let status, let text):
      return refuse(status, text, on: connection)
    }
  }

  private func header(_ name: String, of connection: OpaquePointer) -> String? {
    MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
  }

  private func refuse(_ status: UInt32, _ text: String, on connection: OpaquePointer) -> MHD_Result {
    send(status, "text/plain; charset=utf-8", Self.response(Array(text.utf8)), on: connection)
  }

  private static func response(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
      // The bytes are copied, and never written to.
      MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  private func send(
    _ status: UInt32, _ type: String, _ response: OpaquePointer?, on connection: OpaquePointer
  ) -> MHD_Result {
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for (name, value) in site.headers + [("Content-Type", type)] {
      MHD_add_response_header(response, name, value)
    }
    if status == 405 { MHD_add_response_header(response, "Allow", "GET, HEAD") }
    if status == 503 { MHD_add_response_header(response, "Retry-After", "5") }
    return MHD_queue_response(connection, status, response)
  }
}
