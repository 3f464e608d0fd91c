/// Rules that say what to do about an error, as a value.
///
/// ```swift
/// let program = ErrorHandler()
///   .onNoMatch(then: .continueMatching) { _ in show("Something went wrong.") }
///   .always { error in record(error) }
///
/// let upload = program.onError(ofType: DiskFull.self) { error in
///   show("\(error.missingBytes) bytes are missing.")
///   return .stopMatching
/// }
/// .on(.httpStatus(401), then: .stopMatching) { _ in showSignIn() }
/// ```
///
/// The order is fixed:
///
/// 1. The rules that match run, the one added last first, until an action returns ``MatchingPolicy/stopMatching``.
/// 2. If no rule matched, the actions of `onNoMatch` run, the last first, until one stops.
/// 3. The actions of ``always(perform:)`` run, the last first. Nothing that an action returns suppresses them.
///
/// A handler is a value: a rule that is added to a copy is not in the original. Actions run one after the other in the
/// task and the isolation of the caller. Cancelling the task skips no action.
public struct ErrorHandler: Sendable {
  /// An action of a rule, with the value that the rule's matcher found.
  public typealias Action<Value> = @Sendable (_ error: Value) async -> MatchingPolicy

  /// An action together with the error it is for.
  typealias BoundAction = @Sendable () async -> MatchingPolicy

  /// A rule: its action for an error that matches. A tag is looked up when an error comes, so that the order of `tag`
  /// and `on(tag:)` does not matter.
  enum Rule: Sendable {
    case matcher(@Sendable (any Error) -> BoundAction?)
    case tag(ErrorTag, Action<any Error>)
  }

  /// In the order in which they were added, as are the actions below.
  private var rules: [Rule] = []
  private var fallbacks: [Action<any Error>] = []
  private var closings: [@Sendable (any Error) async -> Void] = []
  private var tags: [ErrorTag: [ErrorMatcher<any Error>]] = [:]

  /// A handler without rules.
  public init() {}

  // MARK: Rules

  /// Adds a rule. Its action decides each time whether earlier rules run too.
  public func on<Value>(_ matcher: ErrorMatcher<Value>, perform action: @escaping Action<Value>) -> Self {
    adding(
      .matcher { error in
        guard let value = matcher.value(inBare: error) else { return nil }
        return { await action(value) }
      })
  }

  /// Adds a rule whose action always ends alike.
  public func on<Value>(
    _ matcher: ErrorMatcher<Value>, then policy: MatchingPolicy,
    perform action: @escaping @Sendable (_ error: Value) async -> Void
  ) -> Self {
    on(matcher) { error in
      await action(error)
      return policy
    }
  }

  /// Adds a rule for errors that equal this one.
  public func on<Failure: Error & Equatable>(_ error: Failure, perform action: @escaping Action<Failure>) -> Self {
    on(.equal(to: error), perform: action)
  }

  /// Adds a rule for errors for which the predicate is true.
  public func on(
    matching predicate: @escaping @Sendable (any Error) -> Bool, perform action: @escaping Action<any Error>
  ) -> Self {
    on(.matching(predicate), perform: action)
  }

  /// Adds a rule for errors of a type. It does not see errors that are wrapped in others:
  /// `on(.type(Failure.self).amongCauses)` does.
  public func onError<Failure: Error>(ofType type: Failure.Type, perform action: @escaping Action<Failure>) -> Self {
    on(.type(type), perform: action)
  }

  /// Adds a rule for errors with this HTTP status.
  public func on(httpStatus status: Int, perform action: @escaping Action<any HTTPStatusProviding>) -> Self {
    on(.httpStatus(status), perform: action)
  }

  /// Adds a rule for errors with an HTTP status in this range.
  public func on(
    httpStatus range: some RangeExpression<Int> & Sendable, perform action: @escaping Action<any HTTPStatusProviding>
  ) -> Self {
    on(.httpStatus(range), perform: action)
  }

  /// Adds a rule for errors with this tag. It runs once for an error, however many matchers of the tag match.
  public func on(tag: ErrorTag, perform action: @escaping Action<any Error>) -> Self {
    adding(.tag(tag, action))
  }

  /// Gives the tag to errors that match, for every rule of the handler, earlier or later.
  public func tag<Value>(_ matcher: ErrorMatcher<Value>, with tag: ErrorTag) -> Self {
    var handler = self
    handler.tags[tag, default: []].append(.matching { matcher.matches($0) })
    return handler
  }

  /// Adds an action for errors that no rule matches.
  public func onNoMatch(perform action: @escaping Action<any Error>) -> Self {
    var handler = self
    handler.fallbacks.append(action)
    return handler
  }

  /// Adds an action for errors that no rule matches, which always ends alike.
  public func onNoMatch(
    then policy: MatchingPolicy, perform action: @escaping @Sendable (_ error: any Error) async -> Void
  ) -> Self {
    onNoMatch { error in
      await action(error)
      return policy
    }
  }

  /// Adds an action for every error, after the rules. It observes: it returns nothing, so it can neither stop others
  /// nor be stopped.
  public func always(perform action: @escaping @Sendable (_ error: any Error) async -> Void) -> Self {
    var handler = self
    handler.closings.append(action)
    return handler
  }

  // MARK: Composition

  /// The handler with the rules, tags and actions of another added after its own, so that those of the other run first.
  public func adding(_ other: ErrorHandler) -> Self {
    var handler = self
    handler.rules += other.rules
    handler.fallbacks += other.fallbacks
    handler.closings += other.closings
    handler.tags.merge(other.tags, uniquingKeysWith: +)
    return handler
  }

  /// The handler without the actions of ``always(perform:)`` added so far: the only way to leave them out.
  public var withoutAlways: Self {
    var handler = self
    handler.closings = []
    return handler
  }

  /// The tags of rules for which the handler has no matcher. Such a rule never runs. The set is empty in a complete
  /// handler.
  public var undefinedTags: Set<ErrorTag> {
    var undefined: Set<ErrorTag> = []
    for case .tag(let tag, _) in rules where tags[tag] == nil { undefined.insert(tag) }
    return undefined
  }

  private func adding(_ rule: Rule) -> Self {
    var handler = self
    handler.rules.append(rule)
    return handler
  }

  // MARK: Steps of handling

  /// Runs the rules that match, or the actions for none, and returns whether one stopped.
  func applyRules(to error: any Error) async -> Bool {
    var isMatched = false
    for rule in rules.reversed() {
      guard let action = bind(rule, to: error) else { continue }
      isMatched = true
      if await action() == .stopMatching { return true }
    }
    if isMatched { return false }
    for action in fallbacks.reversed() where await action(error) == .stopMatching { return true }
    return false
  }

  /// Runs the actions for every error.
  func applyAlways(to error: any Error) async {
    for action in closings.reversed() { await action(error) }
  }

  /// Whether there is nothing to run.
  var isEmpty: Bool { rules.isEmpty && fallbacks.isEmpty && closings.isEmpty }

  private func bind(_ rule: Rule, to error: any Error) -> BoundAction? {
    switch rule {
    case .matcher(let bind): return bind(error)
    case .tag(let tag, let action):
      guard tags[tag]?.contains(where: { $0.value(inBare: error) != nil }) == true else { return nil }
      return { await action(error) }
    }
  }
}
