/// The text of an error for its user, without details of the implementation.
public struct ErrorMessage: Hashable, Sendable, Encodable {
  /// The event, as a sentence.
  public var summary: String
  /// The cause, as a sentence; `nil` when the summary is enough.
  public var reason: String?
  /// The advice for the user, as a sentence; `nil` when the options say it.
  public var suggestion: String?

  /// A text as given.
  public init(_ summary: String, reason: String? = nil, suggestion: String? = nil) {
    self.summary = summary
    self.reason = reason
    self.suggestion = suggestion
  }
}

extension ErrorMessage: CustomStringConvertible {
  /// The sentences in one line, without control characters: safe for a terminal or a log.
  public var description: String {
    [summary, reason, suggestion].compactMap(\.self).joined(separator: " ").inOneLine
  }
}

/// An error with a text for users.
public protocol PresentableError: Error {
  /// The text.
  var message: ErrorMessage { get }
}

extension ErrorMessage {
  /// The text of an error: that of a ``PresentableError``, or of a `LocalizedError` with a description. An error
  /// without one has the text of its cause, and an error without any a neutral text for its category. The system's own
  /// descriptions, such as "The operation could not be completed. (Module.Error error 1.)", are never shown.
  public init(of error: any Error) {
    self = Self.known(of: error) ?? ErrorMessage(for: ErrorCategory(of: error))
  }

  private static func known(of error: any Error) -> ErrorMessage? {
    for error in ErrorCauses(of: error) {
      if let error = error as? any PresentableError { return error.message }
      if let message = messageOfFoundation(error) { return message }
    }
    return nil
  }

  /// The neutral text for a category.
  init(for category: ErrorCategory) {
    switch category {
    case .offline: self.init("There is no network connection.", suggestion: "Check the network, and try again.")
    case .retryable: self.init("This did not work.", suggestion: "Try again later.")
    case .needsSignIn: self.init("You are not signed in.", suggestion: "Sign in, and try again.")
    case .needsUpdate:
      self.init(
        "The answer cannot be understood.",
        suggestion: "Look for an update of this program. If this network has a page to sign in, open it first.")
    case .userMistake: self.init("The input is not valid.", suggestion: "Check the input, and try again.")
    case .cancelled: self.init("This was cancelled.")
    default: self.init("This did not work.", suggestion: Self.lastResort)
    }
  }

  /// The way on where nothing else is known.
  static let lastResort = "Report the problem if it happens again."
}
