/// Sums over all the time for which a program has watched the path.
package struct PathTotals: Hashable, Sendable {
  /// The number of changes of the path, also of those that did not settle.
  package var changes = 0
  /// The number of outages: of times during which the path was known, and not satisfied.
  package var outages = 0
  /// The time of all outages by their reason, in microseconds, without suspend. A reason that never held is absent.
  package var unsatisfiedMicroseconds: [UnsatisfiedReason: Int] = [:]
  /// The time of the last change, in microseconds since 1970 by the clock as it was then; `nil` when it is not known.
  package var lastChangeMicroseconds: Int?

  /// The sums of no time.
  package init() {}
}
