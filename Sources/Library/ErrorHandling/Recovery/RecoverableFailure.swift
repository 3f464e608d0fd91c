/// An error that knows the ways on from itself.
public protocol RecoveryOffering: Error {
  /// The options, the most likely first.
  var recovery: [RecoveryOption] { get }
}

/// An error together with options that the program attached to it. Matchers, categories and messages see the error that
/// it carries.
public struct RecoverableFailure: RecoveryOffering {
  /// The error; never a `RecoverableFailure`.
  public let underlying: any Error
  /// The options, those attached last first. No two have the same identifier.
  public let recovery: [RecoveryOption]

  /// Attaches options to an error. Options that the error has already come after them.
  public init(_ error: any Error, recovery: [RecoveryOption]) {
    underlying = error.withoutOptions
    self.recovery = (recovery + error.ownRecovery).withoutRepetitions
  }
}

extension Error {
  /// The error with these ways on from it:
  ///
  /// ```swift
  /// throw error.recoverable([
  ///   .custom(id: "free-space", title: "Free Space") { try await emptyCache() },
  ///   .cancel,
  /// ])
  /// ```
  public func recoverable(_ options: [RecoveryOption]) -> RecoverableFailure {
    RecoverableFailure(self, recovery: options)
  }

  /// The error without the options that were attached to it.
  var withoutOptions: any Error {
    (self as? RecoverableFailure)?.underlying ?? self
  }

  /// The options that the error itself offers.
  var ownRecovery: [RecoveryOption] {
    (self as? any RecoveryOffering)?.recovery ?? recoveryOfFoundation
  }
}
