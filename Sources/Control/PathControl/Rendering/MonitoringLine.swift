package import PathModel

/// The answer of `pathctl check --nagios`: a line and an exit status for Nagios, Icinga and their relatives, by the
/// guidelines of the Monitoring Plugins.
package struct MonitoringLine: Hashable, Sendable {
  /// The states of a service, by their exit statuses.
  package enum State: Int32, Hashable, Sendable {
    case ok = 0
    case warning = 1
    case critical = 2
    case unknown = 3

    fileprivate var word: String {
      switch self {
      case .ok: "OK"
      case .warning: "WARNING"
      case .critical: "CRITICAL"
      case .unknown: "UNKNOWN"
      }
    }
  }

  /// The state, whose raw value is the exit status.
  package let state: State
  /// The line, without its newline.
  package let text: String

  private init(_ state: State, _ words: String, _ data: [(label: String, value: Bool)] = []) {
    self.state = state
    // Behind a bar there is performance data, so no bar may stand in the words.
    let line = words.inOneLine.unicodeScalars.split(separator: "|", omittingEmptySubsequences: false)
      .map { String($0) }.joined(separator: "/")
    let values = data.map { "\($0.label)=\($0.value ? 1 : 0);;;0;1" }.joined(separator: " ")
    text = "PATH \(state.word) - \(line)" + (values.isEmpty ? "" : " | \(values)")
  }

  /// The answer about a path, before the requirement is applied to it.
  ///
  /// - Parameter causes: The causes of its state; the first of a satisfied path may be a doubt about it.
  package init(_ requirement: PathRequirement, on path: NetworkPath, causes: [Diagnosis]) {
    let data = [
      ("connected", path.status == .satisfied), ("metered", path.isExpensive), ("ipv4", path.supportsIPv4),
      ("ipv6", path.supportsIPv6), ("dns", path.supportsDNS),
    ]
    let cause =
      causes.first { $0.code != .connected }?.sentence ?? (requirement.dependsOnValidation ? nil : Self.doubt(path))
    switch (requirement.verdict(on: path), path.status) {
    case (.unknown, _): self.init(.unknown, path.description)
    case (.met, .satisfied): self.init(cause == nil ? .ok : .warning, cause ?? path.description, data)
    case (.met, _): self.init(.ok, path.description, data)
    case (.notMet, .satisfied): self.init(.critical, "not '\(requirement)': \(path.description)", data)
    case (.notMet, _): self.init(.critical, cause.map { "offline: \($0)" } ?? path.description, data)
    }
  }

  /// The doubt about a path over which the Internet does not answer, or not as it should.
  private static func doubt(_ path: NetworkPath) -> String? {
    let validation = path.validation
    guard path.status == .satisfied, validation.state.isFault else { return nil }
    let reason = validation.reasons.first.map { ": \($0.text)" } ?? ""
    return path.description + reason
  }

  /// The answer where nothing can be known; the message says why.
  package static func unknown(_ message: String) -> MonitoringLine { MonitoringLine(.unknown, message) }
}
