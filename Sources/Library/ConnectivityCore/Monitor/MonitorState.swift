internal import PathModel
internal import SystemIO

/// The state of a monitor, under the lock of its ``MonitorCore``.
struct MonitorState {
  var handler: (@Sendable (NetworkPath) -> Void)?
  /// The value of ``PathMonitor/currentPath``, behind a lock of its own that is never held for long.
  let published: Guarded<NetworkPath>
  var current = NetworkPath.unknown { didSet { published.withLock { $0 = current } } }
  var failure: PathSourceError?
  /// Whether every path is shown as constrained.
  var savesData = false
  /// The path that the source delivered last; `nil` before the first.
  var source: NetworkPath?
  /// The path most recently delivered to receivers; `nil` before the first.
  var delivered: NetworkPath?
  /// Whether a receiver began while the source was interrupted, and therefore got a stale path first.
  var hasStaleReceiver = false
  var run: HandlerRun?
  var iterations: [Int: any ClosableReceiver] = [:]
  var observations: [Int: PathObservation] = [:]
  var nextNumber = 0
  /// The receivers that have a new path and are to be woken when the lock has been released.
  var due = Deliveries()
  /// Counts the subscriptions to the source, so that deliveries of an earlier one are ignored.
  var generation = 0
  var unsubscribe: (@Sendable () -> Void)?
  /// Whether there is a subscription to the source, or one is being made.
  var isFollowing = false

  var isWanted: Bool { run != nil || !iterations.isEmpty || !observations.isEmpty }
}

extension MonitorState {
  /// Returns the number of a subscription to the source that is to be made; `nil` if none is needed.
  mutating func beginFollowing() -> Int? {
    guard isWanted, !isFollowing else { return nil }
    isFollowing = true
    generation += 1
    return generation
  }

  /// Ends the subscription to the source if there is no receiver. The current path is not followed then and becomes
  /// stale.
  ///
  /// - Returns: The closure that unsubscribes, to be called once no lock is held.
  mutating func endFollowing() -> (@Sendable () -> Void)? {
    guard !isWanted, isFollowing else { return nil }
    defer { unsubscribe = nil }
    isFollowing = false
    generation += 1
    delivered = nil
    hasStaleReceiver = false
    failure = nil
    current.becomeStale()
    return unsubscribe
  }

  /// Stores an update of the source. Returns the path to deliver; `nil` if there is nothing to deliver.
  mutating func store(_ update: SourceUpdate, _ view: PathView) -> NetworkPath? {
    var next: NetworkPath
    switch update {
    case .path(let path):
      source = path
      next = shown(path, view)
    case .interrupted(let error):
      failure = error
      current.becomeStale()
      return nil
    case .lost(let error):
      failure = error
      next = delivered ?? .unknown
      next.becomeStale()
    case .trouble(let error):
      failure = error
      return nil
    }
    // If the path is the same after an interruption, only receivers that began meanwhile need it again.
    if next != delivered || hasStaleReceiver { return next }
    current = delivered ?? next
    return nil
  }

  /// A path of the source as the monitor shows it.
  func shown(_ path: NetworkPath, _ view: PathView) -> NetworkPath {
    view.applied(to: savesData ? path.savingData : path)
  }

  /// The first path for a new receiver. It is stale if the source cannot confirm it at the moment.
  mutating func first() -> NetworkPath? {
    guard let delivered else { return nil }
    guard current.knowledge == .stale, delivered.knowledge == .known else { return delivered.asFirst }
    hasStaleReceiver = true
    return current.asFirst
  }

  /// Offers the first path to a new receiver, and returns the number under which it is to be kept.
  mutating func register(_ receiver: any PathReceiver) -> Int {
    nextNumber += 1
    if let first = self.first() { offer(first, to: receiver) }
    return nextNumber
  }

  /// Offers a path to a receiver.
  mutating func offer(_ path: NetworkPath, to receiver: any PathReceiver) {
    if receiver.offer(path) { due.add(receiver) }
  }

  /// Removes the receivers to be woken.
  mutating func removeDue() -> Deliveries {
    defer { due = Deliveries() }
    return due
  }

  /// Offers a path to every receiver.
  mutating func deliver(_ path: NetworkPath) {
    var next = path
    if let delivered {
      // The monitor numbers its updates itself, because streams of several sources may follow each other in it.
      next.sequence = delivered.sequence + 1
      next.noteChanges(since: delivered)
      if hasStaleReceiver, next.knowledge == .known, delivered.knowledge == .known { next.changed.append("knowledge") }
    } else {
      next = next.asFirst
      next.sequence = 0
    }
    hasStaleReceiver = false
    delivered = next
    current = next
    // Each receiver skips a path that it has already delivered.
    for iteration in iterations.values { offer(next, to: iteration) }
    if let run { offer(next, to: run) }
    for observation in observations.values { offer(next, to: observation) }
  }
}
