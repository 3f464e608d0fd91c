/// A mark for a clock of tests.
package enum ImpliedLimit {
  /// Whether the task sleeps until a time limit that nobody has set, such as the seven days of a `URLSession`. A test
  /// that waits for sleepers means others.
  @TaskLocal package static var isMark = false
}
