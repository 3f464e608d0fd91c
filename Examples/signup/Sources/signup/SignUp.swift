import ErrorHandling
import Foundation
import RequestsOnPath

/// signup URL [NAME]: a form that signs up at a service. With a name it does so without a form.
@main
@MainActor
enum SignUp {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard (1...2).contains(words.count), let url = URL(string: words[1]), ["http", "https"].contains(url.scheme),
      url.host()?.isEmpty == false
    else {
      complain(
        "the address of the service is needed, and a user name if there is no terminal: signup http://localhost:8080")
      exit(EX_USAGE)
    }
    let service = SignUpService(url: url, clock: ContinuousClock())
    if words.count == 2 { exit(await Script.signUp(as: words[2], at: service).rawValue) }
    let (inputs, inbox) = AsyncStream.makeStream(of: Input.self)
    guard let terminal = Terminal({ inbox.yield(.terminal($0)) }) else {
      complain("there is no terminal for the form; name a user: signup \(url) NAME")
      exit(EX_USAGE)
    }
    let presenter = FormPresenter { inbox.yield(.form($0)) }
    // A line on the terminal would spoil the form.
    let log = isatty(STDERR_FILENO) == 1 ? ErrorLog { _ in } : .standardError
    let signal = await withErrorScope("form", presenter: presenter, log: log) {
      await fillIn(inputs, inbox, service, terminal, presenter)
    }
    terminal.close()
    exit(signal.map { 128 + $0 } ?? EXIT_SUCCESS)
  }

  /// An input of the main loop.
  private enum Input {
    case form(SignUpForm.Event)
    case terminal(Terminal.Event)
  }

  /// Shows the form until the user leaves or a signal comes.
  ///
  /// - Returns: The signal that ended the program; `nil` if the user left.
  private static func fillIn(
    _ inputs: AsyncStream<Input>, _ inbox: AsyncStream<Input>.Continuation, _ service: SignUpService<ContinuousClock>,
    _ terminal: Terminal, _ presenter: FormPresenter
  ) async -> Int32? {
    let checks = NameChecks()
    let tasks = follow(checks, service) { inbox.yield(.form($0)) }
    var attempt: Task<Void, Never>?
    defer {
      for task in tasks { task.cancel() }
      attempt?.cancel()
      checks.finish()
    }

    var form = SignUpForm()
    terminal.draw(form)
    for await input in inputs {
      var events: [SignUpForm.Event] = []
      switch input {
      case .form(let event): events = [event]
      case .terminal(.resized): break
      case .terminal(.end(let signal)): return signal
      case .terminal(.keys(let keys)): events = keys.map { .key($0) }
      }
      for event in events {
        switch form.receive(event) {
        case .none: break
        case .quit: return nil
        case .abandon: attempt?.cancel()
        case .check(let check): checks.add(check)
        case .choose(let id, let number): presenter.choose(id, problem: number)
        case .signUp(let name, let number):
          attempt = Task {
            await signUp(as: name, at: service) { inbox.yield(.form(.progress($0, attempt: number))) }
          }
        }
      }
      terminal.draw(form)
    }
    return nil
  }

  /// Begins the checks, their three consumers, and the reaction to a network that is back.
  private static func follow(
    _ checks: NameChecks, _ service: SignUpService<ContinuousClock>,
    _ tell: @escaping @Sendable (SignUpForm.Event) -> Void
  ) -> [Task<Void, Never>] {
    let (notes, verdicts, failures) = (checks.notes, checks.verdicts, checks.failures)
    return [
      Task { for await note in notes { tell(note) } },
      Task { for await verdict in verdicts { tell(verdict) } },
      Task {
        await withErrorScope("typing", handler: SignUpRules.typing) {
          for await failure in failures { await ErrorScope.current.handle(failure) }
        }
      },
      Task {
        await checks.run(clock: service.clock) { name async throws(ValueFailure) in
          try await service.availability(of: name)
        }
      },
      Task {
        for await phase in PathMonitor.shared.phases() where phase == .online { tell(.online) }
      },
    ]
  }

  /// Signs up until that has succeeded or the user gives up.
  private static func signUp(
    as name: String, at service: SignUpService<ContinuousClock>,
    _ tell: @escaping @Sendable (SignUpForm.Progress) -> Void
  ) async {
    let rules = SignUpRules.submitting { tell(.refused($0)) }
    let recovery = { @Sendable (error: any Error) in
      SignUpRules.recovery(from: error, open: Browser.open) {
        tell(.waitingForNetwork)
        _ = try await PathMonitor.shared.waitUntil(.connected)
      }
    }
    let answer = await withErrorScope("sign up", handler: rules, recovery: recovery) {
      await ErrorScope.current.attempt {
        try await service.signUp(as: name) { event in
          if let progress = SignUpForm.Progress(event) { tell(progress) }
        }
      }
    }
    tell(answer == nil ? .isOver : .signedUp)
  }

  /// Prints a line to standard error.
  nonisolated static func complain(_ text: String) {
    FileHandle.standardError.write(Data("signup: \(text.safeForTerminal)\n".utf8))
  }
}

extension SignUpForm.Progress {
  /// The event of a retry, if it is one that the user sees.
  init?(_ event: RetryEvent) {
    switch event {
    case .attemptFailed(let failed, _): self = .failed(ErrorMessage(of: failed.failure).summary)
    case .pausing(let pause):
      let (seconds, rest) = pause.components
      self = .pausing(seconds: seconds + (rest > 0 ? 1 : 0))
    default: return nil
    }
  }
}
