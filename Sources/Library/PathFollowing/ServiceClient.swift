package import PathModel
package import SystemIO
internal import Varlink

/// A connection to the service for calls that have one reply.
package final class ServiceClient {
  private let client: VarlinkClient
  private let deadline = MonotonicInstant.now.advanced(by: FollowingPolicy.answerLimit)

  /// Connects to the service that listens at the path.
  package init(_ path: String) throws(PathSourceError) {
    do throws(VarlinkClient.Failure) {
      client = try VarlinkClient(connectingTo: path, until: deadline)
    } catch {
      throw PathSourceError(error)
    }
  }

  /// The descriptor that a loop watches for further replies, and for the end of the connection.
  package var descriptor: Int32 { client.descriptor }

  /// Whether a call goes on whose descriptor can be read: unless its last reply has come, or the service is gone.
  package var goesOn: Bool { (try? client.readReplies())?.allSatisfy(\.continues) ?? false }

  /// Calls a method and waits for its reply.
  ///
  /// - Parameter acceptsMore: Whether the call may go on after the reply.
  package func ask(
    _ method: PathMonitorInterface.Method, _ parameters: JSONObject = JSONObject(), acceptsMore: Bool = false
  ) throws(PathSourceError) -> JSONObject {
    let reply: VarlinkReply
    do throws(VarlinkClient.Failure) {
      try client.send(VarlinkCall(method.fullName, parameters, acceptsMore: acceptsMore))
      reply = try client.receive(until: deadline)
    } catch {
      // A service that closes the connection without a reply is treated as absent.
      throw PathSourceError(error)
    }
    if let error = reply.error { throw PathSourceError(errorReply: error, reply.parameters) }
    return reply.parameters
  }

  /// The version of the service; `nil` when it does not say.
  package func version() throws(PathSourceError) -> String? {
    do throws(VarlinkClient.Failure) {
      try client.send(VarlinkCall("org.varlink.service.GetInfo", JSONObject()))
      return try client.receive(until: deadline).parameters["version"]?.stringValue
    } catch {
      throw PathSourceError(error)
    }
  }

  /// Subscribes to the path, and waits for the first one.
  package func follow() throws(PathSourceError) -> NetworkPath {
    do throws(VarlinkClient.Failure) {
      let method = PathMonitorInterface.Method.watchPath.fullName
      try client.send(VarlinkCall(method, JSONObject(), acceptsMore: true))
    } catch {
      throw PathSourceError(error)
    }
    guard let path = try nextPath(until: deadline) else {
      throw PathSourceError(.connectionLost, message: "the service does not answer")
    }
    return path
  }

  /// The next path after ``follow()``; `nil` when none has come until the moment, and none will be taken any more.
  package func nextPath(until moment: MonotonicInstant) throws(PathSourceError) -> NetworkPath? {
    let reply: VarlinkReply
    do throws(VarlinkClient.Failure) {
      reply = try client.receive(until: moment)
    } catch {
      if error.kind == .timedOut { return nil }
      throw PathSourceError(error)
    }
    if let error = reply.error { throw PathSourceError(errorReply: error, reply.parameters) }
    return try Self.path(in: reply.parameters)
  }

  /// The members of replies that are read here.
  package enum Member: String {
    case health, interfaces, totals, notes, configurationProblems
  }

  /// Reads members of a reply.
  package static func read<Value>(
    _ parameters: JSONObject, _ body: (ObjectReader<Member>) throws(PathDecodingError) -> Value
  ) throws(PathSourceError) -> Value {
    try decode(parameters) { parameters throws(PathDecodingError) in try body(ObjectReader(parameters)) }
  }

  /// The path in a reply.
  package static func path(in parameters: JSONObject) throws(PathSourceError) -> NetworkPath {
    try decode(parameters, NetworkPath.init(reply:))
  }

  /// The path in a reply with its causes, its steps and its route.
  package static func explained(in parameters: JSONObject) throws(PathSourceError) -> ExplainedPath {
    var explained = try decode(parameters, ExplainedPath.init(reply:))
    explained.steps.insert("answered by the service", at: 0)
    return explained
  }

  /// Decodes a reply. One that cannot be decoded counts as a failure of the service.
  private static func decode<Value>(
    _ parameters: JSONObject, _ body: (JSONObject) throws(PathDecodingError) -> Value
  ) throws(PathSourceError) -> Value {
    do throws(PathDecodingError) {
      return try body(parameters)
    } catch {
      throw PathSourceError(error)
    }
  }
}
