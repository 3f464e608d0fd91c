internal import PathEngine
internal import PathModel
package import SystemIO

/// Follows the path for subscribers with the same settle time. It belongs to an event loop.
///
/// The path comes from the service or from the kernel, as the policy says. The source changes when the service comes or
/// goes.
///
/// - The service is preferred. A connection that ends after it has lasted is made again at once, because a service that
///   systemd restarts keeps its socket.
/// - The kernel takes over when nothing listens at the socket, when the service misbehaves, or when its answer takes
///   ``FollowingPolicy/takeOverDelay``.
/// - Where the service alone is asked, its loss is reported after ``FollowingPolicy/lossDelay``.
package final class PathFollower {
  private struct Subscriber {
    let number: Int
    var deliver: (SourceUpdate) -> Void
    /// The subscriber's own subscription to the kernel's path. The engine delivers its current path to each new
    /// subscription.
    var subscription: PathEngine.Subscription?
  }

  private let loop: EventLoop
  private let policy: FollowingPolicy
  /// The settle time of the subscribers; `nil` for the configured one.
  package let settle: Duration?
  private let kernel: SharedEngine
  /// The subscribers in the order of their arrival.
  private var subscribers: [Subscriber] = []
  /// The first update for subscribers that join; `nil` while the kernel is followed, and before the first update.
  private var latest: SourceUpdate?

  private var isOnKernel = false
  private var session: ServiceSession?
  private var hasAnswered = false
  /// The fault of the service; `nil` when it answers, and when it is only absent.
  private var serviceTrouble: PathSourceError?
  private var pauses: RetryPauses
  /// The watch for the service's socket while the service is not there; `nil` otherwise, and where the user has no
  /// inotify instance left. Such a user would soon have none if each follower held one all the time.
  private var socketWatch: FileChangeWatch?
  /// The timers, by the raw value of their purpose; empty when the follower has stopped.
  private var timers: [EventLoop.Timer] = []
  private var hasStopped: Bool { timers.isEmpty }

  private enum Purpose: Int, CaseIterable {
    /// To connect again.
    case retry
    /// To give up a session that does not answer.
    case answer
    /// To ask the kernel meanwhile.
    case takeOver
    /// To report the loss of the service.
    case loss
    /// To ask the kernel again after a failure.
    case kernel
  }

  /// Creates a follower without subscribers, which asks nothing before ``start()``.
  ///
  /// - Parameters:
  ///   - settle: The settle time; `nil` for the configured one.
  ///   - kernel: The engine for the kernel's path, which other followers on the loop may use, too.
  package init(loop: EventLoop, policy: FollowingPolicy, settle: Duration?, kernel: SharedEngine) {
    self.loop = loop
    self.policy = policy
    self.settle = settle
    self.kernel = kernel
    pauses = RetryPauses(first: policy.shortestPause, longest: policy.longestPause)
    timers = Purpose.allCases.map { purpose in
      loop.makeTimer { [unowned self] in self.timeIsUp(for: purpose) }
    }
  }

  /// Begins to follow. To be called once there is a subscriber.
  package func start() {
    if policy.asksService { connect() } else { useKernel() }
  }

  /// Ends the following. To be called before the follower is released, perhaps in a delivery.
  package func stop() {
    leaveKernel()
    subscribers = []
    session?.stop()
    session = nil
    stopWatching()
    for timer in timers { loop.remove(timer) }
    timers = []
  }

  // MARK: Subscribers

  /// Whether there is no subscriber.
  package var isEmpty: Bool { subscribers.isEmpty }

  /// Delivers updates to a subscriber, at first the latest one if there is any.
  package func add(_ number: Int, _ deliver: @escaping (SourceUpdate) -> Void) {
    subscribers.append(Subscriber(number: number, deliver: deliver))
    if let latest { deliver(latest) }
    if isOnKernel { subscribe(number) }
  }

  /// Ends the deliveries to a subscriber.
  package func remove(_ number: Int) {
    guard let position = position(of: number) else { return }
    let subscriber = subscribers.remove(at: position)
    if let subscription = subscriber.subscription { kernel.engine?.cancel(subscription) }
  }

  private func deliver(_ update: SourceUpdate) {
    for subscriber in subscribers { subscriber.deliver(update) }
  }

  private func position(of number: Int) -> Int? { subscribers.lastIndex { $0.number == number } }

  // MARK: The kernel

  /// The fault to report while the kernel is followed; `nil` when there is none.
  private var trouble: PathSourceError? { serviceTrouble ?? kernel.trouble }

  private func useKernel() {
    if isOnKernel || hasStopped { return }
    latest = nil
    do throws(PathSourceError) {
      try kernel.open(self) { [unowned self] in self.deliver(.trouble(self.trouble)) }
      isOnKernel = true
      for subscriber in subscribers { subscribe(subscriber.number) }
    } catch {
      // Our own failure is never "offline": subscribers learn that nothing is known, and the kernel is asked again.
      lose(error)
      set(.kernel, after: policy.kernelPause)
    }
  }

  private func subscribe(_ number: Int) {
    guard let position = position(of: number), let engine = kernel.engine else { return }
    let deliver = subscribers[position].deliver
    deliver(.trouble(trouble))
    // Each delivery may end the subscriber.
    if self.position(of: number) == nil { return }
    let subscription = engine.subscribe(kernel.times(settle)) { deliver(.path($0)) }
    guard let position = self.position(of: number) else { return engine.cancel(subscription) }
    subscribers[position].subscription = subscription
  }

  private func leaveKernel() {
    set(.kernel, after: nil)
    guard isOnKernel else { return }
    isOnKernel = false
    for position in subscribers.indices {
      if let subscription = subscribers[position].subscription { kernel.engine?.cancel(subscription) }
      subscribers[position].subscription = nil
    }
    kernel.close(self)
  }

  // MARK: The service

  private func connect() {
    guard session == nil, !hasStopped else { return }
    set(.retry, after: nil)
    hasAnswered = false
    do throws(PathSourceError) {
      session = try ServiceSession(loop: loop, policy: policy, settle: settle) { [unowned self] in self.handle($0) }
    } catch {
      return serviceFailed(error)
    }
    set(.answer, after: policy.answerLimit)
    if policy.asksKernel, !isOnKernel { set(.takeOver, after: policy.takeOverDelay) }
  }

  private func handle(_ result: Result<NetworkPath, PathSourceError>) {
    switch result {
    case .success(let path):
      for purpose in [Purpose.answer, .takeOver, .loss] { set(purpose, after: nil) }
      if !hasAnswered {
        hasAnswered = true
        serviceTrouble = nil
        stopWatching()
        leaveKernel()
        deliver(.trouble(nil))
      }
      latest = .path(path)
      deliver(.path(path))
    case .failure(let error):
      let hasLasted = session?.hasLasted == true
      session = nil
      if hasLasted { pauses.reset() }
      // A service that fails as soon as it has answered must not be asked again and again without a pause.
      guard hasLasted, error.reply == nil else { return serviceFailed(error) }
      serviceTrouble = error
      interrupt(error)
      connect()
    }
  }

  private func serviceFailed(_ error: PathSourceError) {
    for purpose in [Purpose.answer, .takeOver] { set(purpose, after: nil) }
    serviceTrouble = error.code == .serviceNotRunning ? nil : error
    if policy.asksKernel {
      // Subscribers receive the trouble before the path.
      if isOnKernel { deliver(.trouble(trouble)) } else { useKernel() }
    } else if latest == nil {
      lose(error)
    } else {
      interrupt(error)
    }
    retryLater()
  }

  /// Reports an interruption at once, and a loss only after some time, because the service may return at once.
  private func interrupt(_ error: PathSourceError) {
    if isOnKernel { return }
    switch latest {
    case .lost: return
    case .interrupted: break
    default: set(.loss, after: policy.lossDelay)
    }
    latest = .interrupted(error)
    deliver(.interrupted(error))
  }

  private func lose(_ error: PathSourceError) {
    latest = .lost(error)
    deliver(.lost(error))
  }

  /// Connects again when a socket appears. If there is one that cannot be used, or if its directory cannot be watched,
  /// it tries again after a pause.
  private func retryLater() {
    if hasStopped { return }
    if let watch = socketWatch ?? startWatching() {
      watch.follow { WatchedPlaces(comingOf: policy.socket) }
      if watch.failure == nil, !Files.exists(policy.socket) { return }
    }
    set(.retry, after: pauses.next())
  }

  private func startWatching() -> FileChangeWatch? {
    guard let watch = try? FileChangeWatch() else { return nil }
    do throws(SystemError) {
      try loop.watch(watch.number) { [unowned self] _ in
        if watch.drain() { self.directoryChanged() }
      }
    } catch {
      return nil
    }
    socketWatch = watch
    return watch
  }

  private func stopWatching() {
    if let socketWatch { loop.unwatch(socketWatch.number) }
    socketWatch = nil
  }

  private func directoryChanged() {
    guard session == nil else { return }
    // At once, and again after a short pause: bind(2) makes the socket a moment before listen(2).
    pauses.reset()
    connect()
  }

  // MARK: Time

  private func set(_ purpose: Purpose, after time: Duration?) {
    if hasStopped { return }
    timers[purpose.rawValue].set(time.map { MonotonicInstant.now.advanced(by: $0) })
  }

  private func timeIsUp(for purpose: Purpose) {
    switch purpose {
    case .retry: connect()
    case .takeOver, .kernel: useKernel()
    case .answer:
      session?.stop()
      session = nil
      serviceFailed(.noAnswer(from: policy.socket))
    case .loss:
      if case .interrupted(let error) = latest { lose(error) }
    }
  }
}
