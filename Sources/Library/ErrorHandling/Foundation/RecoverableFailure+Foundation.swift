public import Foundation

extension RecoverableFailure: LocalizedError {
  /// The summary of the ``ErrorMessage``.
  public var errorDescription: String? { ErrorMessage(of: underlying).summary }
  /// The reason of the ``ErrorMessage``.
  public var failureReason: String? { ErrorMessage(of: underlying).reason }
  /// The suggestion of the ``ErrorMessage``.
  public var recoverySuggestion: String? { ErrorMessage(of: underlying).suggestion }
}

extension RecoverableFailure: Foundation.RecoverableError {
  /// The titles of the options.
  public var recoveryOptions: [String] { recovery.map(\.title) }

  /// Runs the action of an option.
  ///
  /// - Parameters:
  ///   - index: The place in ``recoveryOptions``. Outside of it nothing runs, and the result is false.
  ///   - handler: Is called once, on any thread, with whether the action succeeded. An option that gives up recovers
  ///     nothing.
  public func attemptRecovery(optionIndex index: Int, resultHandler handler: @escaping (_ recovered: Bool) -> Void) {
    guard let option = option(at: index) else {
      return handler(false)
    }
    let handler = ResultHandler(call: handler)
    Task {
      let isRecovered = await option.succeeds()
      handler.call(isRecovered)
    }
  }

  /// Returns false and runs nothing: an action is asynchronous, and blocking a thread for it could block the action
  /// itself. Use the variant with a handler, or an ``ErrorScope``.
  public func attemptRecovery(optionIndex index: Int) -> Bool { false }

  private func option(at index: Int) -> RecoveryOption? {
    recovery.indices.contains(index) ? recovery[index] : nil
  }

  /// A handler that Foundation declares without `@Sendable`. It is called once, after its owner has given it away.
  private struct ResultHandler: @unchecked Sendable {
    let call: (Bool) -> Void
  }
}

extension RecoveryOption {
  /// Runs the action, and returns whether it recovered.
  fileprivate func succeeds() async -> Bool {
    do {
      try await action()
      return role != .cancel
    } catch {
      return false
    }
  }
}

extension Error {
  /// The options of a `Foundation.RecoverableError` of the program, by their places.
  var recoveryOfFoundation: [RecoveryOption] {
    guard let error = self as? any Foundation.RecoverableError else { return [] }
    return error.recoveryOptions.enumerated().map { index, title in
      RecoveryOption(id: .init("foundation-\(index)"), title: title) {
        let isRecovered = await withCheckedContinuation { continuation in
          error.attemptRecovery(optionIndex: index) { continuation.resume(returning: $0) }
        }
        if !isRecovered { throw error }
      }
    }
  }
}

extension ErrorMessage {
  /// The text of a `LocalizedError` that has one.
  static func messageOfFoundation(_ error: any Error) -> ErrorMessage? {
    guard let error = error as? any LocalizedError, let summary = error.errorDescription else { return nil }
    return ErrorMessage(summary, reason: error.failureReason, suggestion: error.recoverySuggestion)
  }
}
