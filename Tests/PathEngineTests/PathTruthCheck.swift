import KernelPath
import KernelTestSupport
import PathEngine
import PathModel
import ProcessTestSupport
import SystemIO

/// Compares all answers about the path of a namespace with the packets that leave it.
final class PathTruthCheck {
  /// The number of connections to each probe, at first and again after a contradiction. Without the second attempt some
  /// leg of a multipath route may not have had its turn.
  private static let attempts = (first: 3, atMost: 60)

  private let namespace: TestNamespace
  private let answers: PathAnswers
  private var observer: PathObserver
  private var paths: Set<NetworkPath> = []
  private var open: ObservedPath.OpenQuestions = []
  private var (namesIPv4Source, hasIPv4Legs) = (false, false)

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
    answers = try PathAnswers()
  }

  func close() { answers.close() }

  /// Runs commands, after removing the former configuration.
  func begin(_ commands: [RoutingCommand]) throws {
    (open, namesIPv4Source, hasIPv4Legs) = ([], false, false)
    try run(RoutingOperations.reset + commands)
  }

  func run(_ commands: [RoutingCommand]) throws {
    if commands.contains(where: { $0.scope == .nearIPv6 && $0.text.contains("from 2001:") }) { open.insert(.boundIPv6) }
    namesIPv4Source = namesIPv4Source || commands.contains { $0.text.contains("from 192.") }
    hasIPv4Legs = hasIPv4Legs || commands.contains { $0.scope == .near && $0.text.contains("weight") }
    if namesIPv4Source && hasIPv4Legs { open.insert(.unusedLegs) }
    try namespace.run(commands)
  }

  /// The wrong answers, in words; `nil` when all answers are right, or become right in time: the kernel announces some
  /// changes up to a second late.
  func contradiction() throws -> String? {
    try answers.contradiction(within: .seconds(3)) { try contradictionNow() }
  }

  private func contradictionNow() throws -> String? {
    let present = try answers.present()
    paths.insert(present[0].path)
    var observed = observer.observe(attempts: Self.attempts.first)
    if present.allSatisfy({ observed.contradictions(in: $0.path, leavingOpen: open).isEmpty }) { return nil }
    observed = observer.observe(attempts: Self.attempts.atMost)
    leaveOpenWhatCannotBeAsked(&observed)
    let found = present.compactMap { source, path -> String? in
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
}
