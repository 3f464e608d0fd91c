internal import JSON
internal import PathCoding
internal import PathModel
internal import SystemIO
internal import Varlink

/// The path as the service tells it. When the service goes away it is connected to again; what it said last is
/// delivered as stale when that takes long.
final class ServiceFeed: PathFeed {
  private let loop: EventLoop
  private let path: String
  private let parameters: JSONObject
  private let deliver: (NetworkPath) -> Void
  private let fail: (ServiceProblem) -> Void
  private var client: VarlinkClient?
  private var delivered: NetworkPath?
  private var retryTimer: EventLoop.Timer?
  private var staleTimer: EventLoop.Timer?
  private var pause = ServiceFeed.shortestPause
  /// Whether the user has been told that the service is gone.
  private var hasComplained = false
  private var isStopped = false

  private static let shortestPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(1)

  /// Connects and waits for the first path, which is delivered before this returns.
  ///
  /// - Parameter fail: Called when the service declines to go on.
  /// - Throws: ``ServiceProblem`` when there is no service, or it does not answer in time, or declines.
  init(
    loop: EventLoop, socket path: String, settle: Duration?, fail: @escaping (ServiceProblem) -> Void,
    _ deliver: @escaping (NetworkPath) -> Void
  ) throws(ServiceProblem) {
    self.loop = loop
    self.path = path
    self.deliver = deliver
    self.fail = fail
    var parameters = JSONObject()
    if let settle {
      let (seconds, attoseconds) = settle.components
      parameters["settleMilliseconds"] = .integer(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
    self.parameters = parameters
    retryTimer = loop.makeTimer { [unowned self] in self.reconnect() }
    staleTimer = loop.makeTimer { [unowned self] in self.becomeStale() }
    try connect()
    do throws(VarlinkClient.Failure) {
      guard let client else { return }
      take(try client.receive(until: .now.advanced(by: ServiceClient.patience)))
    } catch {
      stop()
      throw ServiceProblem(kind: .isAbsent, description: error.description)
    }
    // What came together with it: the loop notices only what is still in the socket.
    receive()
  }

  func stop() {
    isStopped = true
    disconnect()
    for timer in [retryTimer, staleTimer] { timer.map(loop.remove) }
    (retryTimer, staleTimer) = (nil, nil)
  }

  private func connect() throws(ServiceProblem) {
    let client: VarlinkClient
    do throws(VarlinkClient.Failure) {
      client = try VarlinkClient(connectingTo: path)
      try client.send(VarlinkCall(PathMonitorInterface.Method.watchPath.fullName, parameters, acceptsMore: true))
    } catch {
      throw ServiceProblem(error)
    }
    do throws(SystemError) {
      try loop.watch(client.descriptor) { [unowned self] _ in self.receive() }
    } catch {
      throw ServiceProblem(kind: .isAbsent, description: error.description)
    }
    self.client = client
  }

  private func disconnect() {
    if let client { loop.unwatch(client.descriptor) }
    client = nil
  }

  private func receive() {
    do throws(VarlinkClient.Failure) {
      guard let client else { return }
      for reply in try client.takeReplies() { take(reply) }
    } catch {
      disconnect()
      if !isStopped { recover(from: error.description) }
    }
  }

  private func recover(from description: String) {
    if hasComplained { return retryLater() }
    hasComplained = true
    PathControl.complain("\(description); connecting again")
    staleTimer?.set(.now.advanced(by: ServiceClient.patience))
    pause = Self.shortestPause
    retryTimer?.set(.now.advanced(by: pause))
  }

  private func reconnect() {
    do throws(ServiceProblem) {
      try connect()
    } catch {
      retryLater()
    }
  }

  private func retryLater() {
    pause = min(pause * 2, Self.longestPause)
    retryTimer?.set(.now.advanced(by: pause))
  }

  private func take(_ reply: VarlinkReply) {
    if isStopped { return }
    do throws(ServiceProblem) {
      if let error = reply.error {
        guard error == PathMonitorInterface.ErrorName.limitReached.fullName, delivered != nil else {
          throw ServiceProblem(error: error, reply.parameters)
        }
        // After a restart all come back at once: there is room again when the others have settled.
        disconnect()
        return recover(from: "the service has no room for more clients")
      }
      staleTimer?.set(nil)
      hasComplained = false
      tell(try ServiceClient.path(in: reply.parameters))
    } catch {
      stop()
      fail(error)
    }
  }

  private func tell(_ path: NetworkPath) {
    // After a new connection it may be what is known already.
    if path == delivered { return }
    delivered = path
    deliver(path)
  }

  private func becomeStale() {
    guard var path = delivered else { return }
    path.knowledge = .stale
    path.changed = ["knowledge"]
    tell(path)
  }
}
