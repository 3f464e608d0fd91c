/// Decides what the network path is. Pure: it says what to ask, takes the answers, and concludes.
///
/// The kernel is asked, for a few probe addresses, what connect(2) would do; its routing table is never
/// read. So rules, marks, metrics, multipath, next-hop objects, VPN splits and expiry are right by
/// construction, at a cost that does not depend on the size of the table. Successors: keep it so.
///
/// The questions go out in batches. A machine with one default route takes a single one; each interface that is usable
/// beside it adds its questions to a second and a third:
/// 1. for most of the probes of each family, what matches, and what connect(2) would do (``ProbeInquiry``);
/// 2. where it applies, the lookups with a source address, those of the legs of a multipath route, and both for the other
///    probes of a family whose first ones do not agree (``FamilyInquiry``);
/// 3. the lookups of sockets bound to each other usable interface (``BoundInquiry``).
package struct PathEvaluator {
  private let state: KernelState
  private let probes: ProbeAddresses
  private let user: UInt32?
  private let judge: ProbeJudge
  private var batches: [PathEvaluation.Batch] = []
  private var families: [FamilyInquiry]
  /// The verdicts on the families; empty until nothing is left to ask of them.
  private var verdicts: [PathEvaluation.FamilyVerdict] = []
  private var bound: [BoundInquiry] = []

  /// What to ask next; empty when there is nothing left to ask.
  package private(set) var questions: [RouteQuery] = []

  /// Evaluates the path of an unbound socket.
  ///
  /// - Parameters:
  ///   - view: The kernel, or what stands for it.
  ///   - probes: The destinations that stand for the Internet.
  ///   - user: Whose path; `nil` for our own.
  ///   - countsLocal: Whether a destination that is this machine counts as reached. It does when someone asks for
  ///     it, and not when it stands for the Internet.
  ///   - formerInterface: The interface that carried the traffic before; `nil` when there is none.
  /// - Throws: What `view` throws when it cannot ask. That is our failure and says nothing of the path.
  package static func evaluate<View: KernelView>(
    _ view: inout View, probes: ProbeAddresses, user: UInt32? = nil, countsLocal: Bool = false,
    formerInterface: Int32? = nil
  ) throws(View.Failure) -> PathEvaluation {
    // This is all that is generic: code that does not know the kernel's type is slow.
    let judge = ProbeJudge(
      state: view.state, policy: try view.policy(), countsLocal: countsLocal, formerInterface: formerInterface)
    var evaluator = PathEvaluator(judge, probes: probes, user: user)
    while !evaluator.questions.isEmpty { evaluator.take(try view.answers(to: evaluator.questions)) }
    return evaluator.conclude(resolver: view.resolver, networks: view.networkFacts, judgements: view.judgements) {
      view.device(of: $0)
    }
  }

  /// Describes every interface but loopback, by index, also those that no path can use.
  package static func describeInterfaces(
    _ view: inout some KernelView, _ evaluation: PathEvaluation
  ) -> [NetworkInterface] {
    var assembly = PathAssembly(
      state: view.state, families: evaluation.families, available: evaluation.available, networks: view.networkFacts,
      judgements: view.judgements)
    return assembly.describeAll { view.device(of: $0) }
  }

  /// Begins an evaluation; see ``evaluate(_:probes:user:countsLocal:)`` for the parameters.
  init(_ judge: ProbeJudge, probes: ProbeAddresses, user: UInt32?) {
    self.judge = judge
    self.probes = probes
    self.user = user
    state = judge.state
    families = IPAddress.Family.allCases.filter { !probes[$0].isEmpty }
      .map { FamilyInquiry($0, probes[$0], user: user) }
    questions = families.flatMap(\.questions)
  }

  /// Takes the answers to ``questions``, in their order, and says what to ask next.
  mutating func take(_ answers: [RouteAnswer]) {
    batches.append(PathEvaluation.Batch(queries: questions, answers: answers))
    var remaining = answers[...]
    for index in families.indices { families[index].take(&remaining, judge) }
    for index in bound.indices where bound[index].question != nil {
      if let answer = remaining.popFirst() { bound[index].take(answer, judge) }
    }
    questions = families.flatMap(\.questions)
    if questions.isEmpty, verdicts.isEmpty {
      verdicts = families.map(\.verdict)
      bound = families.flatMap { boundInquiries($0.family) }
    }
    if questions.isEmpty { questions = bound.compactMap(\.question) }
  }

  /// The inquiries about each usable interface that has an address of the family and does not carry its traffic.
  private func boundInquiries(_ family: IPAddress.Family) -> [BoundInquiry] {
    let carriers = verdicts.first { $0.family == family }
    let candidates = state.interfaces.filter { interface in
      let link = interface.link
      return link.obstacle == nil && !link.isLoopback && !link.isSink && hasUsableAddress(interface, family)
        && carriers?.leads(over: link.index) != true
    }
    if candidates.isEmpty { return [] }
    let destination = probes[family][0]
    let source =
      family == .ipv4 ? nil : SourceSelection.source(for: destination, in: state)
    return candidates.map { interface in
      // The source is chosen whatever the socket is bound to. Replies to another interface's address come in there.
      let own = source.flatMap { interface.has($0) ? $0 : nil }
      return BoundInquiry(
        destination, boundTo: interface.link.index, sourceAfterRefusal: own, user: user, judge.policy)
    }
  }

  /// Whether a socket bound to the interface has a source address. One bound to a routing domain takes that of a port.
  private func hasUsableAddress(_ interface: KernelState.Interface, _ family: IPAddress.Family) -> Bool {
    if interface.hasUsableAddress(family) { return true }
    return interface.link.isRoutingDomain
      && state.interfaces.contains { $0.link.masterIndex == interface.link.index && $0.hasUsableAddress(family) }
  }

  /// The evaluation, when there is nothing left to ask.
  ///
  /// - Parameters:
  ///   - resolver: What the resolver configuration says.
  ///   - networks: What others than the kernel say of the networks.
  ///   - judgements: The administrator's rules, and what was concluded of the interfaces before.
  ///   - device: What sysfs says of the device behind a link.
  func conclude(
    resolver: ResolverFacts, networks: NetworkFactsTable, judgements: JudgementMemory,
    device: (LinkFacts) -> DeviceFacts?
  ) -> PathEvaluation {
    var available = bound.compactMap(\.availability)
    available.sort { ($0.metric, $0.interfaceIndex) < ($1.metric, $1.interfaceIndex) }
    let equalRoutes = EqualRoutes(batches)
    let silentChanges = SilentChanges(batches, verdicts, equalRoutes.rivals(among: available))
    let verdicts = verdicts.map { movingOn($0, equalRoutes, available) }
    available.removeAll { candidate in
      verdicts.contains { $0.family == candidate.family && $0.leads(over: candidate.interfaceIndex) }
    }
    var assembly = PathAssembly(
      state: state, families: verdicts, available: available, networks: networks, judgements: judgements)
    let path = assembly.makePath(resolver: resolver, device)
    return PathEvaluation(
      path: path, batches: batches, families: assembly.families, available: assembly.available,
      classificationRules: assembly.classificationRules, costs: assembly.costs, rulings: assembly.rulings,
      silentChanges: silentChanges)
  }

  /// The verdict on a family whose route leads over a link that carries no packets while an equal IPv4 route leads over one
  /// that does: the kernel moves there as soon as it finds that the first router does not answer, with the first packet.
  private func movingOn(
    _ verdict: PathEvaluation.FamilyVerdict, _ equalRoutes: EqualRoutes, _ available: [PathEvaluation.Availability]
  ) -> PathEvaluation.FamilyVerdict {
    guard verdict.family == .ipv4, let obstacle = verdict.obstacle, let deadLink = obstacle.interfaceIndex,
      [.noCarrier, .dormant].contains(obstacle.reason)
    else { return verdict }
    // Only default routes over routers are chosen by them.
    let legs = equalRoutes.rivals(among: available, of: deadLink)
      .filter { $0.family == .ipv4 && $0.prefixLength == 0 && $0.leg.gateway != nil }.map(\.leg)
    if legs.isEmpty { return verdict }
    var moved = verdict
    (moved.isUsable, moved.primaryLegs, moved.obstacle) = (true, judge.ordered(legs), nil)
    moved.alternates = legs.count > 1
    return moved
  }
}
