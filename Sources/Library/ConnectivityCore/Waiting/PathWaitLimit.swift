/// A time limit that stands still while the work under it waits for a path.
package protocol PathWaitLimit: Sendable {
  /// Notes that the work begins to wait. Several parts of it may wait at a time.
  func pathWaitBegan()
  /// Notes that one of the waits is over.
  func pathWaitEnded()
}

/// The waits for a path of the current task.
package enum PathWait {
  /// The innermost limit around the task; `nil` for none.
  @TaskLocal package static var limit: (any PathWaitLimit)?
}
