internal import KernelPath
internal import PathEngine
internal import PathFeeds
internal import PathModel
internal import SystemIO
internal import Varlink

/// The paths for all subscriptions of a thread with the same settle time: from the service or from the kernel, and
/// from the one after the other when the service comes or goes. It belongs to the thread's loop.
///
/// - The service is preferred where it may be asked. Losing it leads to another attempt at once, for a service that is
///   restarted by systemd keeps its socket.
/// - The kernel takes over when nobody listens, when what listens misbehaves, or when it takes ``takeOverDelay``.
/// - Where only the service may be asked, its loss is told after ``ServiceSession/patience``.
final class SourceFeed {
  /// How long the service may take to answer before the kernel is asked.
  static let takeOverDelay = Duration.milliseconds(200)
  private static let shortestPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(60)

  private struct Member {
    var deliver: (SourceUpdate) -> Void
    /// Its place in the kernel's stream: a member that joins there is told what is true at that moment.
    var subscription: PathEngine.Subscription?
  }

  private let loop: EventLoop
  private let origin: SourceOrigin
  private let settle: Duration?
  private let kernel: KernelAccess
  private var members: [Int: Member] = [:]
  /// What members that join are told first; `nil` while the kernel tells them, or when there is nothing.
  private var latest: SourceUpdate?

  private var isOnKernel = false
  private var session: ServiceSession?
  private var hasAnswered = false
  /// What is wrong with the service; `nil` when it answers, or when it merely is not there.
  private var serviceTrouble: PathSourceError?
  private var pause = SourceFeed.shortestPause
  private let watch: FileChangeWatch?
  /// By the raw value of their purpose; empty when the feed has stopped.
  private var timers: [EventLoop.Timer] = []

  private enum Purpose: Int, CaseIterable {
    /// To connect again.
    case retry
    /// To give up a session that does not answer.
    case answer
    /// To ask the kernel meanwhile.
    case takeOver
    /// To tell that the service is lost.
    case loss
    /// To ask a kernel again that could not be asked.
    case kernel
  }

  init(loop: EventLoop, origin: SourceOrigin, settle: Duration?, kernel: KernelAccess) {
    self.loop = loop
    self.origin = origin
    self.settle = settle
    self.kernel = kernel
    watch = origin.socketPath == nil ? nil : try? FileChangeWatch()
    timers = Purpose.allCases.map { purpose in
      loop.makeTimer { [unowned self] in self.timeIsUp(for: purpose) }
    }
    if let watch {
      try? loop.watch(watch.number) { [unowned self] _ in
        if watch.drain() { self.directoryChanged() }
      }
    }
  }

  /// Begins; to be called once there is a member.
  func start() {
    if origin.socketPath != nil { connect() } else { useKernel() }
  }

  func stop() {
    leaveKernel()
    session?.stop()
    session = nil
    if let watch { loop.unwatch(watch.number) }
    for timer in timers { loop.remove(timer) }
    timers = []
  }

  // MARK: Members

  var isEmpty: Bool { members.isEmpty }

  func add(_ number: Int, _ deliver: @escaping (SourceUpdate) -> Void) {
    members[number] = Member(deliver: deliver)
    if let latest { deliver(latest) }
    if isOnKernel { subscribe(number) }
  }

  func remove(_ number: Int) {
    guard let member = members.removeValue(forKey: number) else { return }
    if let subscription = member.subscription { kernel.engine?.cancel(subscription) }
  }

  private func tell(_ update: SourceUpdate) {
    for member in members.values { member.deliver(update) }
  }

  // MARK: The kernel

  /// What is wrong while the kernel tells the path.
  private var trouble: PathSourceError? { serviceTrouble ?? kernel.trouble }

  private func useKernel() {
    if isOnKernel { return }
    latest = nil
    do throws(KernelPathError) {
      try kernel.open(self) { [unowned self] in self.tell(.trouble(self.trouble)) }
      isOnKernel = true
      for number in members.keys { subscribe(number) }
    } catch {
      // Our failure is never "offline": those who wait are told that nothing is known, and we try again.
      lose(PathSourceError(error))
      set(.kernel, after: .seconds(5))
    }
  }

