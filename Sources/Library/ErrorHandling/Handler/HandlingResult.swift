/// The outcome of handling an error.
public enum HandlingResult: Hashable, Sendable {
  /// An action stopped the matching, a presenter showed the error to the user, or it was a cancellation.
  case handled
  /// The user chose a recovery option, and its action succeeded. The failed operation is worth another try.
  case recovered(by: RecoveryOption.ID)
  /// Nobody handled the error. A scope has logged it.
  case notHandled
}
