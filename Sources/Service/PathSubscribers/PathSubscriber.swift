internal import Glibc
package import KernelPath
package import PathConfiguration
internal import PathModel
package import Programs
package import SystemIO
internal import Systemd

/// A program beside the service that follows its path: a value with the options of a command line, which runs.
///
/// Each has a unit of its own, and files of its own with one section. The common parts are here: options, help, the
/// check of the files, signals, and the word to systemd.
package protocol PathSubscriber: Sendable {
  /// The settings of its files.
  associatedtype Configuration: SectionConfiguration

  /// The words that start it: the program, and its verb if it has verbs.
  static var words: [String] { get }
  /// Its work, as a sentence.
  static var summary: String { get }
  /// The options that it does not share with the others.
  static var ownOptions: [Option<Self>] { get }

  /// The values of the options that all have.
  var invocation: SubscriberInvocation { get set }
  /// The program without options.
  init()
  /// Its work at present, for `systemctl status`.
  var status: String { get }
  /// Prepares the work on a loop that nobody has started yet, and returns the work, which ends with the loop. systemd
  /// counts the program as started in between.
  func prepare(
    _ settings: SectionSettings<Configuration>, on loop: EventLoop
  ) throws(KernelPathError) -> () throws(SystemError) -> Void
  /// Runs with the settings of its files, and returns the exit status. Without an option that says otherwise it follows
  /// the path.
  func run(_ settings: SectionSettings<Configuration>) -> Int32
}

/// The values of the options that all subscribers have.
package struct SubscriberInvocation: Hashable, Sendable {
  /// An action: run, report the mistakes in the configuration, show version or help.
  package enum Action: Hashable, Sendable { case run, checkConfiguration, version, help }

  /// The action to perform.
  package var action = Action.run
  /// The socket of the service; `nil` for the usual one.
  package var socket: String?
  /// The configuration file; `nil` for the usual ones.
  package var configurationPath: String?

  /// Runs as usual.
  package init() {}
}

extension PathSubscriber {
  /// None.
  package static var ownOptions: [Option<Self>] { [] }

  /// The program, for its messages.
  package static var program: Program { Program(words[0]) }

  /// The table of options: the source of parsing, help and messages.
  package static var options: [Option<Self>] {
    let usualFile = "\(ConfigurationSelection.roots[0])/\(Configuration.mainName)"
    return ownOptions + [
      Option(
        "--socket", .path, example: "~/.pathmonitor/socket",
        summary: "Ask the service here instead of at \(PathMonitorInterface.socketPath)"
      ) { (target, value) throws(UsageError) in target.invocation.socket = try value.path() },
      Option(
        "--config", .path, example: usualFile, summary: "Read this configuration instead of \(usualFile)"
      ) { (target, value) throws(UsageError) in target.invocation.configurationPath = try value.path() },
      Option("--check-config", summary: "Report every mistake in the configuration; exit status 1 if there is any") {
        $0.invocation.action = .checkConfiguration
      },
      Option("--version", short: "-V", summary: "Show the version") { $0.invocation.action = .version },
      Option("--help", short: "-h", summary: "Show help") { $0.invocation.action = .help },
    ]
  }

  private static var usage: String { HelpTable.usage(words, options: options.dropLast(2)) }

  private static var helpText: String {
    """
    \(words.joined(separator: " ")) \(summary)

    Usage: \(usage)

    Options:
    \(HelpTable.text(of: options))
    systemd starts it: systemctl enable --now \(Configuration.unit)

    """
  }

  /// Runs with the arguments behind its words, and returns the exit status.
  package static func run(arguments: [String]) -> Int32 {
    do throws(UsageError) {
      var (subscriber, reader) = (Self(), CommandLineReader(arguments))
      if let operand = try reader.operands(into: &subscriber, options, usage: usage).first {
        throw UsageError("\(operand.quotedInLine) is one argument too many. Correct use: \(usage)")
      }
      switch subscriber.invocation.action {
      case .help: return program.say(helpText)
      case .version: return program.say("\(words[0]) \(PathMonitorVersion.current)\n")
      case .checkConfiguration: return subscriber.check()
      case .run: return subscriber.run(subscriber.settings())
      }
    } catch {
      program.complain(error.description)
      return ExitStatus.usage
    }
  }

  /// Reads the files, and reports their faults.
  private func settings() -> SectionSettings<Configuration> {
    let settings = SectionSettings<Configuration>(reading: invocation.configurationPath)
    (settings.problems + settings.configuration.notes).forEach(Self.program.complain)
    return settings
  }

  private func check() -> Int32 {
    let settings = settings()
    guard settings.problems.isEmpty, settings.configuration.notes.isEmpty else { return ExitStatus.no }
    let count = settings.files.count
    return Self.program.say("the configuration is correct: \(count) \(count == 1 ? "file" : "files")\n")
  }

  package func run(_ settings: SectionSettings<Configuration>) -> Int32 { follow(settings) }

  /// Works until SIGTERM or SIGINT, and returns the exit status.
  package func follow(_ settings: SectionSettings<Configuration>) -> Int32 {
    do throws(KernelPathError) {
      // Before anything else, so that no signal is lost.
      let signals = try KernelPathError.translating { () throws(SystemError) in try SignalWatch([SIGTERM, SIGINT]) }
      let loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
      let work = try prepare(settings, on: loop)
      try KernelPathError.translating { () throws(SystemError) in
        try loop.watch(signals.number) { _ in if !signals.readSignals().isEmpty { loop.stop() } }
        defer { loop.unwatch(signals.number) }
        ServiceManager.ready(status)
        let watchdog = Watchdog(loop)
        try work()
        watchdog?.stop()
      }
      ServiceManager.stopping()
      return ExitStatus.success
    } catch {
      Self.program.complain("\(error.message).\(error.advice.map { " \($0)" } ?? "")")
      return ExitStatus.unavailable
    }
  }
}

/// The messages to systemd that the program is alive, if its unit has a watchdog. They come from the loop: one that
/// hangs sends none.
private final class Watchdog {
  private let loop: EventLoop
  private let time: Duration
  private var timer: EventLoop.Timer?

  init?(_ loop: EventLoop) {
    guard let time = ServiceManager.watchdogTime() else { return nil }
    (self.loop, self.time) = (loop, time)
    timer = loop.makeTimer { [unowned self] in
      ServiceManager.alive()
      setTimer()
    }
    setTimer()
  }

  private func setTimer() { timer?.set(.now.advanced(by: time / 2)) }

  func stop() { if let timer { loop.remove(timer) } }
}
