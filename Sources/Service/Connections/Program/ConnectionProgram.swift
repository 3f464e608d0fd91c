internal import Glibc
internal import KernelPath
package import PathConfiguration
internal import PathModel
internal import Programs
internal import SystemIO
internal import Systemd

/// The administrator's files for the program.
package typealias ConnectionSettings = SectionSettings<ConnectionConfiguration>

/// The program `pathmonitor-connections`, from its arguments to its exit status.
package enum ConnectionProgram {
  static let program = Program("pathmonitor-connections")

  /// Runs with the arguments, and returns the exit status.
  package static func run(arguments: [String]) -> Int32 {
    do throws(UsageError) {
      let options = try ConnectionOptions(arguments: arguments)
      switch options.command {
      case .help: return program.say(ConnectionOptions.helpText)
      case .version: return program.say("pathmonitor-connections \(PathMonitorVersion.current)\n")
      case .checkConfiguration: return check(options)
      case .follow: return follow(options)
      }
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
  }

  private static func settings(_ options: ConnectionOptions) -> ConnectionSettings {
    let settings = ConnectionSettings(reading: options.configurationPath)
    settings.problems.forEach(program.complain)
    return settings
  }

  private static func check(_ options: ConnectionOptions) -> Int32 {
    let settings = settings(options)
    guard settings.problems.isEmpty else { return ExitStatus.no }
    let count = settings.files.count
    return program.say("the configuration is correct: \(count) \(count == 1 ? "file" : "files")\n")
  }

  private static func follow(_ options: ConnectionOptions) -> Int32 {
    let settings = settings(options)
    // A file with a mistake may be the one that spares a connection.
    let isDryRun = settings.configuration.isDryRun || !settings.problems.isEmpty
    if isDryRun { program.complain("no connection is ended, only named: DryRun=yes, or a file has a mistake.") }
    do throws(KernelPathError) {
      // Before anything else, so that no signal is lost.
      let signals = try KernelPathError.translating { () throws(SystemError) in try SignalWatch([SIGTERM, SIGINT]) }
      let loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
      try KernelPathError.translating { () throws(SystemError) in
        try loop.watch(signals.number) { _ in if !signals.readSignals().isEmpty { loop.stop() } }
      }
      defer { loop.unwatch(signals.number) }
      let connections = try ConnectionTable()
      try connections.check()
      let ender = try ConnectionEnder(
        loop: loop, socket: ServiceSocket.path(options.socket), settings.configuration, isDryRun: isDryRun,
        connections: connections, report: program.complain)
      ServiceManager.ready("ends connections whose address is gone, once there is a path again")
      try KernelPathError.translating { () throws(SystemError) in try ender.run() }
      ServiceManager.stopping()
      return ExitStatus.success
    } catch {
      program.complain("\(error.message).\(error.advice.map { " \($0)" } ?? "")")
      return ExitStatus.unavailable
    }
  }
}
