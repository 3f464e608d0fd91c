internal import Glibc
internal import KernelPath
internal import PathDecisions
internal import PathFollowing
internal import PathModel
internal import SystemIO

/// Follows the addresses of this namespace and the path of the service, and ends connections when the rule says so.
///
/// While the service is not there, the path is not known, and nothing ends.
final class ConnectionEnder {
  private let loop: EventLoop
  private let configuration: ConnectionConfiguration
  private let isDryRun: Bool
  private let connections: ConnectionTable
  private let watch: AddressWatch
  private let addresses: AddressTable
  private let follower: PathFollower
  private let report: (String) -> Void
  private var ended: EndedConnections
  private var gone: GoneAddresses
  private var interface = ""
  private var dueTimer: EventLoop.Timer?
  private var restTimer: EventLoop.Timer?
  private var lastProblem: String?
  /// Whether the last reading has failed, so that any address may have been there meanwhile.
  private var isUncertain = false

  /// The shortest time between two readings of the addresses: a storm of changes costs four in a second.
  private static let rest = Duration.milliseconds(250)
  /// The longest time for messages in one reading.
  private static let longestDrain = Duration.milliseconds(20)

  /// Reads the addresses, and prepares to follow the path of the service at the socket.
  init(
    loop: EventLoop, socket: String, _ configuration: ConnectionConfiguration, isDryRun: Bool,
    connections: ConnectionTable, report: @escaping (String) -> Void
  ) throws(KernelPathError) {
    (self.loop, self.configuration, self.isDryRun) = (loop, configuration, isDryRun)
    (self.connections, self.report) = (connections, report)
    // First, so that no change is missed between the reading and the news.
    watch = try AddressWatch()
    addresses = try AddressTable()
    gone = GoneAddresses(grace: configuration.grace)
    ended = EndedConnections(isDryRun: isDryRun, report: report)
    let policy = FollowingPolicy(.service, socket: socket)
    follower = PathFollower(loop: loop, policy: policy, settle: nil, kernel: SharedEngine(loop: loop, policy: policy))
    dueTimer = loop.makeTimer { [unowned self] in self.endDue() }
    restTimer = loop.makeTimer { [unowned self] in
      if self.isUncertain { self.addressesChanged() } else { self.listen() }
    }
    follower.add(0) { [unowned self] in self.observe($0) }
  }

  /// Follows both until the loop stops.
  func run() throws(SystemError) {
    addressesChanged()
    follower.start()
    try loop.run()
    follower.stop()
    for timer in [dueTimer, restTimer].compactMap(\.self) { loop.remove(timer) }
    loop.unwatch(watch.descriptor)
  }

  // MARK: Hints

  private func listen() {
    do throws(SystemError) {
      try loop.watch(watch.descriptor) { [unowned self] _ in self.addressesChanged() }
    } catch {
      complain(error.description)
      restTimer?.set(.now.advanced(by: Self.rest))
    }
  }

  /// Reads the addresses. Messages that come soon afterwards wait.
  private func addressesChanged() {
    loop.unwatch(watch.descriptor)
    restTimer?.set(.now.advanced(by: Self.rest))
    readAddresses()
    dueTimer?.set(gone.nextDue)
  }

  private func observe(_ update: SourceUpdate) {
    var isSatisfied = false
    switch update {
    case .path(let path):
      isSatisfied = path.knowledge == .known && path.status == .satisfied
      interface = path.interfaces.first?.name ?? ""
    case .interrupted, .lost: break
    case .trouble: return
    }
    gone.observe(isSatisfied: isSatisfied, at: .now)
    dueTimer?.set(gone.nextDue)
  }

  /// Brings the addresses up to date. Returns whether that has succeeded; without, nothing may be concluded.
  @discardableResult
  private func readAddresses() -> Bool {
    let wasUncertain = isUncertain
    isUncertain = true
    do throws(KernelPathError) {
      let news = try watch.news(until: .now.advanced(by: Self.longestDrain))
      guard let configured = try addresses.addresses() else { return false }
      gone.observe(Set(configured), seen: news.seen, isIncomplete: news.isIncomplete || wasUncertain, at: .now)
      (isUncertain, lastProblem) = (false, nil)
      return true
    } catch {
      complain(error.description)
      return false
    }
  }

  // MARK: Ending

  private func endDue() {
    // The addresses as they are now: a message may be on its way.
    guard readAddresses() else {
      dueTimer?.set(.now.advanced(by: Self.rest))
      return
    }
    let due = gone.due(at: .now)
    if !due.isEmpty {
      do throws(KernelPathError) {
        try end(due)
      } catch {
        complain(error.description)
      }
      gone.forget(due.keys)
    }
    dueTimer?.set(gone.nextDue)
  }

  private func end(_ due: [IPAddress: MonotonicInstant]) throws(KernelPathError) {
    var ending = try connections.connections(.from(due.keys))
    let delivered = try addresses.delivered(among: Set(ending.map(\.local.address)))
    ending.removeAll { connection in
      delivered.contains(connection.local.address) || connection.isTransparent
        || configuration.exceptions.contains { $0.covers(connection) }
    }
    if !isDryRun {
      let refusals = try connections.end(ending)
      // Those that have ended by themselves are no fault.
      if let fault = refusals.values.first(where: { $0 != ENOENT }) {
        complain(ConnectionTable.refusal(fault).description)
      }
      ending = ending.enumerated().filter { refusals[$0.offset] == nil }.map(\.element)
    }
    let now = MonotonicInstant.now
    ended.add(
      ending.map { connection in
        EndedConnections.Ending(
          connection: connection, absence: due[connection.local.address]?.duration(to: now) ?? .zero,
          interface: interface)
      })
  }

  /// Reports a problem, unless it was the last one.
  private func complain(_ problem: String) {
    if problem != lastProblem { report("\(problem)\(problem.hasSuffix(".") ? "" : ".")") }
    lastProblem = problem
  }
}
