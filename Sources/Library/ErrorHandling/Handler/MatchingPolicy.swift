/// The end of an action: whether the rules before its own are tried too.
public enum MatchingPolicy: Hashable, Sendable {
  /// Earlier rules that match run too, and after them those of the enclosing scopes.
  case continueMatching
  /// The error is handled. No further rule runs; actions of ``ErrorHandler/always(perform:)`` still do.
  case stopMatching
}
