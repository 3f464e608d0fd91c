internal import PathCoding
internal import PathEngine
internal import PathModel
internal import SystemIO

/// What the options mean together with the environment and the administrator's files.
extension Invocation {
  /// Where the service listens.
  var socket: String { namedSocket ?? PathMonitorInterface.socketPath }

  /// Where the service listens, if the user has said so.
  private var namedSocket: String? {
    socketPath ?? Environment.value("PATHMONITOR_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the service is asked first.
  var usesService: Bool { !isDirect }

  /// What our own engine works with, and how long a change must rest for those who follow the path: what the options
  /// say, then the configuration files, then the standard.
  ///
  /// The files are read, and mistakes in them told, with each call.
  func engineSettings() -> (configuration: PathInquiry.Configuration, times: SettleTimes) {
    var files = MergedConfiguration()
    do throws(ConfigurationFiles.Problem) {
      let reading = try ConfigurationFiles.read(configurationPath)
      for problem in reading.problems { PathControl.complain(problem.description) }
      files = reading.configuration
    } catch {
      PathControl.complain(error.description)
    }
    var configuration = PathInquiry.Configuration()
    configuration.apply(files)
    if let probes { configuration.probes = probes }
    return (configuration, settle.map { SettleTimes($0) } ?? files.monitor.settle ?? .standard)
  }

  /// What the service has been told to override.
  var overrides: OverrideTable {
    do throws(OverrideStore.Problem) {
      return try OverrideStore.read(OverrideStore.path(forSocket: namedSocket))
    } catch {
      PathControl.complain(error.description)
      return OverrideTable()
    }
  }

  /// The exit status to end with: a condition knows only yes, no and failure.
  func status(_ status: Int32) -> Int32 {
    guard case .check(_, isCondition: true) = command, status != ExitStatus.yes, status != ExitStatus.no else {
      return status
    }
    return ExitStatus.conditionFailed
  }
}
