/// The reaction of `pathctl run` to a lost path.
package enum LossReaction: String, Hashable, Sendable, CaseIterable {
  /// End the command, and start it again when the path is back.
  case stop
  /// Stop the command where it is, and continue it when the path is back.
  case pause
  /// Let the command run.
  case `continue`
}