  private func subscribe(_ number: Int) {
    guard let deliver = members[number]?.deliver, let engine = kernel.engine else { return }
    let times = kernel.times(settle)
    deliver(.trouble(trouble))
    members[number]?.subscription = engine.subscribe(times) { deliver(.path($0)) }
  }

  private func leaveKernel() {
    set(.kernel, after: nil)
    guard isOnKernel else { return }
    isOnKernel = false
    for (number, member) in members {
      if let subscription = member.subscription { kernel.engine?.cancel(subscription) }
      members[number]?.subscription = nil
    }
    kernel.close(self)
  }

  // MARK: The service

  private func connect() {
    guard let path = origin.socketPath, session == nil else { return }
    set(.retry, after: nil)
    hasAnswered = false
    do throws(ServiceFailure) {
      session = try ServiceSession(loop: loop, socket: path, settle: settle) { [unowned self] in self.take($0) }
    } catch {
      return serviceFailed(error)
    }
    set(.answer, after: ServiceSession.patience)
    if origin.mayUseKernel, !isOnKernel { set(.takeOver, after: Self.takeOverDelay) }
  }

  private func take(_ result: Result<NetworkPath, ServiceFailure>) {
    switch result {
    case .success(let path):
      for purpose in [Purpose.answer, .takeOver, .loss] { set(purpose, after: nil) }
      if !hasAnswered {
        hasAnswered = true
        serviceTrouble = nil
        leaveKernel()
        tell(.trouble(nil))
      }
      latest = .path(path)
      tell(.path(path))
    case .failure(let failure):
      let hasLasted = session?.hasLasted == true
      session = nil
      if hasLasted { pause = Self.shortestPause }
      // One that fails as soon as it has answered would be asked again and again without a pause.
      guard hasLasted, case .connection = failure else { return serviceFailed(failure) }
      let error = PathSourceError(failure)
      serviceTrouble = error
      interrupt(error)
      connect()
    }
  }

  private func serviceFailed(_ failure: ServiceFailure) {
    let error = PathSourceError(failure)
    for purpose in [Purpose.answer, .takeOver] { set(purpose, after: nil) }
    serviceTrouble = failure.isAbsence ? nil : error
    if origin.mayUseKernel {
      // Who moves over is told of the trouble before the path.
      if isOnKernel { tell(.trouble(trouble)) } else { useKernel() }
    } else if latest == nil {
      lose(error)
    } else {
      interrupt(error)
    }
    retryLater()
  }

  /// The service may be back at once: only who asks is told, until the time is up.
  private func interrupt(_ error: PathSourceError) {
    if isOnKernel { return }
    switch latest {
    case .lost: return
    case .interrupted: break
    default: set(.loss, after: ServiceSession.patience)
    }
    latest = .interrupted(error)
    tell(.interrupted(error))
  }

  private func lose(_ error: PathSourceError) {
    latest = .lost(error)
    tell(.lost(error))
  }

  /// Where there is no socket, its directory tells when there is one. Otherwise it is tried now and then.
  private func retryLater() {
    guard let path = origin.socketPath else { return }
    if let watch {
      watch.follow { WatchedPlaces(comingOf: path) }
      if !Files.exists(path) { return }
    }
    set(.retry, after: pause)
    pause = min(pause * 2, Self.longestPause)
  }

  private func directoryChanged() {
    guard session == nil else { return }
    // At once, and soon again: a socket is there a moment before it is listened at.
    pause = Self.shortestPause
    connect()
  }

  // MARK: Time

  private func set(_ purpose: Purpose, after time: Duration?) {
    if timers.isEmpty { return }
    timers[purpose.rawValue].set(time.map { MonotonicInstant.now.advanced(by: $0) })
  }

  private func timeIsUp(for purpose: Purpose) {
    switch purpose {
    case .retry: connect()
    case .takeOver, .kernel: useKernel()
    case .answer:
      session?.stop()
      session = nil
      let description = "\(origin.socketPath ?? "the service") does not answer"
      serviceFailed(.connection(VarlinkClient.Failure(kind: .timedOut, description: description)))
    case .loss:
      if case .interrupted(let error) = latest { lose(error) }
    }
  }
}
