internal import JSON
internal import PathCoding
package import PathModel
package import SystemIO
internal import Varlink

/// One connection on which the service tells the path, from the first answer to the first failure.
///
/// It belongs to an event loop, which calls it. Who wants more than one connection makes another session.
package final class ServiceSession {
  /// How long the service may take to answer. It is there or it is not: it never waits for the network.
  package static let patience = Duration.seconds(2)

  private let loop: EventLoop
  private let path: String
  private let deliver: (Result<NetworkPath, ServiceFailure>) -> Void
  /// `nil` when the session is over.
  private var client: VarlinkClient?
  private var reader = PathReplyReader()
  /// When the first path came.
  private var answered: MonotonicInstant?

  /// Whether it has told the path for a while. Who fails before may do so each time.
  package var hasLasted: Bool {
    answered.map { MonotonicInstant.now >= $0.advanced(by: Self.patience) } ?? false
  }

  /// Connects and asks for the path and its changes.
  ///
  /// - Parameters:
  ///   - path: Where the service listens.
  ///   - settle: How long a change must rest; `nil` for what the service takes for everybody.
  ///   - deliver: Called with each path, and once with the failure that ends the session; not before this returns.
  package init(
    loop: EventLoop, socket path: String, settle: Duration?,
    _ deliver: @escaping (Result<NetworkPath, ServiceFailure>) -> Void
  ) throws(ServiceFailure) {
    self.loop = loop
    self.path = path
    self.deliver = deliver
    var parameters = JSONObject()
    if let settle {
      let (seconds, attoseconds) = settle.components
      parameters["settleMilliseconds"] = .integer(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
    do throws(VarlinkClient.Failure) {
      let client = try VarlinkClient(connectingTo: path, until: .now.advanced(by: Self.patience))
      try client.send(VarlinkCall(PathMonitorInterface.Method.watchPath.fullName, parameters, acceptsMore: true))
      do throws(SystemError) {
        try loop.watch(client.descriptor) { [unowned self] _ in self.receive() }
      } catch {
        throw VarlinkClient.Failure(kind: .refused, description: error.description)
      }
      self.client = client
    } catch {
      throw .connection(error)
    }
  }

  /// Ends the session: nothing is delivered any more.
  package func stop() {
    if let client { loop.unwatch(client.descriptor) }
    client = nil
  }

  /// Waits for the first answer instead of the loop, and delivers it.
  package func waitForAnswer(until deadline: MonotonicInstant) {
    guard let client else { return }
    do throws(VarlinkClient.Failure) {
      take(try client.receive(until: deadline) { frame throws(VarlinkProtocolError) in try reader.read(frame) })
    } catch {
      return fail(.connection(error))
    }
    // What came together with it: the loop notices only what is still in the socket.
    receive()
  }

  private func receive() {
    guard let client else { return }
    do throws(VarlinkClient.Failure) {
      var replies: [PathReply] = []
      try client.takeFrames { frame throws(VarlinkProtocolError) in replies.append(try reader.read(frame)) }
      for reply in replies { take(reply) }
      // What came before a failure counts first; the failure does too, and nothing else may ever come.
      if client.hasFailed { _ = try client.takeReplies() }
    } catch {
      fail(.connection(error))
    }
  }

  private func take(_ reply: PathReply) {
    // What was delivered before may have ended the session.
    if client == nil { return }
    switch reply {
    case .path(let path):
      answered = answered ?? .now
      deliver(.success(path))
    // A path that is not followed may be another at once.
    case .lastPath where answered == nil:
      fail(.connection(VarlinkClient.Failure(kind: .notVarlink, description: "\(self.path) does not tell changes")))
    case .lastPath(let path):
      deliver(.success(path))
      if client == nil { return }
      let description = "\(self.path) has ended its stream of paths"
      fail(.connection(VarlinkClient.Failure(kind: .disconnected, description: description)))
    case .declined(let error, let details): fail(.declined(error: error, details: details))
    case .malformed(let error): fail(.answer(error))
    }
  }

  private func fail(_ failure: ServiceFailure) {
    stop()
    deliver(.failure(failure))
  }
}
