package import JSON
package import PathCoding
package import Varlink

/// Why the service does not tell the path.
package enum ServiceFailure: Error, Equatable, Sendable {
  /// There is no connection to it, or no answer in time.
  case connection(VarlinkClient.Failure)
  /// It answers something that is no path.
  case answer(PathDecodingError)
  /// It answers with an error: its full name, and the details.
  case declined(error: String, details: JSONObject)

  /// Whether nobody listens at the socket.
  package var isAbsence: Bool {
    guard case .connection(let failure) = self else { return false }
    return failure.kind == .notRunning
  }

  /// Whether the service has as many clients as it takes; that passes.
  package var isLackOfRoom: Bool {
    guard case .declined(let error, _) = self else { return false }
    return error == PathMonitorInterface.ErrorName.limitReached.fullName
  }

  /// What happened, in words, without a full stop.
  package var description: String {
    switch self {
    case .connection(let failure): failure.description
    case .answer(let error): "the service's answer is not understood: \(error)"
    case .declined(let error, _):
      isLackOfRoom ? "the service has no room for more clients" : "the service answers with the error \(error)"
    }
  }
}
