internal import Dispatch
internal import PathModel
internal import SystemIO

/// The work of a ``PathMonitor``, in an object of its own: the source holds only a weak reference to this object, and
/// releasing the monitor ends the work.
///
/// It follows its source as long as there is a receiver: a handler, an iteration or an observer.
final class MonitorCore: Sendable {
  fileprivate struct State {
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
    var told: NetworkPath?
    /// Whether a receiver began while the source was interrupted, and therefore got a stale path first.
    var hasToldInterruption = false
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

  private let provider: any PathProvider
  let view: PathView
  private let published: Guarded<NetworkPath>
  private let state: Guarded<State>
  private let turn = HandlerTurn()

  init(provider: any PathProvider, view: PathView) {
    self.provider = provider
    self.view = view
    let published = Guarded(NetworkPath.unknown)
    self.published = published
    state = Guarded(State(published: published))
  }

  /// A core for the same paths that delivers each change at once.
  func withoutSettling() -> MonitorCore {
    guard let monitor = provider as? MonitorProvider else { return MonitorCore(provider: provider, view: view) }
    let provider = MonitorProvider(source: monitor.source, settle: .zero, probes: monitor.probes)
    return MonitorCore(provider: provider, view: view)
  }

  var currentPath: NetworkPath { published.copy }

  var failure: PathSourceError? { state.withLock { $0.failure } }

  var savesData: Bool {
    get { state.withLock { $0.savesData } }
    set {
      change { state in
        guard state.savesData != newValue else { return }
        state.savesData = newValue
        guard let source = state.source else { return }
        var next = state.shown(source, view)
        if state.current.knowledge == .stale { next.becomeStale() }
        if state.told == nil { state.current = next } else if next != state.told { state.tell(next) }
      }
    }
  }

  var handler: (@Sendable (NetworkPath) -> Void)? {
    get { state.withLock { $0.handler } }
    set {
      // Return the former handler, so that the objects it has captured are released outside the lock.
      _ = change { state in
        let former = state.handler
        state.handler = newValue
        // A handler that is set a moment after the start also gets the first path.
        if former == nil, newValue != nil, let run = state.run, let first = state.first() {
          state.leave(first, with: run)
        }
        return former
      }
    }
  }

  /// Changes the state under its lock. Wakes the receivers of a new path after the lock is released.
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, due) = state.withLock { state in
      let result = body(&state)
      return (result, state.takeDue())
    }
    due.perform()
    return result
  }

  // MARK: The receivers

  /// Begins to call the handler.
  ///
  /// - Parameters:
  ///   - queue: The queue that the handler is called on.
  ///   - owner: An object that is kept alive until ``cancel(endingIterations:patience:)``. It must not be released
  ///     under the lock.
  func start(queue: DispatchQueue, keeping owner: (any AnyObject & Sendable)? = nil) {
    change { state in
      guard state.run == nil else { return }
      let run = HandlerRun(queue, owner: owner, turn: turn) { [weak self] in self?.handler }
      state.run = run
      if let first = state.first() { state.leave(first, with: run) }
    }
    follow()
  }

  /// The queue that the handler is called on; `nil` while the monitor is not started.
  var queue: DispatchQueue? { state.withLock { $0.run?.queue } }

  /// Ends the handler's calls and, by default, all iterations.
  ///
  /// - Parameters:
  ///   - endingIterations: Whether iterations end, too.
  ///   - patience: How long to wait for a call of the handler that is under way. The handler may itself wait for
  ///     the caller.
  func cancel(endingIterations: Bool = true, patience: DispatchTimeInterval = .seconds(1)) {
    // The ended receivers and the owner of the run are released outside the lock.
    let ended = change { state in
      let ended = (run: state.run, iterations: endingIterations ? state.iterations : [:])
      state.run = nil
      if endingIterations { state.iterations = [:] }
      // Under the lock: if two threads cancel at once, the one that finds nothing must not return before the end of the
      // run.
      ended.run?.end()
      for iteration in ended.iterations.values where iteration.close() { state.due.add(iteration) }
      return ended
    }
    turn.wait(patience)
    restIfUnwanted()
    withExtendedLifetime(ended) {}
  }

  /// Ends everything when the monitor ends. The objects that the handler has captured are released here, and not with
  /// the last reference to this core, which the source may hold for a moment under a lock.
  func release() {
    cancel()
    handler = nil
    let observations = state.exchange(\.observations, for: [:])
    for observation in observations.values {
      observation.end()
      observation.whenReleased()
    }
    restIfUnwanted()
  }

  /// Leaves each path with an iteration, from the present one on.
  ///
  /// - Returns: The number of the subscription, for ``unsubscribe(_:)``.
  func subscribe(_ iteration: some ClosableReceiver) -> Int {
    let number = change { state in
      state.nextNumber += 1
      state.iterations[state.nextNumber] = iteration
      if let first = state.first() { state.leave(first, with: iteration) }
      return state.nextNumber
    }
    follow()
    return number
  }

  /// Ends the subscription of an iteration.
  func unsubscribe(_ number: Int) {
    let ended = state.withLock { $0.iterations.removeValue(forKey: number) }
    if ended != nil { restIfUnwanted() }
  }

  /// Calls the observer with each path, in order.
  ///
  /// - Returns: A closure that ends the observation.
  func observe(
    _ observer: @escaping @Sendable (NetworkPath) -> Void, whenReleased: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let observation = PathObservation(observer, whenReleased: whenReleased)
    let number = change { state in
      state.nextNumber += 1
      state.observations[state.nextNumber] = observation
      if let first = state.first() { state.leave(first, with: observation) }
      return state.nextNumber
    }
    follow()
    return { [weak self] in
      observation.end()
      let ended = self?.state.withLock { $0.observations.removeValue(forKey: number) }
      if ended != nil { self?.restIfUnwanted() }
    }
  }

  // MARK: The source

  private func follow() {
    let generation: Int? = state.withLock { state in
      guard state.isWanted, !state.isFollowing else { return nil }
      state.isFollowing = true
      state.generation += 1
      return state.generation
    }
    guard let generation else { return }
    // Not under the lock: a source may deliver before it returns.
    let unsubscribe = provider.subscribe { [weak self] in self?.take($0, generation) ?? Deliveries() }
    let isVoid = state.withLock { state in
      guard state.isFollowing, state.generation == generation else { return true }
      state.unsubscribe = unsubscribe
      return false
    }
    if isVoid { unsubscribe() }
  }

  /// Unsubscribes from the source when the last receiver is gone. The current path is not followed then and becomes
  /// stale.
  private func restIfUnwanted() {
    let unsubscribe: (@Sendable () -> Void)? = state.withLock { state in
      guard !state.isWanted, state.isFollowing else { return nil }
      defer { state.unsubscribe = nil }
      state.isFollowing = false
      state.generation += 1
      state.told = nil
      state.hasToldInterruption = false
      state.failure = nil
      state.current.becomeStale()
      return state.unsubscribe
    }
    unsubscribe?()
  }

  /// Handles an update of the source. The source delivers one update at a time, so all receivers get them in its order.
  ///
  /// - Returns: The receivers to be woken once no lock is held.
  private func take(_ update: SourceUpdate, _ generation: Int) -> Deliveries {
    state.withLock { state in
      guard state.generation == generation, let next = state.take(update, view) else { return Deliveries() }
      state.tell(next)
      return state.takeDue()
    }
  }
}

