internal import PathConfiguration
internal import PathModel
internal import Programs

/// The settings that follow from the options, the environment and the administrator's files.
extension Invocation {
  /// The socket of the service.
  var socket: String { ServiceSocket.path(socketPath) }

  /// Whether the service is asked first.
  var usesService: Bool { !isDirect }

  /// The settings of the engine inside this program.
  var engineSettings: EngineSettings {
    EngineSettings(probes: probes, settle: settle, configurationPath: configurationPath)
  }

  /// The reason why the file that the command line names cannot be used; `nil` when it can, or none is named.
  ///
  /// A named file is part of the command line, as it is for the service. Mistakes in files beside it are only reported.
  var problemOfNamedConfiguration: ConfigurationFiles.Problem? {
    guard let configurationPath else { return nil }
    do throws(ConfigurationFiles.Problem) {
      _ = try ConfigurationFiles.read(configurationPath)
      return nil
    } catch {
      return error
    }
  }

  /// The overrides of the service, read from its file.
  var overrides: OverrideTable {
    EngineSettings.overrides(forSocket: socket) { PathControl.complain($0) }
  }

  /// Reports that there is no answer: on standard error, or with `--nagios` as the answer. Returns the exit status.
  func fail(_ message: String, _ status: Int32) -> Int32 {
    if isForMonitoring { return PathControl.say(.unknown(message)) }
    PathControl.complain(message)
    return self.status(status)
  }

  /// The exit status of the process. With `--condition` every status but yes and no becomes
  /// ``ExitStatus/conditionFailed``.
  func status(_ status: Int32) -> Int32 {
    guard isCondition, status != ExitStatus.yes, status != ExitStatus.no else { return status }
    return ExitStatus.conditionFailed
  }
}
