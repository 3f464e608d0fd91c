internal import PathModel
internal import SystemIO
internal import Varlink

/// One connection to the service for the path and its changes, from the first answer to the first failure.
///
/// It belongs to an event loop.
final class ServiceSession {
  private let loop: EventLoop
  private let policy: FollowingPolicy
  private let deliver: (Result<NetworkPath, PathSourceError>) -> Void
  /// `nil` when the session is over.
  private var client: VarlinkClient?
  /// When the first path came.
  private var answered: MonotonicInstant?

  /// Whether paths have come for a while. A service that fails before may do so each time.
  var hasLasted: Bool {
    answered.map { MonotonicInstant.now >= $0.advanced(by: policy.answerLimit) } ?? false
  }

  /// Connects, and asks for the path and its changes.
  ///
  /// - Parameters:
  ///   - settle: How long a change must rest; `nil` for the time of the service.
  ///   - deliver: Called with each path, and once with the failure that ends the session; not before this returns.
  init(
    loop: EventLoop, policy: FollowingPolicy, settle: Duration?,
    _ deliver: @escaping (Result<NetworkPath, PathSourceError>) -> Void
  ) throws(PathSourceError) {
    self.loop = loop
    self.policy = policy
    self.deliver = deliver
    var parameters = JSONObject()
    if let settle { parameters["settleMilliseconds"] = .integer(Int64(settle.countable / .milliseconds(1))) }
    do throws(VarlinkClient.Failure) {
      // Where the kernel is asked meanwhile, its messages must not wait for the service to admit a client.
      let deadline = policy.asksKernel ? nil : MonotonicInstant.now.advanced(by: policy.answerLimit)
      let client = try VarlinkClient(connectingTo: policy.socket, until: deadline)
      try client.send(VarlinkCall(PathMonitorInterface.Method.watchPath.fullName, parameters, acceptsMore: true))
      do throws(SystemError) {
        try loop.watch(client.descriptor) { [unowned self] _ in self.receive() }
      } catch {
        throw VarlinkClient.Failure(kind: .refused, description: error.description)
      }
      self.client = client
    } catch {
      throw PathSourceError(error)
    }
  }

  /// Ends the session: nothing is delivered any more.
  func stop() {
    if let client { loop.unwatch(client.descriptor) }
    client = nil
  }

  private func receive() {
    guard let client else { return }
    do throws(VarlinkClient.Failure) {
      for reply in try client.readReplies() { handle(reply) }
      // The loop does not report a failure that came with the last replies.
      if client.hasFailed { _ = try client.readReplies() }
    } catch {
      fail(PathSourceError(error))
    }
  }

  private func handle(_ reply: VarlinkReply) {
    // A delivery of an earlier reply may have ended the session.
    if client == nil { return }
    if let name = reply.error { return fail(PathSourceError(errorReply: name, reply.parameters)) }
    let path: NetworkPath
    do throws(PathDecodingError) {
      path = try NetworkPath(reply: reply.parameters)
    } catch {
      return fail(PathSourceError(error))
    }
    // A path without its changes may be another at once.
    if !reply.continues, answered == nil {
      return fail(PathSourceError(.protocolMismatch, message: "\(policy.socket) does not report changes"))
    }
    answered = answered ?? .now
    deliver(.success(path))
    if reply.continues || client == nil { return }
    fail(PathSourceError(.connectionLost, message: "\(policy.socket) has ended its stream of paths"))
  }

  private func fail(_ failure: PathSourceError) {
    if client == nil { return }
    stop()
    deliver(.failure(failure))
  }
}
