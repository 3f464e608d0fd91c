internal import PathModel
internal import PathSettings

/// What the options mean together with the environment and the administrator's files.
extension Invocation {
  /// Where the service listens.
  var socket: String { ServiceSocket.path(socketPath) }

  /// Whether the service is asked first.
  var usesService: Bool { !isDirect }

  /// The settings of our own engine.
  var engineSettings: EngineSettings {
    EngineSettings(probes: probes, settle: settle, configurationPath: configurationPath)
  }

  /// What the service has been told to override.
  var overrides: OverrideTable {
    EngineSettings.overrides(forSocket: socket) { PathControl.complain($0) }
  }

  /// The exit status to end with: a condition knows only yes, no and failure.
  func status(_ status: Int32) -> Int32 {
    guard isCondition, status != ExitStatus.yes, status != ExitStatus.no else { return status }
    return ExitStatus.conditionFailed
  }
}
