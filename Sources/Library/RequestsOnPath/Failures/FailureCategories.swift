public import ErrorHandling
internal import Foundation
internal import Resilience

// The failures have categories, errors below, and the status of an answer. Their texts are shown as those of any
// `LocalizedError`.

extension RequestFailure: CategorizedError, CausedError {
  /// The way out, by the reason; of ``Reason/other`` that of the error below.
  public var category: ErrorCategory {
    switch reason {
    case .offline: .offline
    case .connectionLost, .timedOut, .hostNotFound, .cannotConnect, .requirementNotMet: .retryable
    case .captivePortal: .signInPage
    case .authenticationRequired: .needsSignIn
    case .invalidResponse: .needsUpdate
    case .insecure, .invalidRequest, .unusableFile: .nonRetryable
    case .cancelled: .cancelled
    case .other: underlying.map { ErrorCategory(of: $0) } ?? .nonRetryable
    }
  }

  /// The error that was judged.
  public var cause: (any Error)? { underlying }
}

extension AnswerFailure: CategorizedError, CausedError, HTTPStatusProviding {
  /// The way out, by the reason. An answer that says when to try again, or whose status stands for a passing state, is
  /// retryable.
  public var category: ErrorCategory {
    switch reason {
    case .notAccepted: .userMistake
    case .unauthorized: .needsSignIn
    case .undecodable: .needsUpdate
    case .forbidden, .notFound, .tooManyRequests, .serverError, .unexpectedStatus:
      failureTraits.kind == .transient ? .retryable : .nonRetryable
    }
  }

  /// The error of decoding.
  public var cause: (any Error)? { underlying }

  /// The ``status``.
  public var httpStatus: Int? { status }
}

extension ValueFailure: CategorizedError, CausedError, HTTPStatusProviding {
  /// The way out of the failure inside.
  public var category: ErrorCategory {
    switch self {
    case .request(let failure): failure.category
    case .answer(let failure): failure.category
    }
  }

  /// The ``RequestFailure`` or the ``AnswerFailure``.
  public var cause: (any Error)? {
    switch self {
    case .request(let failure): failure
    case .answer(let failure): failure
    }
  }

  /// The status of the answer; `nil` when none came.
  public var httpStatus: Int? {
    guard case .answer(let failure) = self else { return nil }
    return failure.status
  }
}
