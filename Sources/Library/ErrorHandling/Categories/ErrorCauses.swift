/// An error with an error below it.
public protocol CausedError: Error {
  /// The error that led to this one; `nil` when there is none.
  var cause: (any Error)? { get }
}

/// An error and its causes, from the outermost in.
///
/// Causes are those of ``CausedError``, of `DecodingError` and `EncodingError`, and `NSUnderlyingErrorKey`. At most 16
/// errors are followed, because a chain made by hand can lead back to itself. A ``RecoverableFailure`` counts as the
/// error that it carries.
public struct ErrorCauses: Sequence, IteratorProtocol, Sendable {
  static let longest = 16

  private var first: (any Error)?
  private var last: (any Error)?
  private var count = 0

  /// The error itself and all that is below it.
  public init(of error: any Error) {
    first = error
  }

  /// The next error further in.
  public mutating func next() -> (any Error)? {
    guard count < Self.longest, let error = (first.take() ?? last?.directCause)?.withoutOptions else { return nil }
    (last, count) = (error, count + 1)
    return error
  }
}

extension Error {
  fileprivate var directCause: (any Error)? {
    switch self {
    case let error as any CausedError: error.cause
    case let error as DecodingError: error.context?.underlyingError
    case let error as EncodingError: error.context?.underlyingError
    default: underlyingOfFoundation
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}

extension EncodingError {
  fileprivate var context: Context? {
    switch self {
    case .invalidValue(_, let context): context
    @unknown default: nil
    }
  }
}
