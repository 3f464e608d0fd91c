import ErrorHandling
import Foundation
import RequestsOnPath

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
