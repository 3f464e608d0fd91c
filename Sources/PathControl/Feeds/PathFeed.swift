internal import PathModel

/// Where the verbs that follow the path have it from: the service, or the kernel.
///
/// A feed belongs to an event loop. It delivers the path at once and then whenever it has changed, until it is stopped.
protocol PathFeed: AnyObject {
  /// Ends it.
  func stop()
}
