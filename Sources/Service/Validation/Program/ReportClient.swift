internal import JSON
internal import PathFollowing
internal import PathModel
internal import SystemIO
internal import Varlink

/// Calls of the service that have one reply.
enum ReportClient {
  /// The path.
  static func path(of socket: String) throws(PathSourceError) -> NetworkPath {
    let reply = try call(.getPath, JSONObject(), socket)
    do throws(PathDecodingError) {
      return try NetworkPath(reply: reply)
    } catch {
      throw PathSourceError(error)
    }
  }

  /// Reports a verdict on a path.
  static func report(_ verdict: RoundVerdict, on path: NetworkPath, to socket: String) throws(PathSourceError) {
    let validation = PathValidation(state: verdict.state, portal: verdict.portal, evidence: verdict.evidence)
    var writer = JSONWriter()
    validation.write(to: &writer)
    let parameters: JSONObject = [
      "interface": .string(path.interfaces.first?.name ?? ""),
      "gateways": .array(path.gateways.map { .string($0.scoped(to: nil).description) }),
      "validation": (try? JSONValue(parsing: writer.bytes)) ?? .null,
    ]
    _ = try call(.reportValidation, parameters, socket)
  }

  private static func call(
    _ method: PathMonitorInterface.Method, _ parameters: JSONObject, _ socket: String
  ) throws(PathSourceError) -> JSONObject {
    let deadline = MonotonicInstant.now.advanced(by: FollowingPolicy.answerLimit)
    let reply: VarlinkReply
    do throws(VarlinkClient.Failure) {
      let client = try VarlinkClient(connectingTo: socket, until: deadline)
      try client.send(VarlinkCall(method.fullName, parameters))
      reply = try client.receive(until: deadline)
    } catch {
      throw PathSourceError(error)
    }
    if let error = reply.error { throw PathSourceError(errorReply: error, reply.parameters) }
    return reply.parameters
  }
}

extension PathSourceError {
  /// The message and the advice, as sentences.
  var sentences: String { ["\(message.inOneLine).", advice].compactMap(\.self).joined(separator: " ") }
}
