import ErrorHandling
import RequestsOnPath
import Synchronization

/// The program without a form, for scripts: one line, and a status from sysexits(3).
enum Script {
  /// The statuses of the program.
  enum ExitStatus: Int32 {
    case success = 0
    case dataError = 65
    case unavailable = 69
    case softwareError = 70
    case temporaryFailure = 75
    case protocolError = 76
    case notPermitted = 77

    /// The status for an error that was not recovered.
    init(_ category: ErrorCategory) {
      switch category {
      case .userMistake: self = .dataError
      case .offline: self = .unavailable
      case .retryable: self = .temporaryFailure
      case .needsUpdate: self = .protocolError
      case .signInPage, .needsSignIn: self = .notPermitted
      default: self = .softwareError
      }
    }
  }

  /// Signs up, and prints the result.
  static func signUp<C: Clock>(as name: String, at service: SignUpService<C>) async -> ExitStatus
  where C.Duration == Duration {
    let presenter = LinePresenter()
    let answer = await withErrorScope("signup", presenter: presenter, log: .standardError) {
      await ErrorScope.current.attempt { try await service.signUp(as: name) }
    }
    guard let answer else { return ExitStatus(presenter.lastCategory) }
    print("Welcome, \(answer.userName.safeForTerminal)!")
    return .success
  }
}

/// A line on standard error for each error. It remembers the category, for the status of the program.
private final class LinePresenter: ErrorPresenter {
  private let category = Mutex(ErrorCategory.nonRetryable)

  /// The category of the last error.
  var lastCategory: ErrorCategory { category.withLock(\.self) }

  func present(_ presentation: ErrorPresentation) async -> RecoveryOption.ID? {
    category.withLock { $0 = presentation.category }
    let message = presentation.message
    SignUp.complain([message.summary, message.reason, message.suggestion].compactMap(\.self).joined(separator: " "))
    return nil
  }
}
