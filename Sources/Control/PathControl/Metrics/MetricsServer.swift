internal import PathModel
internal import SystemIO
internal import Varlink

/// Serves `io.systemd.Metrics` at a listening socket, until nobody has asked for a while.
///
/// One process serves all collectors, as fairly as the service serves its clients: they take turns, users have shares,
/// and a part is kept for root. A process for each connection could not do that, because systemd starts it before
/// anybody knows the user.
final class MetricsServer {
  /// The metrics of a moment.
  typealias Source = () -> [MetricFamily]

  /// The most connections, and the most of a user other than root. A collector needs one.
  private static let (connections, perUser) = (256, 32)
  /// The time for which metrics serve all who ask. They cost two programs and the service some milliseconds.
  private static let reuseTime = Duration.seconds(1)
  /// The time without a call and a client after which the process ends. The service manager starts it again for the
  /// next client.
  private static let idleTime = Duration.seconds(30)

  private let loop: EventLoop
  private let source: Source
  private var server: VarlinkServer?
  private var idleTimer: EventLoop.Timer?
  private var latest: (families: [MetricFamily], end: MonotonicInstant)?

  /// A server that does not listen yet.
  init(source: @escaping Source) throws(SystemError) {
    self.source = source
    loop = try EventLoop()
    var limits = VarlinkServer.Limits()
    (limits.connections, limits.connectionsPerUser) = (Self.connections, Self.perUser)
    (limits.bytesHeld, limits.bytesQueued) = (4 << 20, 8 << 20)
    server = VarlinkServer(
      loop: loop, limits: limits,
      service: VarlinkServer.Service(
        directory: MetricsInterface.directory,
        limitReached: { limit, value in
          VarlinkError(
            PathMonitorInterface.ErrorName.limitReached.fullName,
            ["limit": .string(limit), "value": .integer(Int64(value))])
        },
        serve: { [unowned self] in self.serve($0, $1) }))
    idleTimer = loop.makeTimer { [unowned self] in self.endUnlessNeeded() }
  }

  /// Serves the clients of the socket.
  ///
  /// - Throws: ``SystemError`` when the socket cannot be watched.
  func run(at socket: Int32) throws(SystemError) {
    try server?.listen(on: socket)
    defer { server?.stop() }
    idleTimer?.set(.now.advanced(by: Self.idleTime))
    try loop.run()
  }

  private func serve(_ call: VarlinkCall, _ connection: VarlinkConnection) {
    do throws(VarlinkError) {
      connection.reply(try MetricsInterface.replies(to: call) { self.families() }.flatMap(\.self))
    } catch {
      connection.fail(error)
    }
    idleTimer?.set(.now.advanced(by: Self.idleTime))
  }

  private func families() -> [MetricFamily] {
    if let latest, .now < latest.end { return latest.families }
    let families = source()
    latest = (families, .now.advanced(by: Self.reuseTime))
    return families
  }

  private func endUnlessNeeded() {
    if server?.connectionCount == 0 { return loop.stop() }
    idleTimer?.set(.now.advanced(by: Self.idleTime))
  }
}
