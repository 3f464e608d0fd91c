package import KernelPath
package import PathModel
package import Varlink

extension PathSourceError {
  /// A connection to the service that has failed.
  package init(_ failure: VarlinkClient.Failure) {
    let (code, advice): (Code, String?) =
      switch failure.kind {
      case .notRunning: (.serviceNotRunning, "Start pathmonitord, or use the source 'automatic'.")
      case .refused: (.permissionDenied, nil)
      case .timedOut, .disconnected: (.connectionLost, nil)
      case .notVarlink: (.protocolMismatch, "Name the socket of pathmonitord.")
      }
    self.init(code, message: failure.description, advice: advice)
  }

  /// A service that has not answered in time.
  static func noAnswer(from socket: String) -> PathSourceError {
    PathSourceError(.connectionLost, message: "\(socket) does not answer")
  }

  /// A reply that is not what the interface says.
  package init(_ error: PathDecodingError) {
    self.init(
      .protocolMismatch, message: "the service's answer is not understood: \(error)",
      advice: "Are this program and pathmonitord of the same version?")
    reply = .malformed
  }

  /// A failure of the kernel.
  package init(_ error: KernelPathError) {
    self.init(.kernelUnavailable, message: error.description)
  }

  /// An error that the service replied, in words. Older and newer services may reply other errors than we know.
  ///
  /// - Parameter name: The full name of the error.
  package init(errorReply name: String, _ parameters: JSONObject) {
    let known = PathMonitorInterface.ErrorName(fullName: name)
    let (message, advice) = known.map { Self.words($0, parameters) } ?? Self.words(standardError: name, parameters)
    self.init(.declined, message: message, advice: advice)
    reply = .error(name: name)
  }

  /// The message and the advice of the programs, as sentences. The advice of the library about an absent service names
  /// a source of monitors, which no program has.
  package var sentences: String {
    let advice = code == .serviceNotRunning ? "Is pathmonitord running?" : advice
    return advice.map { "\(message). \($0)" } ?? "\(message)."
  }

  private static func words(
    _ error: PathMonitorInterface.ErrorName, _ parameters: JSONObject
  ) -> (message: String, advice: String?) {
    func text(_ key: String) -> String { parameters[key]?.stringValue ?? "?" }
    func number(_ key: String) -> String { parameters[key]?.integerValue.map(String.init) ?? "?" }
    switch error {
    case .invalidRequirement:
      let allowed = (parameters["allowed"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
      let place = "'\(text("text"))' at byte \(number("position"))"
      return ("the service does not understand the requirement \(place)", "Allowed there: \(allowed).")
    case .timedOut: return ("the time is over", nil)
    case .anotherPath: return ("the path is another one meanwhile", nil)
    case .permissionDenied:
      return ("you may not do this: it needs \(text("needed"))", "Use sudo, or join the group and log in again.")
    case .limitReached:
      return ("the service has reached a limit, \(text("limit")) = \(number("value"))", "Try again later.")
    case .noSuchInterface:
      return ("there is no interface '\(text("name"))'", "'pathctl interfaces' lists them.")
    case .invalidDestination:
      return ("there can be no path to '\(text("destination"))'", "Name an address that is not link-local.")
    case .pathUnknown: return ("the service cannot know the path: \(text("reason"))", nil)
    }
  }

  private static func words(standardError name: String, _ parameters: JSONObject) -> (message: String, advice: String?)
  {
    let detail = ["reason", "method", "interface", "parameter"].lazy.compactMap { parameters[$0]?.stringValue }.first
    switch name {
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented",
      "org.varlink.service.InterfaceNotFound":
      return (
        "the service has no \(detail ?? "such method"): it is older than this program",
        "Upgrade and restart pathmonitord."
      )
    case "org.varlink.service.InvalidParameter": return ("the service does not take this: \(detail ?? "?")", nil)
    default: return ("the service answers with the error \(name)\(detail.map { " (\($0))" } ?? "")", nil)
    }
  }
}
