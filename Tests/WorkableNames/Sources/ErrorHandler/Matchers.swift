import Alamofire
import ErrorHandling
import Foundation

/// A predicate on errors.
public protocol ErrorMatcher: Sendable {
  /// Whether the error matches.
  @Sendable func matches(_ error: any Error) -> Bool
}

/// A matcher made of a closure.
public struct ClosureErrorMatcher: ErrorMatcher {
  private let closure: @Sendable (any Error) -> Bool

  /// A matcher as given.
  public init(matches: @escaping @Sendable (any Error) -> Bool) {
    closure = matches
  }

  /// Whether the error matches.
  public func matches(_ error: any Error) -> Bool { closure(error) }
}

/// A matcher of errors of a type.
public struct ErrorTypeMatcher<Failure: Error>: ErrorMatcher {
  /// A matcher as given.
  public init() {}

  /// Whether the error matches.
  public func matches(_ error: any Error) -> Bool {
    ErrorHandling.ErrorMatcher.type(Failure.self).matches(error)
  }
}

/// A matcher of errors with a domain, and a code unless it is `nil`.
public struct NSErrorMatcher: ErrorMatcher {
  private let matcher: ErrorHandling.ErrorMatcher<any Error>

  /// A matcher as given.
  public init(domain: String, code: Int? = nil) {
    matcher = .nsError(domain: domain, code: code)
  }

  /// Whether the error matches.
  public func matches(_ error: any Error) -> Bool { matcher.matches(error) }
}

/// A matcher of Alamofire's errors with an HTTP status.
public struct AFErrorStatusCodeMatcher: ErrorMatcher {
  private let range: Range<Int>

  /// A matcher as given.
  public init(_ range: Range<Int>) {
    self.range = range
  }

  /// A matcher as given.
  public init(statusCode: Int) {
    self.init(statusCode..<statusCode + 1)
  }

  /// Whether the error matches.
  public func matches(_ error: any Error) -> Bool {
    guard case .responseValidationFailed(.unacceptableStatusCode(let code))? = error as? AFError else { return false }
    return range.contains(code)
  }
}

/// Both match.
public func && (first: any ErrorMatcher, second: any ErrorMatcher) -> any ErrorMatcher {
  ClosureErrorMatcher { first.matches($0) && second.matches($0) }
}

/// One of them matches.
public func || (first: any ErrorMatcher, second: any ErrorMatcher) -> any ErrorMatcher {
  ClosureErrorMatcher { first.matches($0) || second.matches($0) }
}

extension ErrorHandler {
  /// Adds a rule for such errors.
  @discardableResult
  public func onNSError(domain: String, code: Int? = nil, do action: @escaping ErrorAction) -> ErrorHandler {
    on(NSErrorMatcher(domain: domain, code: code), do: action)
  }

  /// Adds a rule for such errors.
  @discardableResult
  public func onAFError(withStatus range: Range<Int>, do action: @escaping ErrorAction) -> ErrorHandler {
    on(AFErrorStatusCodeMatcher(range), do: action)
  }

  /// Adds a rule for such errors.
  @discardableResult
  public func onAFError(withStatus status: Int, do action: @escaping ErrorAction) -> ErrorHandler {
    on(AFErrorStatusCodeMatcher(statusCode: status), do: action)
  }
}
