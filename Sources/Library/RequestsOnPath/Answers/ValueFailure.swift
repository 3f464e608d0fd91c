public import Foundation
public import Resilience

/// The failure of a request for a value: no usable answer came, or an answer came that says no.
///
/// The list is complete: a `switch` needs no `default`.
public enum ValueFailure: Error, Sendable {
  /// No usable answer came.
  case request(RequestFailure)
  /// An answer came, and it says no or cannot be decoded.
  case answer(AnswerFailure)
}

extension ValueFailure: LocalizedError, CustomStringConvertible {
  private var failure: any LocalizedError & CustomStringConvertible {
    switch self {
    case .request(let failure): failure
    case .answer(let failure): failure
    }
  }

  /// The failure, as a sentence.
  public var errorDescription: String? { failure.errorDescription }
  /// The cause, as a sentence; `nil` when the description is enough.
  public var failureReason: String? { failure.failureReason }
  /// The advice for the user, as a sentence; `nil` when there is nothing to do.
  public var recoverySuggestion: String? { failure.recoverySuggestion }
  /// The failure with all its details, for logs and not for users.
  public var description: String { failure.description }
}

extension ValueFailure: FailureTraitsProviding, InterruptibleFailure {
  /// The properties of the failure that decide about a retry.
  public var failureTraits: FailureTraits {
    switch self {
    case .request(let failure): failure.failureTraits
    case .answer(let failure): failure.failureTraits
    }
  }

  /// The failure that stands for an interruption of a retry.
  public init(_ interruption: RetryInterruption) {
    var interruption = interruption
    if case .request(let failure)? = interruption.underlying as? ValueFailure { interruption.underlying = failure }
    self = .request(RequestFailure(interruption))
  }
}
