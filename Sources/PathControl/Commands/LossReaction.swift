/// What a lost path means for the command of `pathctl run`.
package enum LossReaction: String, Hashable, Sendable, CaseIterable {
  /// It is ended, and started again when the path is back.
  case stop
  /// It is stopped where it is, and continued when the path is back.
  case pause
  /// Nothing.
  case `continue`
}
