import KernelPath
import KernelTestSupport
import PathEngine
import PathModel
import ProcessTestSupport
import SystemIO

/// Compares all answers about the path of a namespace with the packets that leave it.
final class PathTruthCheck {
  /// The time that a stream has to follow: the kernel announces some changes up to a second late.
  static let patience = Duration.seconds(3)
  /// The same while commands are tried in turn, most of which make no difference.
  private static let shortPatience = Duration.milliseconds(400)
  /// The number of connections to each probe, at first and again after a contradiction. Without the second attempt some
  /// leg of a multipath route may not have had its turn.
  private static let attempts = (first: 3, atMost: 60)

  private let namespace: TestNamespace
  private let loop: EventLoop
  private let engine: PathEngine
  private var observer: PathObserver
  private var latest: NetworkPath?
  private var paths: Set<NetworkPath> = []
  private var open: ObservedPath.OpenQuestions = []
  private var (namesIPv4Source, hasIPv4Legs) = (false, false)

  /// The number of different paths in the service's answers.
  var differentPaths: Int { paths.count }

  init(_ namespace: TestNamespace) throws {
    self.namespace = namespace
    try namespace.run(RoutingOperations.preparation(far: namespace.far) + RoutingOperations.reset)
    // By ports too, so that the attempts for one probe use all legs.
    for family in ["ipv4", "ipv6"] { try namespace.setParameter("net.\(family).fib_multipath_hash_policy=1") }
    let cables = RoutingOperations.cables.enumerated().map { (RoutingOperations.hardwareAddress(of: $0), $1) }
    observer = try PathObserver(
      namespace, .tcp, probes: .standard, routeMTU: RoutingOperations.routeMTU,
      names: Dictionary(uniqueKeysWithValues: cables))
    loop = try EventLoop()
    engine = try PathEngine(loop: loop)
    _ = engine.subscribe(.immediate) { [unowned self] in latest = $0 }
  }

  func close() {
    engine.stop()
  }

  /// Runs commands, after removing the former configuration.
  func begin(_ commands: [RoutingCommand]) throws {
    (open, namesIPv4Source, hasIPv4Legs) = ([], false, false)
    try run(RoutingOperations.reset + commands)
  }

  /// Runs more commands.
  func run(_ commands: [RoutingCommand]) throws {
    if commands.contains(where: { $0.scope == .nearIPv6 && $0.text.contains("from 2001:") }) { open.insert(.boundIPv6) }
    namesIPv4Source = namesIPv4Source || commands.contains { $0.text.contains("from 192.") }
    hasIPv4Legs = hasIPv4Legs || commands.contains { $0.scope == .near && $0.text.contains("weight") }
    if namesIPv4Source && hasIPv4Legs { open.insert(.unusedLegs) }
    try namespace.run(commands)
  }

  /// The wrong answers, in words; `nil` when all answers are right, or become right in time.
  func contradiction(within patience: Duration = PathTruthCheck.patience) throws -> String? {
    var found: String?
    let isRight = try loop.run(within: patience) {
      found = try contradictionNow()
      return found == nil
    }
    return isRight ? nil : found
  }

  private func contradictionNow() throws -> String? {
    let asked = engine.freshPath()
    // An answer that finds a change comes one turn of the loop before the deliveries of it.
    try loop.runOnce(until: .now)
    paths.insert(asked)
    let direct = try PathReader(isFollowing: false).path()
    let received = latest ?? .unknown
    var observed = observer.observe(attempts: Self.attempts.first)
    let answers = [("asked of the service", asked), ("asked of the kernel", direct), ("the stream", received)]
    if answers.allSatisfy({ observed.contradictions(in: $1, leavingOpen: open).isEmpty }) { return nil }
    observed = observer.observe(attempts: Self.attempts.atMost)
    leaveOpenWhatCannotBeAsked(&observed)
    let found = answers.compactMap { source, path -> String? in
      let contradictions = observed.contradictions(in: path, leavingOpen: open)
      return contradictions.isEmpty ? nil : "\(source): \(contradictions.joined(separator: "; "))"
    }
    return found.isEmpty ? nil : found.joined(separator: "\n")
  }

  /// The second lookup of a bound IPv6 socket, after a refusal, insists on the interface; a question of `rtnetlink`
  /// with a source does not. So the kernel may answer with a better route of another interface, and neither answer is
  /// wrong.
  private func leaveOpenWhatCannotBeAsked(_ observed: inout ObservedPath) {
    guard let probe = ProbeAddresses.standard.ipv6.first, var family = observed.families[.ipv6] else { return }
    for name in family.bound {
      let question = ["ip", "-n", namespace.near, "-6", "route", "get", "\(probe)", "oif", name, "ipproto", "tcp"]
      guard let answer = try? RunningProgram.runBlocking(question), answer.status != 0 else { continue }
      family.bound.remove(name)
      family.boundAfterRefusal.insert(name)
    }
    observed.families[.ipv6] = family
  }

  // MARK: Fewer commands

  /// The fewest of the commands that still lead to a contradiction, with that contradiction.
  func shrunk(_ commands: [RoutingCommand]) throws -> (commands: [RoutingCommand], contradiction: String?) {
    var fewest = commands
    var contradiction = try contradiction(after: fewest)
    guard contradiction != nil else { return (commands, nil) }
    var size = max(1, fewest.count / 2)
    while true {
      var start = 0
      while start < fewest.count {
        var fewer = fewest
        fewer.removeSubrange(start..<min(start + size, fewest.count))
        if let found = try self.contradiction(after: fewer) {
          (fewest, contradiction) = (fewer, found)
        } else {
          start += size
        }
      }
      if size == 1 { return (fewest, contradiction) }
      size = max(1, size / 2)
    }
  }

  /// The contradiction after these commands alone.
  private func contradiction(after commands: [RoutingCommand]) throws -> String? {
    try begin([])
    _ = try contradiction(within: Self.shortPatience)
    try run(commands)
    return try contradiction(within: Self.shortPatience)
  }
}
