internal import PathCoding
internal import PathEngine
internal import PathFollowing
internal import PathModel
internal import SystemIO

/// What the options mean together with the environment and the administrator's files.
extension Invocation {
  /// Where the service listens.
  var socket: String { namedSocket ?? PathMonitorInterface.socketPath }

  /// Where the service listens, if the user has said so.
  var namedSocket: String? {
    socketPath ?? Environment.value("PATHMONITOR_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the service is asked first.
  var usesService: Bool { !isDirect }

  /// What our own engine works with, and how long a change must rest for those who follow the path: what the options
  /// say, then the configuration files, then the standard.
  var engineSettings: EngineSettings {
    EngineSettings(probes: probes, settle: settle, configurationPath: configurationPath)
  }

  /// What the service has been told to override.
  var overrides: OverrideTable {
    EngineSettings.overrides(forSocket: namedSocket) { PathControl.complain($0) }
  }

  /// The exit status to end with: a condition knows only yes, no and failure.
  func status(_ status: Int32) -> Int32 {
    guard case .check(_, isCondition: true) = command, status != ExitStatus.yes, status != ExitStatus.no else {
      return status
    }
    return ExitStatus.conditionFailed
  }
}
