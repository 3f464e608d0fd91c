/// A predicate on errors that also returns the value that it found: the error with its own type, for the action of a
/// rule.
///
/// Matchers compose with `&&`, `||` and `!`. A matcher is called on any thread, and more than once for one error, so it
/// has no side effects.
public struct ErrorMatcher<Value: Sendable>: Sendable {
  private let find: @Sendable (any Error) -> Value?

  /// A matcher that matches where the closure returns a value.
  public init(_ find: @escaping @Sendable (_ error: any Error) -> Value?) {
    self.find = find
  }

  /// The value that the action of a rule receives; `nil` when the error does not match.
  ///
  /// A ``RecoverableFailure`` is seen through: its options change nothing about what the error is.
  public func value(in error: any Error) -> Value? {
    find(error.withoutOptions)
  }

  /// Whether the error matches.
  public func matches(_ error: any Error) -> Bool {
    value(in: error) != nil
  }

  /// As `value(in:)`, for an error that is known to be without options.
  func value(inBare error: any Error) -> Value? { find(error) }
}

extension ErrorMatcher where Value: Error {
  /// Errors of a type; with ``amongCauses`` also those that are wrapped in others.
  public static func type(_ type: Value.Type) -> Self {
    Self { cast($0) }
  }

  /// The error as a value of the type; `nil` when it is of another.
  ///
  /// Only a class or `any Error` has values of several types. For all other types a comparison of types comes before
  /// the cast, which takes many times as long (row `errors-rules`).
  private static func cast(_ error: any Error) -> Value? {
    if Value.self is AnyClass || Value.self == (any Error).self { return error as? Value }
    return Swift.type(of: error) == Value.self ? error as? Value : nil
  }
}

extension ErrorMatcher where Value: Error & Equatable {
  /// Errors that equal this one.
  public static func equal(to error: Value) -> Self {
    let matcher = type(Value.self)
    return Self { matcher.value(inBare: $0).flatMap { $0 == error ? $0 : nil } }
  }
}

extension ErrorMatcher where Value == any Error {
  /// Every error.
  public static var any: Self { Self(\.self) }

  /// Errors for which the predicate is true.
  public static func matching(_ predicate: @escaping @Sendable (any Error) -> Bool) -> Self {
    Self { predicate($0) ? $0 : nil }
  }

  /// Errors of one of these categories; see ``ErrorCategory/init(of:)``.
  public static func category(_ categories: ErrorCategory...) -> Self {
    .matching { categories.contains(ErrorCategory(of: $0)) }
  }
}

extension ErrorMatcher where Value == any HTTPStatusProviding {
  /// Errors with this HTTP status.
  public static func httpStatus(_ status: Int) -> Self {
    httpStatus(status...status)
  }

  /// Errors with an HTTP status in a range, as `400..<451`, `400...499` or `500...`.
  public static func httpStatus(_ range: some RangeExpression<Int> & Sendable) -> Self {
    Self { error in
      guard let error = error as? any HTTPStatusProviding, let status = error.httpStatus else { return nil }
      return range.contains(status) ? error : nil
    }
  }
}

extension ErrorMatcher {
  /// Matches where the error or one of its causes matches; the value is that of the outermost.
  public var amongCauses: Self {
    Self { error in
      for cause in ErrorCauses(of: error) {
        if let value = value(in: cause) { return value }
      }
      return nil
    }
  }

  /// Both match; the value is that of the first.
  public static func && <Other>(first: Self, second: ErrorMatcher<Other>) -> Self {
    Self { error in first.value(inBare: error).flatMap { second.matches(error) ? $0 : nil } }
  }

  /// One of them matches; the value is that of the first that does.
  public static func || (first: Self, second: Self) -> Self {
    Self { first.value(inBare: $0) ?? second.value(inBare: $0) }
  }

  /// One of them matches, whatever the type of its value.
  public static func || <Other>(first: Self, second: ErrorMatcher<Other>) -> ErrorMatcher<any Error> {
    .matching { first.matches($0) || second.matches($0) }
  }

  /// The errors that do not match.
  public static prefix func ! (matcher: Self) -> ErrorMatcher<any Error> {
    .matching { !matcher.matches($0) }
  }
}
