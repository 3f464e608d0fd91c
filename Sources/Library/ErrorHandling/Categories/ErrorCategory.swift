/// The kind of way out of an error, for programs that treat many errors alike.
///
/// The set is open. A program adds its own:
///
/// ```swift
/// extension ErrorCategory {
///   static let quotaExceeded = ErrorCategory("quota exceeded")
/// }
/// ```
public struct ErrorCategory: Hashable, Sendable, CustomStringConvertible {
  /// The name, for logs and programs, not for users.
  public let name: String
  /// Whether the same operation may succeed when it is tried again. Only such errors are offered "Try Again".
  public let isRetryable: Bool

  /// A category of that name.
  public init(_ name: String, isRetryable: Bool = false) {
    self.name = name
    self.isRetryable = isRetryable
  }

  /// The name.
  public var description: String { name }

  /// A passing fault: an overloaded server, a lost connection.
  public static let retryable = ErrorCategory("retryable", isRetryable: true)
  /// Trying again leads to the same error. Unknown errors are in this category.
  public static let nonRetryable = ErrorCategory("non-retryable")
  /// There is no network. Trying again helps once there is one.
  public static let offline = ErrorCategory("offline", isRetryable: true)
  /// The user has to sign in, or to sign in again.
  public static let needsSignIn = ErrorCategory("needs sign-in")
  /// The program does not understand the other side any more: an update helps, or the page of a captive portal is in
  /// the way.
  public static let needsUpdate = ErrorCategory("needs update")
  /// A page to sign in comes in place of every answer, as in the network of a hotel. Trying again helps after that.
  public static let signInPage = ErrorCategory("behind a sign-in page", isRetryable: true)
  /// The user can correct the input.
  public static let userMistake = ErrorCategory("user's mistake")
  /// The user or the program has cancelled the operation. Such an error is neither presented nor logged.
  public static let cancelled = ErrorCategory("cancelled")
}

/// An error that states its category.
public protocol CategorizedError: Error {
  /// The category.
  var category: ErrorCategory { get }
}

extension ErrorCategory {
  /// The category of an error.
  ///
  /// It is the category that the error declares as a ``CategorizedError``. Errors of the standard library and of
  /// Foundation have fixed categories: `CancellationError`, `DecodingError`, `URLError`, `POSIXError`, `CocoaError`.
  /// Any other error has the category of its cause. An error without any is ``nonRetryable``: offering "Try Again" in
  /// vain is worse than not offering it. Debug builds report its type once to the log of the outermost scope.
  public init(of error: any Error) {
    self = Self.known(of: error) ?? .nonRetryable
  }

  /// The category of an error or of the first cause that has one; `nil` when neither is known.
  static func known(of error: any Error) -> ErrorCategory? {
    for error in ErrorCauses(of: error) {
      if let error = error as? any CategorizedError { return error.category }
      if let category = ofFoundation(error) { return category }
    }
    return nil
  }
}
