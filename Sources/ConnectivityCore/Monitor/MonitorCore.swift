internal import Dispatch
internal import PathModel
internal import SystemIO

/// What a ``PathMonitor`` does, apart from it: the source holds on to this weakly, and releasing the monitor ends it.
///
/// It follows its source as long as anybody wants to be told: a handler, iterations, observers.
final class MonitorCore: Sendable {
  fileprivate struct State {
    var handler: (@Sendable (NetworkPath) -> Void)?
    /// What ``PathMonitor/currentPath`` says, behind a lock of its own, which nobody holds for long.
    let published: Guarded<NetworkPath>
    var current = NetworkPath.unknown { didSet { published.withLock { $0 = current } } }
    var failure: PathSourceError?
    /// Whether every path is to be constrained.
    var savesData = false
    /// What the source said last; `nil` before the first.
    var source: NetworkPath?
    /// What those who are told were told last; `nil` before the first.
    var told: NetworkPath?
    /// Whether anybody has begun while the source was interrupted, and so was told another path first.
    var hasToldInterruption = false
    var run: HandlerRun?
    var iterations: [Int: any ClosableReceiver] = [:]
    var observations: [Int: PathObservation] = [:]
    var nextNumber = 0
    /// The receivers that have been left a path, to be woken when the lock has been released.
    var due = Deliveries()
    /// Counts the subscriptions to the source: what an earlier one still delivers is void.
    var generation = 0
    var unsubscribe: (@Sendable () -> Void)?
    /// Whether the source is being subscribed to, or is.
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

  /// The same for a monitor that is told each change at once.
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
      // The former handler is returned, as what it has captured may end with it.
      _ = change { state in
        let former = state.handler
        state.handler = newValue
        // A handler that is set a moment after the start gets the first path all the same.
        if former == nil, newValue != nil, let run = state.run, let first = state.first() {
          state.leave(first, with: run)
        }
        return former
      }
    }
  }

  /// Changes the state under its lock, and wakes the receivers that were left a path once the lock is released.
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
  ///   - owner: An object that is kept until ``cancel(endingIterations:patience:)``; it must not be released under the lock.
  func start(queue: DispatchQueue, keeping owner: (any AnyObject & Sendable)? = nil) {
    change { state in
      guard state.run == nil else { return }
      let run = HandlerRun(queue, owner: owner, turn: turn) { [weak self] in self?.handler }
      state.run = run
      if let first = state.first() { state.leave(first, with: run) }
    }
    follow()
  }

  /// The queue that the handler is called on; `nil` while it is not.
  var queue: DispatchQueue? { state.withLock { $0.run?.queue } }

  /// Ends the handler's calls and, unless told otherwise, all iterations.
  ///
  /// - Parameters:
  ///   - endingIterations: Whether iterations end, too.
  ///   - patience: How long to wait for a call of the handler that is under way. The handler may itself wait for
  ///     the caller.
  func cancel(endingIterations: Bool = true, patience: DispatchTimeInterval = .seconds(1)) {
    // What has ended is released without the lock, the owner of the run among it.
    let ended = change { state in
      let ended = (run: state.run, iterations: endingIterations ? state.iterations : [:])
      state.run = nil
      if endingIterations { state.iterations = [:] }
      // Under the lock: of two threads that cancel at once, the one that finds nothing left to end must not return before.
      ended.run?.end()
      for iteration in ended.iterations.values where iteration.close() { state.due.add(iteration) }
      return ended
    }
    turn.wait(patience)
    restIfUnwanted()
    withExtendedLifetime(ended) {}
  }

  /// Ends everything, as the monitor ends. What the handler has captured ends here, and not with the last reference to
  /// this object, which the source may hold for a moment under a lock.
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
  /// - Returns: What ends it.
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

  /// Lets go of the source when nobody is told any more. What was known is not followed then.
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

  /// Takes an update of the source, which delivers one at a time, so that all receivers have them in its order.
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
  /// Takes note of what the source says. Returns the path that is to be told, if it is another than was told last.
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
    // What was interrupted goes on, and nobody needs to hear of it but who began meanwhile.
    if next != told || hasToldInterruption { return next }
    current = told ?? next
    return nil
  }

  /// What the monitor shows of a path of the source.
  fileprivate func shown(_ path: NetworkPath, _ view: PathView) -> NetworkPath {
    view.applied(to: savesData ? path.savingData : path)
  }

  /// The path for somebody who begins now: one that the source does not back at the moment is stale.
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
      // Numbered by the monitor: streams of several sources may follow each other in it.
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
    // Each of them skips a path that it has delivered already.
    for iteration in iterations.values { leave(next, with: iteration) }
    if let run { leave(next, with: run) }
    for observation in observations.values { leave(next, with: observation) }
  }
}

extension NetworkPath {
  /// Takes note that it is not followed any more: it was true.
  fileprivate mutating func becomeStale() {
    if knowledge == .known { knowledge = .stale }
  }

  /// The path as a program wants to see it that uses little data. One that is not known stays as it is.
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

  /// The path as the first that somebody is told.
  fileprivate var asFirst: NetworkPath {
    var first = self
    first.changed = []
    return first
  }
}
