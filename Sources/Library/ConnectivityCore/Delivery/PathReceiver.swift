internal import PathModel

/// A receiver of a monitor's paths: the run of a handler, an iteration, an observation.
///
/// A monitor delivers in two steps, as `ForeignCode` demands. Under its lock it leaves each path with its
/// receivers, in order; once no lock is held it wakes those that need it (``Deliveries``).
protocol PathReceiver: AnyObject, Sendable {
  /// Stores the path. Called under the monitor's lock, so that it runs no foreign code.
  ///
  /// - Returns: Whether ``wake()`` is due.
  func offer(_ path: NetworkPath) -> Bool

  /// Delivers what is stored, if another thread has not done so meanwhile. Called under no lock.
  func wake()
}

/// A receiver that ``PathMonitor/cancel()`` ends.
protocol ClosableReceiver: PathReceiver {
  /// Ends it. Called under the monitor's lock, as ``PathReceiver/offer(_:)`` is.
  ///
  /// - Returns: Whether ``PathReceiver/wake()`` is due.
  func close() -> Bool
}
