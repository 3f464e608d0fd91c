import ErrorHandling
import Glibc
import Synchronization

/// careful-copy: copies a file, and asks when something is in the way.
@main
enum CarefulCopy {
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp {
        print(Options.usage)
        return
      }
      exit(await run(options).rawValue)
    } catch {
      LinePresenter.write(error.sentence)
      exit(ExitStatus.usage.rawValue)
    }
  }

  private static func run(_ options: Options) async -> ExitStatus {
    let plan = CopyPlan(from: options.source, to: options.target)
    let last = LastError()
    // The status of the program is that of its last error, however that was shown.
    let rules = ErrorHandler().always { last.record($0) }
    let copied = await withErrorScope(
      "careful-copy", handler: rules, presenter: presenter(options), log: .standardError
    ) {
      await ErrorScope.current.attempt { try plan.copy() }
    }
    return copied == nil ? ExitStatus(of: last.error) : .success
  }

  private static func presenter(_ options: Options) -> any ErrorPresenter {
    if options.isJSON { return JSONPresenter(choice: options.choice) }
    let isInteractive = options.choice == nil && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    return isInteractive ? TerminalMenu() : LinePresenter(choice: options.choice)
  }
}

/// The error that came last.
private final class LastError: Sendable {
  private let stored = Mutex<(any Error)?>(nil)

  var error: (any Error)? { stored.withLock { $0 } }

  func record(_ error: any Error) { stored.withLock { $0 = error } }
}
