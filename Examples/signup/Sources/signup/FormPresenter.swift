import ErrorHandling
import Synchronization

/// The presenter of errors in the form: it gives them to the form as values, and waits for the choice of the user.
final class FormPresenter: ErrorPresenter {
  private struct State {
    var number = 0
    var inlet: AsyncStream<RecoveryOption.ID>.Continuation?
  }

  private let state = Mutex(State())
  private let tell: @Sendable (SignUpForm.Event) -> Void

  init(_ tell: @escaping @Sendable (SignUpForm.Event) -> Void) {
    self.tell = tell
  }

  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    let (choices, inlet) = AsyncStream.makeStream(of: RecoveryOption.ID.self)
    let number = state.withLock { state in
      state.number += 1
      state.inlet = inlet
      return state.number
    }
    tell(.problem(SignUpForm.Problem(presentation, number: number)))
    defer { tell(.problemIsOver(number)) }
    // The stream ends without a choice when the task is cancelled.
    for await choice in choices { return choice }
    return nil
  }

  /// Answers the presentation of this number; one that is over takes no answer.
  func choose(_ id: String, problem number: Int) {
    let inlet = state.withLock { $0.number == number ? $0.inlet : nil }
    inlet?.yield(RecoveryOption.ID(id))
  }
}

extension SignUpForm.Problem {
  init(_ presentation: ErrorPresentation, number: Int) {
    self.number = number
    let message = presentation.message
    sentences = [message.summary, message.reason, message.suggestion].compactMap(\.self)
    options = presentation.options.map { Option(id: $0.id.name, title: $0.title) }
  }
}