extension MonitorCore.State {
  /// Stores an update of the source. Returns the path to deliver; `nil` if there is nothing to deliver.
  fileprivate mutating func take(_ update: SourceUpdate, _ view: PathView) -> NetworkPath? {
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
      next = told ?? .unknown
      next.becomeStale()
    case .trouble(let error):
      failure = error
      return nil
    }
    // If the path is the same after an interruption, only receivers that began meanwhile need it again.
    if next != told || hasToldInterruption { return next }
    current = told ?? next
    return nil
  }

  /// A path of the source as the monitor shows it.
  fileprivate func shown(_ path: NetworkPath, _ view: PathView) -> NetworkPath {
    view.applied(to: savesData ? path.savingData : path)
  }

  /// The first path for a new receiver. It is stale if the source cannot confirm it at the moment.
  fileprivate mutating func first() -> NetworkPath? {
    guard let told else { return nil }
    guard current.knowledge == .stale, told.knowledge == .known else { return told.asFirst }
    hasToldInterruption = true
    return current.asFirst
  }

  /// Leaves a path with a receiver.
  fileprivate mutating func leave(_ path: NetworkPath, with receiver: any PathReceiver) {
    if receiver.offer(path) { due.add(receiver) }
  }

  /// Removes the receivers to be woken.
  fileprivate mutating func takeDue() -> Deliveries {
    defer { due = Deliveries() }
    return due
  }

  /// Leaves a path with every receiver.
  fileprivate mutating func tell(_ path: NetworkPath) {
    var next = path
    if let told {
      // The monitor numbers its updates itself, because streams of several sources may follow each other in it.
      next.sequence = told.sequence + 1
      next.changed = next.fieldsChanged(since: told)
      if hasToldInterruption, next.knowledge == .known, told.knowledge == .known { next.changed.append("knowledge") }
    } else {
      next = next.asFirst
      next.sequence = 0
    }
    hasToldInterruption = false
    told = next
    current = next
    // Each receiver skips a path that it has already delivered.
    for iteration in iterations.values { leave(next, with: iteration) }
    if let run { leave(next, with: run) }
    for observation in observations.values { leave(next, with: observation) }
  }
}

extension NetworkPath {
  /// Makes a known path stale, because the source does not confirm it any more.
  fileprivate mutating func becomeStale() {
    if knowledge == .known { knowledge = .stale }
  }

  /// The path as a program that saves data wants to see it. An unknown path stays as it is.
  fileprivate var savingData: NetworkPath {
    if knowledge == .unknown { return self }
    var path = self
    for index in path.interfaces.indices { path.interfaces[index].isConstrained = true }
    guard status == .satisfied else { return path }
    path.isConstrained = true
    path.cost?.isConstrained = true
    path.cost?.evidence.insert(Evidence(.program, .constrained, .user, "this program saves data"), at: 0)
    return path
  }

  /// The path as the first one of a receiver: without changed fields.
  fileprivate var asFirst: NetworkPath {
    var first = self
    first.changed = []
    return first
  }
}
