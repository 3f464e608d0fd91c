internal import Dispatch
internal import PathModel
internal import SystemIO

/// What a ``PathMonitor`` does, apart from it: the source holds on to this weakly, and releasing the monitor ends it.
///
/// It follows its source as long as anybody wants to be told: a handler, iterations, observers.
final class MonitorCore: Sendable {
  fileprivate struct Observer {
    var take: @Sendable (NetworkPath) -> Void
    /// What it was told last.
    var last: NetworkPath?
    var whenReleased: @Sendable () -> Void
  }

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
    var fieldChanges = FieldChanges()
    /// Whether anybody has begun while the source was interrupted, and so was told another path first.
    var hasToldInterruption = false
    var run: HandlerRun?
    /// The run that has been offered a path and has to be scheduled, when the lock has been given back.
    var dueRun: HandlerRun?
    var iterations: [Int: AsyncStream<NetworkPath>.Continuation] = [:]
    var observers: [Int: Observer] = [:]
    var nextNumber = 0
    /// Counts the subscriptions to the source: what an earlier one still delivers is void.
    var generation = 0
    var unsubscribe: (@Sendable () -> Void)?
    /// Whether the source is being subscribed to, or is.
    var isFollowing = false

    var isWanted: Bool { run != nil || !iterations.isEmpty || !observers.isEmpty }
  }

  private let provider: any PathProvider
  let view: PathView
  private let published: Guarded<NetworkPath>
  private let state: Guarded<State>
  private let turn = HandlerTurn()
  /// How long ``cancel()`` waits for a call of the handler that is under way. A handler may itself wait for who
  /// cancels; and one that was begun so long ago has surely started.
  private static let patience = DispatchTimeInterval.seconds(1)

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
      // What the old one holds may end with it, and come back here: not under the lock.
      let old = change { state in
        defer { state.handler = newValue }
        // Who sets it a moment after the start is told the first path all the same.
        if state.handler == nil, newValue != nil, state.run != nil, let first = state.first() { state.offer(first) }
        return state.handler
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Changes the state under its lock. A call of the handler that is due then is handed to the queue without the lock,
  /// which it needs itself.
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, run) = state.withLock { state in
      let result = body(&state)
      return (result, state.dueRun.take())
    }
    run?.schedule()
    return result
  }

  // MARK: Who is told

  func start(queue: DispatchQueue) {
    change { state in
      guard state.run == nil else { return }
      state.run = HandlerRun(queue, turn: turn) { [weak self] in self?.handler }
      if let first = state.first() { state.offer(first) }
    }
    follow()
  }

  /// Ends the handler's calls and all iterations.
  func cancel() {
    let iterations = state.withLock { state in
      // Under the lock: of two who cancel at once, the one that finds nothing left to end must not return before.
      state.run?.end()
      defer { (state.run, state.iterations) = (nil, [:]) }
      return Array(state.iterations.values)
    }
    for continuation in iterations { continuation.finish() }
    turn.wait(Self.patience)
    restIfUnwanted()
  }

  /// Ends everything, as the monitor ends.
  func release() {
    cancel()
    let observers = state.withLock { state in
      defer { state.observers = [:] }
      return Array(state.observers.values)
    }
    for observer in observers { observer.whenReleased() }
    restIfUnwanted()
  }

  func makeStream() -> AsyncStream<NetworkPath> {
    let (stream, continuation) = AsyncStream.makeStream(of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextNumber += 1
      state.iterations[state.nextNumber] = continuation
      if let first = state.first() { continuation.yield(first) }
      return state.nextNumber
    }
    continuation.onTermination = { [weak self] _ in
      // What it holds ends outside of the lock.
      let ended = self?.state.withLock { $0.iterations.removeValue(forKey: number) }
      if ended != nil { self?.restIfUnwanted() }
    }
    follow()
    return stream
  }

  /// Calls the observer with each path, in order. It is called under the lock, so that it must neither wait nor come
  /// back here.
  ///
  /// - Returns: What ends it.
  func observe(
    _ observer: @escaping @Sendable (NetworkPath) -> Void, whenReleased: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.nextNumber += 1
      let first = state.first()
      state.observers[state.nextNumber] = Observer(take: observer, last: first, whenReleased: whenReleased)
      if let first { observer(first) }
      return state.nextNumber
    }
    follow()
    return { [weak self] in
      let ended = self?.state.withLock { $0.observers.removeValue(forKey: number) }
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
    let unsubscribe = provider.subscribe { [weak self] in self?.take($0, generation) }
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

  /// Takes what the source says. It says one thing at a time, so that everybody is told in its order.
  ///
  /// - Returns: The run of the handler if a call is due then.
  private func take(_ update: SourceUpdate, _ generation: Int) -> HandlerRun? {
    state.withLock { state in
      guard state.generation == generation, let next = state.take(update, view) else { return nil }
      state.tell(next)
      return state.dueRun.take()
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

  /// Offers the handler a path, if there is one that runs.
  fileprivate mutating func offer(_ path: NetworkPath) {
    if run?.offer(path) == true { dueRun = run }
  }

  /// Tells everybody.
  fileprivate mutating func tell(_ path: NetworkPath) {
    var next = path
    if let told {
      // Numbered by the monitor: streams of several sources may follow each other in it.
      next.sequence = told.sequence + 1
      next.changed = fieldChanges.names(from: told, to: next)
      if hasToldInterruption, next.knowledge == .known, told.knowledge == .known { next.changed.append("knowledge") }
    } else {
      next = next.asFirst
      next.sequence = 0
    }
    hasToldInterruption = false
    told = next
    current = next
    // Who was told just that is not told again: iterations and the handler see to it themselves.
    for continuation in iterations.values { continuation.yield(next) }
    offer(next)
    for (number, observer) in observers where observer.last != next {
      observers[number]?.last = next
      observer.take(next)
    }
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
