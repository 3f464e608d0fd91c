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
  private var record: AddressRecord
  private var ended: EndedConnections
  private var gone: GoneAddresses
  /// The indices of the links that have had addresses, and whether each is a tunnel.
  private var tunnels: [Int32: Bool] = [:]
  private var interface = ""
  private var dueTimer: EventLoop.Timer?
  private var restTimer: EventLoop.Timer?
  private var recordTimer: EventLoop.Timer?
  private var lastProblem: String?
  /// The last reason why connections could not be ended.
  private var lastFailure: String?
  /// Whether the last reading has failed, so that any address may have been there meanwhile.
  private var isUncertain = false

  /// The shortest time between two readings of the addresses: a storm of changes costs four in a second.
  private static let rest = Duration.milliseconds(250)
  /// The longest time for messages in one reading.
  private static let longestDrain = Duration.milliseconds(20)
  /// The shortest time between two writings of the record. A program that is killed loses the changes of that time. Its
  /// successor finds most of them in its first reading of the addresses.
  private static let recordRest = Duration.seconds(1)

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
    gone = GoneAddresses(grace: .init(configuration.grace, tunnel: configuration.tunnelGrace))
    record = AddressRecord(report: report)
    record.restore(&gone)
    ended = EndedConnections(isDryRun: isDryRun, namesAll: configuration.namesConnections, report: report)
    let policy = FollowingPolicy(.service, socket: socket)
    follower = PathFollower(loop: loop, policy: policy, settle: nil, kernel: SharedEngine(loop: loop, policy: policy))
    dueTimer = loop.makeTimer { [unowned self] in self.endDue() }
    restTimer = loop.makeTimer { [unowned self] in
      if self.isUncertain { self.addressesChanged() } else { self.listen() }
    }
    recordTimer = loop.makeTimer { [unowned self] in self.record.write(self.gone) }
    follower.add(0) { [unowned self] in self.observe($0) }
  }

  /// Follows both until the loop stops.
  func run() throws(SystemError) {
    addressesChanged()
    record.write(gone)
    follower.start()
    try loop.run()
    follower.stop()
    record.write(gone)
    for timer in [dueTimer, restTimer, recordTimer].compactMap(\.self) { loop.remove(timer) }
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
    var families: Set<IPAddress.Family> = []
    switch update {
    case .path(let path):
      if path.knowledge == .known, path.status == .satisfied {
        families = Set(IPAddress.Family.allCases.filter { $0 == .ipv4 ? path.supportsIPv4 : path.supportsIPv6 })
      }
      interface = path.interfaces.first?.name ?? ""
    case .interrupted, .lost: break
    case .trouble: return
    }
    gone.observe(satisfied: families, at: .now)
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
      // An index that is new may be that of a tunnel.
      if configured.contains(where: { tunnels[$0.interfaceIndex] == nil }) { tunnels = try addresses.tunnels() }
      gone.observe(
        Set(configured.map(\.address)),
        tunnels: Set(configured.filter { tunnels[$0.interfaceIndex] == true }.map(\.address)), seen: news.seen,
        isIncomplete: news.isIncomplete || wasUncertain, at: .now)
      (isUncertain, lastProblem) = (false, nil)
      if recordTimer?.isSet == false { recordTimer?.set(.now.advanced(by: Self.recordRest)) }
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
      var failed = Set(due.keys)
      do throws(KernelPathError) {
        failed = try end(due)
      } catch {
        complainOfFailure(error)
      }
      gone.attempted(due.keys, failed: failed, at: .now)
    }
    dueTimer?.set(gone.nextDue)
  }

  /// Ends the connections of addresses. Returns those of which not all could be ended.
  private func end(_ due: [IPAddress: MonotonicInstant]) throws(KernelPathError) -> Set<IPAddress> {
    var ending = try connections.connections(.from(due.keys))
    let delivered = try addresses.delivered(among: Set(ending.map(\.local.address)))
    ending.removeAll { connection in
      delivered.contains(connection.local.address) || connection.isTransparent
        || configuration.exceptions.contains { $0.covers(connection) }
    }
    let failures = isDryRun ? [:] : connections.end(ending)
    ended.add(ending.indices.filter { failures[$0] == nil }.map { ending[$0] }, due, over: interface)
    // Those that have ended by themselves are no failure.
    let faults = failures.filter { $0.value.errorNumber != ENOENT }
    if let fault = faults.values.first { complainOfFailure(fault) } else { lastFailure = nil }
    return Set(faults.keys.map { ending[$0].local.address })
  }

  /// Reports the reason why connections could not be ended, unless it was the last one. It is tried again.
  private func complainOfFailure(_ error: KernelPathError) {
    if error.description != lastFailure {
      report("\(error.message). It is tried again.\(error.advice.map { " \($0)" } ?? "")")
    }
    lastFailure = error.description
  }

  /// Reports a problem, unless it was the last one.
  private func complain(_ problem: String) {
    if problem != lastProblem { report("\(problem)\(problem.hasSuffix(".") ? "" : ".")") }
    lastProblem = problem
  }
}
