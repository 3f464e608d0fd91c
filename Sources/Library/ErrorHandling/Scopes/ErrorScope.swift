/// A part of the program that handles errors of the code inside it: a screen, a command, a request.
///
/// Scopes form a tree, because ``withErrorScope(_:capture:handler:presenter:log:recovery:operation:)`` nests. Code
/// inside needs no reference to a handler. It gives its errors to ``current``:
///
/// ```swift
/// await withErrorScope("account", handler: accountRules) {
///   guard let account = await ErrorScope.current.attempt({ try await loadAccount() }) else { return }
///   show(account)
/// }
/// ```
///
/// An error takes this way:
///
/// 1. **Capture**, from the outermost scope in: the rules of `capture`.
/// 2. **Bubble**, from the current scope out: the rules of `handler`. A rule further out is a default: it sees only
///    errors that no inner rule stopped.
/// 3. The first action that returns ``MatchingPolicy/stopMatching`` ends both phases. Then the actions of
///    ``ErrorHandler/always(perform:)`` of all scopes run, the innermost first, stopped or not.
/// 4. If nothing stopped, the nearest presenter shows the error, one at a time. The options are those of the error,
///    those of the call, and those of each scope's `recovery`. An error in the category ``ErrorCategory/cancelled`` is
///    not shown.
/// 5. An error that is neither stopped nor shown is logged once, with all its causes, by the outermost scope that has a
///    log.
///
/// An action can hand an error on with `ErrorScope.current.handle(_:)`. Inside an action the rules of its scope are
/// left out, so that no error goes in a circle. The same holds in scopes that the action enters.
///
/// A scope ends when its `operation` returns, and then holds no handler any more. A task that outlives it hands its
/// errors to the scopes around it that have not ended.
public struct ErrorScope: Sendable {
  @TaskLocal private static var entered: ErrorScope?

  let node: ScopeNode
  /// Whether the rules of this scope itself are left out, because one of its actions is running.
  let isHandling: Bool

  /// The innermost scope of the current task. Without any, it is the scope of the program, which has no rules. Its log
  /// is standard error, and an unhandled error stops a debug build.
  public static var current: ErrorScope {
    entered ?? .program
  }

  static let program = ErrorScope(node: .program, isHandling: false)

  /// The name.
  public var name: String { node.name }

  /// Runs the operation with this scope as the current one.
  func asCurrent<Value>(_ operation: () async throws -> Value) async rethrows -> Value {
    try await Self.$entered.withValue(self, operation: operation)
  }
}

/// Runs an operation in a scope of its own, a child of ``ErrorScope/current``.
///
/// - Parameters:
///   - name: The name of the scope in reports.
///   - capture: The rules that run on the way in, before those of inner scopes.
///   - handler: The rules that run on the way out, after those of inner scopes.
///   - presenter: The presenter for errors that no rule stops; `nil` leaves it to the scopes around.
///   - log: The place for unhandled errors. That of the outermost scope counts.
///   - recovery: Options for errors of this scope, such as "Sign In" for an error that needs it.
///   - operation: The code of the scope. An error that it throws is rethrown, not handled.
@discardableResult
public func withErrorScope<Value>(
  _ name: String, capture: ErrorHandler = ErrorHandler(), handler: ErrorHandler = ErrorHandler(),
  presenter: (any ErrorPresenter)? = nil, log: ErrorLog? = nil,
  recovery: (@Sendable (_ error: any Error) -> [RecoveryOption])? = nil, operation: () async throws -> Value
) async rethrows -> Value {
  let contents = ScopeNode.Contents(
    capture: capture, handler: handler, presenter: presenter, log: log, recovery: recovery)
  let node = ScopeNode(name, parent: ErrorScope.current, contents: contents)
  defer { withExtendedLifetime(contents) {} }
  return try await ErrorScope(node: node, isHandling: false).asCurrent(operation)
}
