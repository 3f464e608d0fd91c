package import PathModel

/// Determines the network path. The decision is pure: it returns questions, takes the answers, and draws the
/// conclusion.
///
/// The evaluator asks the kernel for the ways that connect(2) would choose to a few probe addresses. It never reads the
/// routing table. So rules, marks, metrics, multipath, next-hop objects, VPN splits and expiry are right by
/// construction. The size of the table does not matter.
///
/// The questions go out in batches. A machine with one default route needs a single batch. Each interface that is
/// usable beside it adds questions to a second and a third batch.
/// 1. The match and the resolution for most of the probes of each family (``ProbeInquiry``), and the lookups of the
///    name servers (``NameServerInquiry``).
/// 2. Where they apply, the lookups with a source address, and those of the legs of a multipath route. If the first
///    probes of a family do not agree, its other probes follow (``FamilyInquiry``).
/// 3. The lookups of sockets bound to each other usable interface (``BoundInquiry``), and those on the walk down to the
///    cards (``WayInquiry``). The walk takes as many batches as there are tunnels upon each other.
package struct PathEvaluator {
  private let state: KernelState
  private let probes: ProbeAddresses
  private let user: UInt32?
  private let judge: ProbeJudge
  /// Whether the questions are about the other usable interfaces; before, they are about the probes of each family.
  private var isAskingAboutInterfaces = false
  private var batches: [PathEvaluation.Batch] = []
  private var families: [FamilyInquiry]
  private var nameServers: NameServerInquiry
  /// The verdicts on the families; empty in their stage.
  private var verdicts: [PathEvaluation.FamilyVerdict] = []
  private var bound: [BoundInquiry] = []
  /// The links that the traffic passes on the walk down to the cards.
  private var carrying: [Int32] = []
  private var inquiry: WayInquiry
  /// The next hops of routes to routers of the links that may carry a tunnel; `nil` when the tables were not read.
  private var routesToRouters: [RouteLeg]?

  /// The next questions; empty when none is left.
  package private(set) var questions: [RouteQuery] = []

  /// Evaluates the path of an unbound socket.
  ///
  /// - Parameters:
  ///   - view: The kernel, or a substitute for it.
  ///   - probes: The destinations that stand for the Internet.
  ///   - user: The user whose path it is; `nil` for our own.
  ///   - countsLocal: Whether a destination that is this machine counts as reached. It does when someone asks for that
  ///     destination, and not when it stands for the Internet.
  ///   - formerCarriers: The links over which the traffic last left; see ``PathEvaluation/carriers``.
  ///   - asked: The first batches, if they have just been asked; see ``PathEvaluation/batchesUpToChange(in:)``.
  /// - Throws: The error of `view` when it cannot ask. That is our failure and no statement about the path.
  package static func evaluate<View: KernelView>(
    _ view: inout View, probes: ProbeAddresses, user: UInt32? = nil, countsLocal: Bool = false,
    formerCarriers: [Int32] = [], asked: [PathEvaluation.Batch] = []
  ) throws(View.Failure) -> PathEvaluation {
    // The rest of an evaluation is not generic: code that does not know the kernel's type is slow.
    try view.readRules()
    let situation = view.situation
    let judge = ProbeJudge(
      state: situation.state, policy: situation.rules?.facts ?? PolicyFacts(), countsLocal: countsLocal,
      formerCarriers: formerCarriers)
    let servers = countsLocal ? [] : situation.resolver.askedServers
    var evaluator = PathEvaluator(
      judge, probes: probes, user: user, accessPoints: situation.networks.accessPoints,
      NameServerInquiry(servers, user: user, judge) { view.servesNames(at: $0) })
    while !evaluator.questions.isEmpty {
      let number = evaluator.batches.count
      let isAsked = number < asked.count && asked[number].queries == evaluator.questions
      let answers = isAsked ? asked[number].answers : try view.answers(to: evaluator.questions)
      evaluator.receive(answers) { view.serverQueries(of: $0, for: $1) }
    }
    let doubtful = evaluator.doubtfulCarriers
    if !doubtful.isEmpty { evaluator.routesToRouters = try view.routesToRouters(over: doubtful) }
    return evaluator.conclude(
      resolver: situation.resolver, networks: situation.networks, judgements: view.judgements)
  }

  /// Describes every interface but loopback, by index, including those that no path can use.
  package static func describeInterfaces(
    _ view: inout some KernelView, _ evaluation: PathEvaluation
  ) -> [NetworkInterface] {
    var assembly = PathAssembly(
      state: view.situation.state, families: evaluation.families, available: evaluation.available,
      ways: evaluation.ways, networks: view.situation.networks, judgements: view.judgements)
    return assembly.describeAll()
  }

  /// Begins an evaluation; see ``evaluate(_:probes:user:countsLocal:formerCarriers:asked:)`` for the parameters.
  private init(
    _ judge: ProbeJudge, probes: ProbeAddresses, user: UInt32?, accessPoints: [Int32],
    _ nameServers: NameServerInquiry
  ) {
    self.judge = judge
    self.probes = probes
    self.user = user
    state = judge.state
    var ways = WaysOut()
    (ways.former, ways.accessPoints) = (judge.formerCarriers, accessPoints)
    inquiry = WayInquiry(ways, judge.state, user: user)
    families = IPAddress.Family.allCases.filter { !probes[$0].isEmpty }
      .map { FamilyInquiry($0, probes[$0], user: user) }
    self.nameServers = nameServers
    questions = families.isEmpty ? [] : Self.questions(about: families) + nameServers.questions
  }

  private static func questions(about families: [FamilyInquiry]) -> [RouteQuery] {
    var questions: [RouteQuery] = []
    questions.reserveCapacity(8 * families.count)
    for family in families { family.appendQuestions(to: &questions) }
    return questions
  }

  /// Receives the answers to ``questions``, in their order, and replaces these with the next ones.
  ///
  /// - Parameter servers: The lookups of a tunnel's servers for destinations that the view knows.
  mutating func receive(_ answers: [RouteAnswer], servers: (LinkFacts, [IPAddress]) -> [RouteQuery]?) {
    batches.append(PathEvaluation.Batch(queries: questions, answers: answers))
    if isAskingAboutInterfaces {
      receiveAboutInterfaces(answers, servers)
    } else {
      receiveAboutFamilies(answers, servers)
    }
  }

  private mutating func receiveAboutFamilies(
    _ answers: [RouteAnswer], _ servers: (LinkFacts, [IPAddress]) -> [RouteQuery]?
  ) {
    var position = 0
    for index in families.indices { families[index].receive(answers, from: &position, judge) }
    if batches.count == 1 { nameServers.receive(answers, from: position, judge) }
    questions = Self.questions(about: families)
    if !questions.isEmpty { return }
    verdicts = families.map(\.verdict)
    bound = families.flatMap { boundInquiries($0.family) }
    // The servers that the kernel tells to root alone are read for the links that carry the traffic.
    for index in unique(verdicts.flatMap { $0.primaryLegs.map(\.interfaceIndex) }) {
      inquiry.walk(from: index, to: destinations(over: index), servers)
    }
    carrying = inquiry.passed
    for index in bound.map(\.interfaceIndex) { inquiry.walk(from: index, to: []) { _, _ in nil } }
    isAskingAboutInterfaces = true
    questions = bound.compactMap(\.question) + inquiry.questions
  }

  /// The probes to which packets leave over a link.
  private func destinations(over index: Int32) -> [IPAddress] {
    verdicts.flatMap(\.probes).filter { probe in
      if case .usable(let legs) = probe.outcome { legs.contains { $0.interfaceIndex == index } } else { false }
    }.map(\.destination)
  }

  private mutating func receiveAboutInterfaces(
    _ answers: [RouteAnswer], _ servers: (LinkFacts, [IPAddress]) -> [RouteQuery]?
  ) {
    var position = 0
    for index in bound.indices where bound[index].question != nil {
      bound[index].receive(answers[position], judge)
      position += 1
    }
    inquiry.receive(answers[position...], servers)
    questions = bound.compactMap(\.question) + inquiry.questions
  }

  /// The inquiries about each usable interface that has an address of the family and does not carry its traffic.
  private func boundInquiries(_ family: IPAddress.Family) -> [BoundInquiry] {
    let carriers = verdicts.first { $0.family == family }?.primaryLegs ?? []
    let candidates = state.interfaces.filter { interface in
      let link = interface.link
      return link.obstacle == nil && !link.isLoopback && !link.isSink && hasUsableAddress(interface, family)
        && !carriers.contains { $0.interfaceIndex == link.index }
    }
    if candidates.isEmpty { return [] }
    let destination = probes[family][0]
    let source =
      family == .ipv4 ? nil : SourceSelection.source(for: destination, in: state)
    return candidates.map { interface in
      // The kernel chooses the source regardless of the binding. Replies to another interface's address arrive there.
      let own = source.flatMap { interface.has($0) ? $0 : nil }
      return BoundInquiry(
        destination, boundTo: interface.link.index, sourceAfterRefusal: own, user: user, judge.policy)
    }
  }

  /// Whether a socket bound to the interface has a source address. A socket bound to a routing domain takes that of a
  /// port.
  private func hasUsableAddress(_ interface: KernelState.Interface, _ family: IPAddress.Family) -> Bool {
    if interface.hasUsableAddress(family) || family == .ipv4 && interface.hasTranslatedAddress { return true }
    return interface.link.isRoutingDomain
      && state.interfaces.contains { $0.link.masterIndex == interface.link.index && $0.hasUsableAddress(family) }
  }

  /// The live links of which only the routing tables can tell whether they carry a tunnel; mostly none.
  private var doubtfulCarriers: [Int32] {
    let tunnels = carrying.compactMap { state[$0]?.link }.filter { $0.role == .tunnel }
    if tunnels.isEmpty { return [] }
    let walk = CarrierWalk(state, knownWays)
    return tunnels.contains(where: walk.needsTables) ? walk.possibleCarriers.map(\.index) : []
  }

  /// Whether a link that the traffic takes, or would take, has no key of MACsec yet.
  private var awaitsKey: Bool {
    (carrying + verdicts.compactMap { $0.obstacle?.interfaceIndex }).contains { state[$0]?.link.lacksKey == true }
  }

  private var knownWays: WaysOut {
    var ways = inquiry.ways
    ways.routesToRouters = routesToRouters
    if !ways.underlays.isEmpty {
      let passed = CarrierWalk(state, ways).readingOrder(of: carrying)
      ways.carrying = passed.filter { ways.underlays[$0] != nil }
    }
    ways.add(verdicts, bound.compactMap(\.availability))
    return ways
  }

  /// The evaluation, when no question is left.
  ///
  /// - Parameters:
  ///   - resolver: The resolver configuration.
  ///   - networks: The facts about the networks that do not come from the kernel's routing.
  ///   - judgements: The administrator's rules, with the cached rulings and costs.
  func conclude(
    resolver: ResolverFacts, networks: NetworkFactsTable, judgements: JudgementMemory
  ) -> PathEvaluation {
    var available = bound.compactMap(\.availability)
    available.sort { ($0.metric, $0.interfaceIndex) < ($1.metric, $1.interfaceIndex) }
    let equalRoutes = EqualRoutes(batches)
    let ways = knownWays
    let silentChanges = SilentChanges(
      batches, verdicts, equalRoutes.rivals(among: available), servers: nameServers.servers + inquiry.servers,
      underlays: ways.carryingLegs,
      unannounced: (awaitsKey ? [.seconds(1)] : []) + (nameServers.lacksProgram ? [.seconds(5)] : []))
    let verdicts = verdicts.map { withSource(movingOn($0, equalRoutes, available), available) }
    available.removeAll { candidate in
      verdicts.contains { $0.family == candidate.family && $0.leads(over: candidate.interfaceIndex) }
    }
    var assembly = PathAssembly(
      state: state, families: verdicts, available: available, ways: ways, networks: networks, judgements: judgements,
      isRefusedByRule: isRefusedByRule(verdicts))
    let path = assembly.makePath(servesNames: resolver.isConfigured && nameServers.faults.isEmpty)
    return PathEvaluation(
      path: path, batches: batches, families: assembly.families, available: assembly.available,
      interfaces: assembly.findings, nameServerFaults: nameServers.faults, silentChanges: silentChanges, ways: ways,
      carriers: assembly.carriers)
  }

  /// Whether a policy rule refuses the packets of all families that have an address, with the answer that a missing
  /// route has.
  private func isRefusedByRule(_ verdicts: [PathEvaluation.FamilyVerdict]) -> Bool {
    if judge.policy.rules.isEmpty { return false }
    let addressed = verdicts.filter { verdict in
      state.interfaces.contains { !$0.link.isLoopback && $0.hasUsableAddress(verdict.family) }
    }
    return !addressed.isEmpty
      && addressed.allSatisfy { verdict in
        guard verdict.obstacle == ProbeObstacle(.noRoute), let probe = verdict.probes.first else { return false }
        let flow = PolicyRule.Flow(to: probe.destination, from: nil, user: user ?? judge.policy.user)
        return PolicyRule.asked(by: flow, among: judge.policy.rules).contains { $0.action == .unreachable }
      }
  }

  /// The verdict with the source address for its first next hop. The lookups have shown that of another one where the
  /// kernel alternates between them.
  private func withSource(
    _ verdict: PathEvaluation.FamilyVerdict, _ available: [PathEvaluation.Availability]
  ) -> PathEvaluation.FamilyVerdict {
    guard let index = verdict.primaryLegs.first?.interfaceIndex, verdict.alternates || verdict.source == nil else {
      return verdict
    }
    if let source = verdict.source,
      state[index]?.has(source) == true
        || !verdict.primaryLegs.contains(where: { state[$0.interfaceIndex]?.has(source) == true })
    {
      return verdict
    }
    var found = verdict
    found.source =
      available.first { $0.family == verdict.family && $0.interfaceIndex == index }?.source
      ?? state[index]?.usableAddresses.first { $0.address.family == verdict.family }?.address ?? verdict.source
    return found
  }

  /// The verdict on a family, changed if its IPv4 route leads over a link that carries no packets while an equal route
  /// leads over one that does. The kernel moves to that route with the first packet, as soon as it finds that the first
  /// router does not answer.
  private func movingOn(
    _ verdict: PathEvaluation.FamilyVerdict, _ equalRoutes: EqualRoutes, _ available: [PathEvaluation.Availability]
  ) -> PathEvaluation.FamilyVerdict {
    guard verdict.family == .ipv4, let obstacle = verdict.obstacle, let deadLink = obstacle.interfaceIndex,
      [.noCarrier, .dormant].contains(obstacle.reason)
    else { return verdict }
    let legs = equalRoutes.defaultRoutes(.ipv4, equalTo: deadLink, among: available)
    if legs.isEmpty { return verdict }
    var moved = verdict
    (moved.isUsable, moved.primaryLegs, moved.obstacle) = (true, judge.ordered(legs), nil)
    moved.alternates = legs.count > 1
    return moved
  }
}
