import ErrorHandling
import Foundation
import RequestsOnPath

// `RequestsOnPath` and `ErrorHandling` do not know each other. The program says how they fit.

extension ErrorCategory {
  /// A network in which a page to sign in comes in place of every answer. Trying again helps after that.
  static let signInPage = ErrorCategory("behind a sign-in page", isRetryable: true)
}

extension RequestsOnPath.ValueFailure: ErrorHandling.CategorizedError {
  /// The way out, by the reason.
  public var category: ErrorCategory {
    switch self {
    case .request(let failure): failure.reason.category
    case .answer(let failure):
      switch failure.reason {
      case .notAccepted: .userMistake
      case .undecodable: .needsUpdate
      case .unauthorized: .needsSignIn
      // A service that says when to try again, or whose status is a passing one.
      default: failure.failureTraits.kind == .transient ? .retryable : .nonRetryable
      }
    }
  }
}

extension RequestFailure.Reason {
  fileprivate var category: ErrorCategory {
    switch self {
    case .offline: .offline
    case .cancelled: .cancelled
    case .captivePortal: .signInPage
    case .authenticationRequired: .needsSignIn
    case .connectionLost, .timedOut, .hostNotFound, .cannotConnect: .retryable
    default: .nonRetryable
    }
  }
}

/// The rules of the program for its errors.
enum SignUpRules {
  /// While a name is typed, nothing interrupts the user but the need for an update. A mistake stands beside the field.
  /// A name that cannot be checked now is checked when it is sent.
  static let typing = ErrorHandler()
    .on(!ErrorMatcher<any Error>.category(.needsUpdate), then: .stopMatching) { _ in }

  /// When the form is sent, a mistake stands beside the field, and everything else is presented.
  static func submitting(refused: @escaping @Sendable (_ reason: String) -> Void) -> ErrorHandler {
    ErrorHandler().on(.category(.userMistake), then: .stopMatching) { error in refused(ErrorMessage(of: error).summary)
    }
  }

  /// The ways on besides "Try Again".
  ///
  /// - Parameters:
  ///   - open: Opens a page in the browser of the user.
  ///   - waitForNetwork: Returns when there is a network.
  static func recovery(
    from error: any Error, open: @escaping @Sendable (URL) async throws -> Void,
    waitForNetwork: @escaping @Sendable () async throws -> Void
  ) -> [RecoveryOption] {
    guard case .request(let failure)? = error as? ValueFailure else { return [] }
    switch failure.reason {
    case .offline, .connectionLost:
      return [.custom(id: "wait", title: "Sign Up When Connected", action: waitForNetwork)]
    case .captivePortal(let page?) where ["http", "https"].contains(page.scheme?.lowercased()):
      return [.custom(id: "open", title: "Open the Page") { try await open(page) }]
    default: return []
    }
  }
}
