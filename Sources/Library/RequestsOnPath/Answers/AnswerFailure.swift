public import Foundation
public import Resilience
internal import SystemIO

/// The server has answered, and the answer says no, or it cannot be decoded.
public struct AnswerFailure: Error, Sendable {
  /// The reasons of a failure. Further reasons may be added: a `switch` needs `@unknown default`, or a `default`.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The server does not accept the content of the request: 400, 409, 412, 413, 422 and the like. ``message`` is for
    /// the place where it was entered.
    case notAccepted
    /// The user has to sign in: 401.
    case unauthorized
    /// The user may not do this: 403.
    case forbidden
    /// There is nothing at this address: 404, 410.
    case notFound
    /// There were too many requests: 429.
    case tooManyRequests
    /// The server has failed: 5xx.
    case serverError
    /// The answer has another status than those of success.
    case unexpectedStatus
    /// The answer says yes, but its content is not as expected: the program may be too old for this server.
    case undecodable
  }

  /// The reason of the failure.
  public var reason: Reason
  /// The status of the answer.
  public var status: Int
  /// The words of the server, in one line of at most 300 characters; `nil` when it sent none.
  public var message: String?
  /// The time for which the server asks its clients to wait; `nil` when it does not ask.
  public var retryAfter: Duration?
  /// The URL of the answer.
  public var url: URL?
  /// The error of decoding.
  public var underlying: (any Error)?

  /// A failure as given.
  public init(
    _ reason: Reason, status: Int, message: String? = nil, retryAfter: Duration? = nil, url: URL? = nil,
    underlying: (any Error)? = nil
  ) {
    self.reason = reason
    self.status = status
    self.message = message
    self.retryAfter = retryAfter
    self.url = url
    self.underlying = underlying
  }
}

extension AnswerFailure: FailureTraitsProviding {
  /// An answer can change if the server says when, or if its status stands for a passing state: 408, 425, 429, 502, 503
  /// and 504. A plain 500 stays as it is.
  public var failureTraits: FailureTraits {
    let isPassing = [408, 425, 429, 502, 503, 504].contains(status)
    let isRetryable = isPassing || retryAfter != nil && (status == 413 || (500...599).contains(status))
    return FailureTraits(
      isRetryable ? .transient : .permanent, isAnswer: true, retryAfter: isRetryable ? retryAfter : nil)
  }
}

extension AnswerFailure: LocalizedError, CustomStringConvertible {
  /// The failure, as a sentence; the words of the server if the reason is about the content of the request.
  public var errorDescription: String? {
    switch reason {
    case .notAccepted: message ?? FailureWords.sentence("The server does not accept this.")
    case .unauthorized: FailureWords.sentence("You have to sign in for this.")
    case .forbidden: FailureWords.sentence("You are not allowed to do this.")
    case .notFound: FailureWords.sentence("The server has nothing at this address.")
    case .tooManyRequests: FailureWords.sentence("The server is asked too often at present.")
    case .serverError: FailureWords.sentence("The server has failed.")
    case .unexpectedStatus: FailureWords.sentence("The server gives an answer that is not expected here.")
    case .undecodable: FailureWords.sentence("The answer of the server is not as expected.")
    }
  }

  /// The cause, as a sentence; `nil` when nothing is known.
  public var failureReason: String? {
    switch reason {
    case .notAccepted: nil
    case .undecodable: (underlying as? DecodingError).map { FailureWords.sentence("%@.", $0.place.withCapital) }
    default: message.map { FailureWords.sentence("The server says: \"%@\".", $0) }
    }
  }

  /// The advice for the user, as a sentence; `nil` when there is nothing to do.
  public var recoverySuggestion: String? {
    switch reason {
    case .undecodable: FailureWords.sentence("Look for an update of this program.")
    case .tooManyRequests, .serverError:
      retryAfter.map(Self.advice(after:)) ?? FailureWords.sentence("Try again later.")
    default: nil
    }
  }

  /// The advice to wait for a time, in whole seconds: not shorter than the server asks.
  private static func advice(after time: Duration) -> String {
    let (seconds, rest) = time.countable.components
    return switch seconds + (rest > 0 ? 1 : 0) {
    case ...0: FailureWords.sentence("Try again.")
    case 1: FailureWords.sentence("Try again in 1 second.")
    case let seconds: FailureWords.sentence("Try again in %@ seconds.", "\(seconds)")
    }
  }

  /// The failure with all its details, for logs and not for users.
  public var description: String {
    var parts = ["\(reason), status \(status)"]
    if let url { parts.append("at \(url.absoluteString)") }
    if let message { parts.append("(\(message))") }
    if let error = underlying as? DecodingError { parts.append("(\(error.place))") }
    return parts.joined(separator: " ").inOneLine
  }
}

extension AnswerFailure.Reason: CustomStringConvertible {
  /// The reason in words, for logs and not for users.
  public var description: String {
    switch self {
    case .notAccepted: "not accepted"
    case .unauthorized: "unauthorized"
    case .forbidden: "forbidden"
    case .notFound: "not found"
    case .tooManyRequests: "too many requests"
    case .serverError: "server error"
    case .unexpectedStatus: "unexpected status"
    case .undecodable: "undecodable"
    }
  }
}

extension DecodingError {
  /// The kind of the error and its place in the document: `a number is missing at results[2].price`.
  var place: String {
    let (problem, context): (String, Context) =
      switch self {
      case .keyNotFound(let key, let context): ("the member \"\(key.stringValue)\" is missing", context)
      case .valueNotFound(let type, let context): ("there is no value of type \(type)", context)
      case .typeMismatch(let type, let context): ("the value is not of type \(type)", context)
      case .dataCorrupted(let context): ("the document is damaged", context)
      @unknown default: ("the document cannot be decoded", Context(codingPath: [], debugDescription: ""))
      }
    let path = context.codingPath.reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return path.isEmpty ? problem : "\(problem) at \(path)"
  }
}

extension String {
  /// The text with a capital at its beginning.
  fileprivate var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
