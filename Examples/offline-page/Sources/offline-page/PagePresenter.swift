import ErrorHandling
import Synchronization

/// The presenter of errors on the pages: all pages show the same one, with a button for each option. The first button
/// that is pressed is the choice.
final class PagePresenter: ErrorPresenter {
  private struct Presentation {
    var problem: Report.Problem
    var choice: AsyncStream<RecoveryOption.ID?>.Continuation
  }

  private let current = Mutex<Presentation?>(nil)
  private let show: @Sendable (Report.Problem?) -> Void

  /// A presenter that shows a problem by the closure; `nil` takes it away.
  init(show: @escaping @Sendable (Report.Problem?) -> Void) {
    self.show = show
  }

  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    let (choices, inlet) = AsyncStream.makeStream(of: RecoveryOption.ID?.self)
    let problem = Report.Problem(presentation, id: Self.makeIdentifier())
    current.withLock { $0 = Presentation(problem: problem, choice: inlet) }
    show(problem)
    defer {
      current.withLock { $0 = nil }
      show(nil)
    }
    // The stream ends without a choice when the task is cancelled.
    for await choice in choices { return choice }
    return nil
  }

  /// Answers the problem of this identifier.
  ///
  /// - Returns: Whether it was shown and has the option.
  func choose(_ option: String, of problem: String) -> Bool {
    let inlet = current.withLock { current -> AsyncStream<RecoveryOption.ID?>.Continuation? in
      guard let current, current.problem.id == problem, current.problem.options.contains(where: { $0.id == option })
      else { return nil }
      return current.choice
    }
    inlet?.yield(RecoveryOption.ID(option))
    return inlet != nil
  }

  /// Ends the presentation without a choice, because its reason is gone.
  func dismiss() {
    let inlet = current.withLock { $0?.choice }
    inlet?.yield(nil)
  }

  /// A name that no other site can guess. A page of another site can send a choice, but cannot read the name.
  private static func makeIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension Report.Problem {
  /// The presentation of an error as a page shows it.
  init(_ presentation: ErrorPresentation, id: String) {
    self.id = id
    let message = presentation.message
    (summary, reason, suggestion) = (message.summary, message.reason, message.suggestion)
    options = presentation.options.map { Option(id: $0.id.name, title: $0.title, role: $0.role.rawValue) }
  }
}
