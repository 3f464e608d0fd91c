extension ErrorScope {
  /// Handles an error on the way that ``ErrorScope`` gives, and returns when that is over.
  ///
  /// If the chosen recovery option throws, its error takes the same way. Cancelling the task ends a presentation and
  /// skips no action of a handler; an error that was not shown because of it is logged.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - options: Ways on that the caller knows, offered after those of the error.
  @discardableResult
  public func handle(_ error: any Error, offering options: [RecoveryOption] = []) async -> HandlingResult {
    await ScopePath(from: self).handle(error, offering: options)
  }

  /// Handles an error of code that cannot wait. Handling begins before the function returns.
  ///
  /// - Returns: The task that handles the error.
  @discardableResult
  public func post(_ error: any Error, offering options: [RecoveryOption] = []) -> Task<HandlingResult, Never> {
    let path = ScopePath(from: self)
    return Task.immediate { await path.handle(error, offering: options) }
  }

  /// Runs an operation, handles its errors, and runs it again as often as the user recovers from one.
  ///
  /// "Try Again" is offered for errors in a category that allows it (``ErrorCategory/isRetryable``).
  ///
  /// - Returns: The value of the operation; `nil` when it was given up.
  public func attempt<Value>(_ operation: () async throws -> Value) async -> Value? {
    while true {
      do {
        return try await operation()
      } catch {
        let options: [RecoveryOption] = ErrorCategory(of: error).isRetryable ? [.tryAgain()] : []
        guard case .recovered = await handle(error, offering: options), !Task.isCancelled else { return nil }
      }
    }
  }
}
