/// Shows an error to the user and returns the choice.
public protocol ErrorPresenter: Sendable {
  /// Shows the error until the user chooses, or the task is cancelled.
  ///
  /// A scope calls this for one error at a time.
  ///
  /// - Returns: The identifier of the chosen option; `nil` when the user dismissed the presentation or the task was
  ///   cancelled.
  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID?
}

/// A presenter for tests: it keeps what it is given and answers as told.
public final class RecordingPresenter: ErrorPresenter {
  private let recorded = Locked<[ErrorPresentation]>([])
  private let answer: @Sendable (ErrorPresentation) async -> RecoveryOption.ID?

  /// A presenter that calls the closure for each answer.
  public init(answer: @escaping @Sendable (_ presentation: ErrorPresentation) async -> RecoveryOption.ID?) {
    self.answer = answer
  }

  /// A presenter that gives these answers one after the other, and then dismisses.
  public convenience init(answers: [RecoveryOption.ID?] = []) {
    let remaining = Locked(answers[...])
    self.init { _ in remaining.withLock { $0.popFirst() ?? nil } }
  }

  /// The presentations so far, the oldest first.
  public var presentations: [ErrorPresentation] { recorded.copy }

  /// Keeps the presentation and returns the next answer.
  public func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    recorded.withLock { $0.append(presentation) }
    return await answer(presentation)
  }
}

/// A presenter for programs without a place to ask: it writes the text to standard error, in one line, and chooses no
/// option.
///
/// ```swift
/// await withErrorScope("fetch", presenter: .standardError) { await fetch() }
/// ```
public struct StandardErrorPresenter: ErrorPresenter {
  /// A presenter that writes to standard error.
  public init() {}

  /// Writes the summary, the reason and the suggestion, and returns `nil`.
  public func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    StandardError.write(line: presentation.message.description)
    return nil
  }
}

extension ErrorPresenter where Self == StandardErrorPresenter {
  /// The presenter that writes a line to standard error.
  public static var standardError: Self { Self() }
}
