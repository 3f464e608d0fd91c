import ErrorHandling

/// The end of an action.
public typealias MatchingPolicy = ErrorHandling.MatchingPolicy
/// A name for a group of errors.
public typealias Tag = String
/// An action of a rule. It does not wait, so that `handle(_:)` is over when it returns.
public typealias ErrorAction = @Sendable (any Error) -> MatchingPolicy

/// The handler of Workable's names: rules of `ErrorHandling` whose actions do not wait.
public struct ErrorHandler: Sendable {
  private var rules = ErrorHandling.ErrorHandler()
  /// Unlike those of `ErrorHandling`, these actions can stop each other.
  private var closings: [ErrorAction] = []

  /// A handler without rules.
  public init() {}

  /// Adds a rule for errors for which the closure is true.
  @discardableResult
  public func on(matches: @escaping @Sendable (any Error) -> Bool, do action: @escaping ErrorAction) -> ErrorHandler {
    with(rules.on(matching: matches) { action($0) })
  }

  /// Adds a rule for errors that match.
  @discardableResult
  public func on(_ matcher: any ErrorMatcher, do action: @escaping ErrorAction) -> ErrorHandler {
    on(matches: matcher.matches, do: action)
  }

  /// Adds a rule for errors that equal this one.
  @discardableResult
  public func on<Failure: Error & Equatable>(_ error: Failure, do action: @escaping ErrorAction) -> ErrorHandler {
    with(rules.on(error) { action($0) })
  }

  /// Adds a rule for errors of a type.
  @discardableResult
  public func onError<Failure: Error>(ofType type: Failure.Type, do action: @escaping ErrorAction) -> ErrorHandler {
    with(rules.onError(ofType: type) { action($0) })
  }

  /// Adds an action for errors that no rule matches.
  @discardableResult
  public func onNoMatch(do action: @escaping ErrorAction) -> ErrorHandler {
    with(rules.onNoMatch { action($0) })
  }

  /// Adds an action for every error; one that stops suppresses those added before.
  @discardableResult
  public func always(do action: @escaping ErrorAction) -> ErrorHandler {
    var handler = self
    handler.closings.append(action)
    return handler
  }

  /// Gives the tag to errors that match.
  @discardableResult
  public func tag(_ matcher: any ErrorMatcher, with tag: Tag) -> ErrorHandler {
    self.tag(matches: matcher.matches, with: tag)
  }

  /// Gives the tag to errors for which the closure is true.
  @discardableResult
  public func tag(matches: @escaping @Sendable (any Error) -> Bool, with tag: Tag) -> ErrorHandler {
    with(rules.tag(.matching(matches), with: ErrorTag(tag)))
  }

  /// Adds a rule for errors with this tag.
  @discardableResult
  public func on(tag: Tag, do action: @escaping ErrorAction) -> ErrorHandler {
    with(rules.on(tag: ErrorTag(tag)) { action($0) })
  }

  /// Handles an error. No action waits, so the task has ended when it has been started.
  public func handle(_ error: any Error) {
    let handler = rules.always { [closings] error in
      _ = closings.reversed().contains { $0(error) == .stopMatching }
    }
    Task.immediate { await handler.handle(error) }
  }

  private func with(_ rules: ErrorHandling.ErrorHandler) -> ErrorHandler {
    var handler = self
    handler.rules = rules
    return handler
  }
}

/// Runs the body and hands its error to the handler.
public func tryWith<Value>(_ handler: ErrorHandler, closure: () throws -> Value) -> Value? {
  do {
    return try closure()
  } catch {
    handler.handle(error)
    return nil
  }
}
