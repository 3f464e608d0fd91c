internal import Glibc
package import PathConfiguration
internal import PathModel
internal import Programs
internal import SystemIO
internal import Systemd

/// The administrator's files for the recorder.
package typealias HistorySettings = SectionSettings<HistoryConfiguration>

/// The verb `record` of `pathmonitor-history`, from its arguments to its exit status.
package enum RecorderProgram {
  private static let program = Program("pathmonitor-history")

  /// Runs with the arguments after the verb, and returns the exit status.
  package static func run(arguments: [String]) -> Int32 {
    do throws(UsageError) {
      let options = try RecorderOptions(arguments: arguments)
      switch options.command {
      case .help: return program.say(RecorderOptions.helpText)
      case .checkConfiguration: return check(options)
      case .record: return record(options)
      }
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
  }

  private static func check(_ options: RecorderOptions) -> Int32 {
    let settings = HistorySettings(reading: options.configurationPath)
    settings.problems.forEach(program.complain)
    guard settings.problems.isEmpty else { return ExitStatus.no }
    let count = settings.files.count
    return program.say("the configuration is correct: \(count) \(count == 1 ? "file" : "files")\n")
  }

  private static func record(_ options: RecorderOptions) -> Int32 {
    do throws(SystemError) {
      // Before anything else, so that no signal is lost.
      let signals = try SignalWatch([SIGTERM, SIGINT])
      let settings = HistorySettings(reading: options.configurationPath)
      settings.problems.forEach(program.complain)
      let loop = try EventLoop()
      let recorder = try Recorder(
        loop: loop, socket: ServiceSocket.path(options.socket), file: options.file,
        limits: HistoryLimits(settings.configuration),
        recordsNetworkNames: settings.configuration.recordsNetworkNames, report: program.complain)
      try loop.watch(signals.number) { _ in if !signals.readSignals().isEmpty { loop.stop() } }
      defer { loop.unwatch(signals.number) }
      ServiceManager.ready("records the network path in \(options.file)")
      try recorder.run()
      ServiceManager.stopping()
      return ExitStatus.success
    } catch {
      program.complain("\(error.description).")
      return ExitStatus.unavailable
    }
  }
}

extension HistoryLimits {
  /// The limits of a configuration.
  fileprivate init(_ configuration: HistoryConfiguration) {
    self.init(
      bytes: configuration.maximumSize, spans: configuration.keptChanges * HistoryInstant.day,
      hours: configuration.keptHours * HistoryInstant.day)
  }
}
