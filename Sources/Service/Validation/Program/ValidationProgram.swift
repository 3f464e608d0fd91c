internal import Glibc
package import PathConfiguration
internal import PathModel
internal import Programs
internal import SystemIO
internal import Systemd

/// The administrator's files for the validator.
package typealias ValidationSettings = SectionSettings<ValidationConfiguration>

/// The program `pathmonitor-validation`, from its arguments to its exit status.
package enum ValidationProgram {
  static let program = Program("pathmonitor-validation")

  /// Runs with the arguments, and returns the exit status.
  package static func run(arguments: [String]) -> Int32 {
    do throws(UsageError) {
      let options = try ValidationOptions(arguments: arguments)
      switch options.command {
      case .help: return program.say(ValidationOptions.helpText)
      case .version: return program.say("pathmonitor-validation \(PathMonitorVersion.current)\n")
      case .checkConfiguration: return check(options)
      case .once: return SingleValidation(options, settings(options).configuration).run()
      case .follow: return follow(options)
      }
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
  }

  private static func settings(_ options: ValidationOptions) -> ValidationSettings {
    let settings = ValidationSettings(reading: options.configurationPath)
    (settings.problems + settings.configuration.notes).forEach(program.complain)
    return settings
  }

  private static func check(_ options: ValidationOptions) -> Int32 {
    let settings = settings(options)
    guard settings.problems.isEmpty, settings.configuration.notes.isEmpty else { return ExitStatus.no }
    let count = settings.files.count
    return program.say("the configuration is correct: \(count) \(count == 1 ? "file" : "files")\n")
  }

  private static func follow(_ options: ValidationOptions) -> Int32 {
    do throws(SystemError) {
      // Before anything else, so that no signal is lost.
      let signals = try SignalWatch([SIGTERM, SIGINT])
      let loop = try EventLoop()
      let validator = Validator(
        loop: loop, socket: ServiceSocket.path(options.socket), settings(options).configuration,
        report: program.complain)
      try loop.watch(signals.number) { _ in if !signals.readSignals().isEmpty { loop.stop() } }
      defer { loop.unwatch(signals.number) }
      ServiceManager.ready("asks whether the Internet answers when the path changes")
      try validator.run()
      ServiceManager.stopping()
      return ExitStatus.success
    } catch {
      program.complain("\(error.description).")
      return ExitStatus.unavailable
    }
  }
}
