extension ErrorHandler {
  /// Handles an error, in the order that ``ErrorHandler`` gives, and returns when the last action has returned.
  ///
  /// - Returns: ``HandlingResult/handled`` if an action stopped the matching, otherwise ``HandlingResult/notHandled``.
  @discardableResult
  public func handle(_ error: any Error) async -> HandlingResult {
    let error = error.withoutOptions
    let isHandled = await applyRules(to: error)
    await applyAlways(to: error)
    return isHandled ? .handled : .notHandled
  }

  /// Runs an operation and handles its error.
  ///
  /// - Returns: The value of the operation; `nil` when it threw.
  public func catching<Value>(_ operation: () async throws -> Value) async -> Value? {
    do {
      return try await operation()
    } catch {
      await handle(error)
      return nil
    }
  }
}
