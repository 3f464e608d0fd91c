internal import JSON
internal import PathCoding
internal import PathFeeds
internal import PathModel
internal import Varlink

/// Why the service has not given what it was asked for.
package struct ServiceProblem: Error, Hashable, Sendable {
  /// The kind of problem.
  package enum Kind: Hashable, Sendable {
    /// There is nobody who answers: the kernel can be asked instead.
    case isAbsent
    /// It answers, but cannot or will not do this; with the exit status that says so.
    case declines(status: Int32)
  }

  /// The kind of problem.
  package var kind: Kind
  /// What happened and what helps, in one sentence or two.
  package var description: String
}

extension ServiceProblem {
  /// Why following the path has failed.
  init(_ failure: ServiceFailure) {
    switch failure {
    case .connection(let failure): self.init(failure)
    case .answer(let error): self.init(error)
    case .declined(let error, let details): self.init(error: error, details)
    }
  }

  /// A connection that failed.
  init(_ failure: VarlinkClient.Failure) {
    kind = .isAbsent
    description = failure.description
  }

  /// A reply that is not what the interface says.
  init(_ error: PathDecodingError) {
    kind = .declines(status: ExitStatus.cannotKnow)
    description = "the service's answer is not understood: \(error). Are pathctl and pathmonitord of the same version?"
  }

  /// An error that the service replied, in words; older and newer services may reply others than we know.
  init(error name: String, _ parameters: JSONObject) {
    func text(_ key: String) -> String { parameters[key]?.stringValue ?? "?" }
    func number(_ key: String) -> String { parameters[key]?.integerValue.map(String.init) ?? "?" }
    switch PathMonitorInterface.ErrorName(fullName: name) {
    case .invalidRequirement:
      let allowed = (parameters["allowed"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
      self.init(
        kind: .declines(status: ExitStatus.usage),
        description: """
          the service does not understand the requirement '\(text("text"))' at byte \(number("position")). \
          Allowed there: \(allowed).
          """)
    case .timedOut:
      self.init(kind: .declines(status: ExitStatus.timedOut), description: "the time is over.")
    case .permissionDenied:
      self.init(
        kind: .declines(status: ExitStatus.no),
        description: "you may not do this: it needs \(text("needed")). Use sudo, or join the group and log in again.")
    case .limitReached:
      self.init(
        kind: .declines(status: ExitStatus.cannotKnow),
        description: "the service has reached a limit, \(text("limit")) = \(number("value")). Try again later.")
    case .noSuchInterface:
      self.init(
        kind: .declines(status: ExitStatus.usage),
        description: "there is no interface '\(text("name"))'. 'pathctl interfaces' lists them.")
    case .invalidDestination:
      self.init(
        kind: .declines(status: ExitStatus.usage),
        description: "there can be no path to '\(text("destination"))'. Name an address that is not link-local.")
    case .pathUnknown:
      self.init(
        kind: .declines(status: ExitStatus.cannotKnow),
        description: "the service cannot know the path: \(text("reason"))")
    case nil: self.init(standardError: name, parameters)
    }
  }

  private init(standardError name: String, _ parameters: JSONObject) {
    let detail = ["reason", "method", "interface", "parameter"].lazy.compactMap { parameters[$0]?.stringValue }.first
    switch name {
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented",
      "org.varlink.service.InterfaceNotFound":
      self.init(
        kind: .declines(status: ExitStatus.cannotKnow),
        description: """
          the service has no \(detail ?? "such method"): it is older than this pathctl. Upgrade and restart pathmonitord.
          """)
    case "org.varlink.service.InvalidParameter":
      self.init(
        kind: .declines(status: ExitStatus.usage), description: "the service does not take this: \(detail ?? "?").")
    default:
      self.init(
        kind: .declines(status: ExitStatus.cannotKnow),
        description: "the service answers with the error \(name)\(detail.map { " (\($0))" } ?? "").")
    }
  }
}
