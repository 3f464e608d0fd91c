/// Decides what the network path is. Pure: the kernel is a parameter, and nothing is remembered.
///
/// The kernel is asked, for a few probe addresses, what a connect(2) would do; its routing table is never
/// read. So rules, marks, metrics, multipath, next-hop objects, VPN splits and expiry are right by
/// construction, at a cost that does not depend on the size of the table. Successors: keep it so.
///
/// The questions go out in at most three batches:
/// 1. for each probe, what matches and what connect(2) would do;
/// 2. for each leg of a multipath route what connect(2) bound to it would do, and for each other usable
///    interface what matches when bound to it;
/// 3. for the interfaces found by 2, which source address would be used.
package struct PathEvaluator {
  private let state: KernelState
  private let user: UInt32?
  private let countsLocal: Bool
  private var lookups: [PathEvaluation.Lookup] = []

  /// Evaluates the path of an unbound socket.
  ///
  /// - Parameters:
  ///   - view: The kernel, or what stands for it.
  ///   - probes: The destinations that stand for the Internet.
  ///   - user: Whose path; `nil` for our own.
  ///   - countsLocal: Whether a destination that is this machine counts as reached. It does when someone asks for
  ///     it, and not when it stands for the Internet.
  /// - Throws: What `view` throws when it cannot ask. That is our failure and says nothing of the path.
  package static func evaluate<View: KernelView>(
    _ view: inout View, probes: ProbeAddresses, user: UInt32? = nil, countsLocal: Bool = false
  ) throws(View.Failure) -> PathEvaluation {
    var evaluator = PathEvaluator(state: view.state, user: user, countsLocal: countsLocal)
    var families: [PathEvaluation.FamilyVerdict] = []
    for verdicts in try evaluator.judgeProbes(&view, probes) { families.append(evaluator.summarize(verdicts)) }
    let available = try evaluator.findAvailable(&view, probes, beside: families)
    var assembly = PathAssembly(state: view.state, families: families, available: available)
    let path = assembly.makePath(&view)
    return PathEvaluation(
      path: path, lookups: evaluator.lookups, families: families, available: available,
      classificationRules: assembly.classificationRules,
      reevaluateAfter: evaluator.timeUntilSilentChange(available))
  }

  /// Describes every interface but loopback, by index, also those that no path can use.
  package static func describeInterfaces(
    _ view: inout some KernelView, _ evaluation: PathEvaluation
  ) -> [NetworkInterface] {
    var assembly = PathAssembly(
      state: view.state, families: evaluation.families, available: evaluation.available)
    return assembly.describeAll(&view)
  }

  private init(state: KernelState, user: UInt32?, countsLocal: Bool) {
    self.state = state
    self.user = user
    self.countsLocal = countsLocal
  }

  private mutating func ask<View: KernelView>(
    _ view: inout View, _ queries: [RouteQuery]
  ) throws(View.Failure) -> [RouteAnswer] {
    guard !queries.isEmpty else { return [] }
    let answers = try view.answers(to: queries)
    lookups.reserveCapacity(lookups.count + queries.count)
    for index in queries.indices { lookups.append(.init(query: queries[index], answer: answers[index])) }
    return answers
  }

  // MARK: Probes

  /// The verdicts of the probes of each family that has any.
  private mutating func judgeProbes<View: KernelView>(
    _ view: inout View, _ probes: ProbeAddresses
  ) throws(View.Failure) -> [[PathEvaluation.ProbeVerdict]] {
    let destinations = probes.ipv4 + probes.ipv6
    let answers = try ask(
      &view,
      destinations.flatMap { destination in
        [
          RouteQuery(destination: destination, kind: .match, user: user),
          RouteQuery(destination: destination, kind: .resolve, user: user),
        ]
      })
    var judgements = destinations.indices.map { index in
      judge(match: answers[2 * index], resolution: answers[2 * index + 1])
    }
    try resolveLegs(&view, destinations, &judgements)
    let verdicts = zip(destinations, judgements).map { destination, judgement in
      PathEvaluation.ProbeVerdict(destination: destination, outcome: judgement.outcome)
    }
    return IPAddress.Family.allCases.map { family in verdicts.filter { $0.destination.family == family } }
      .filter { !$0.isEmpty }
  }

  /// A verdict, or what is still to be asked for it.
  private enum Judgement {
    case decided(ProbeOutcome)
    /// The route has several legs: each one's source address is to be asked for.
    case needsSources([RouteLeg])

    var outcome: ProbeOutcome {
      switch self {
      case .decided(let outcome): outcome
      case .needsSources: .unusable(ProbeObstacle(.noRoute))
      }
    }
  }

  private func judge(match: RouteAnswer, resolution: RouteAnswer) -> Judgement {
    let matched: RouteFacts
    switch match {
    case .refused(let errorNumber): return .decided(.unusable(Self.obstacle(errorNumber: errorNumber)))
    case .route(let route): matched = route
    }
    if matched.type == RouteType.local, countsLocal { return .decided(.usable(matched.legs)) }
    guard matched.type == RouteType.unicast else { return .decided(.unusable(Self.obstacle(type: matched.type))) }
    var legs = matched.legs
    if legs.isEmpty, case .route(let resolved) = resolution {
      // A route by next-hop object while net.ipv4.nexthop_compat_mode is 0: only the resolution has the leg.
      legs = resolved.legs
    }
    let usable = legs.filter { obstacle(to: $0) == nil }
    guard !usable.isEmpty else {
      return .decided(.unusable(legs.lazy.compactMap { obstacle(to: $0) }.first ?? ProbeObstacle(.noRoute)))
    }
    if legs.count > 1 { return .needsSources(usable) }
    return .decided(sourceObstacle(resolution, at: usable[0]).map { .unusable($0) } ?? .usable(usable))
  }

  /// Asks for the source address of each leg of multipath routes. One alive leg is enough.
  private mutating func resolveLegs<View: KernelView>(
    _ view: inout View, _ destinations: [IPAddress], _ judgements: inout [Judgement]
  ) throws(View.Failure) {
    var queries: [RouteQuery] = []
    for (destination, judgement) in zip(destinations, judgements) {
      guard case .needsSources(let legs) = judgement else { continue }
      queries += legs.map {
        RouteQuery(destination: destination, kind: .resolve, interfaceIndex: $0.interfaceIndex, user: user)
      }
    }
    var answers = try ask(&view, queries)[...]
    for index in judgements.indices {
      guard case .needsSources(let legs) = judgements[index] else { continue }
      let obstacles = zip(legs, answers.prefix(legs.count)).map { sourceObstacle($1, at: $0) }
      answers = answers.dropFirst(legs.count)
      let usable = zip(legs, obstacles).filter { $0.1 == nil }.map(\.0)
      judgements[index] = .decided(
        usable.isEmpty ? .unusable(obstacles.first.flatMap(\.self) ?? ProbeObstacle(.noRoute)) : .usable(usable))
    }
  }

  // MARK: Obstacles

  /// What an errno of the routing decision means.
  private static func obstacle(errorNumber: Int32) -> ProbeObstacle {
    // EACCES: prohibit; EINVAL: blackhole; EHOSTUNREACH: unreachable. Everything else is "nothing there".
    ProbeObstacle([13, 22, 113].contains(errorNumber) ? .prohibited : .noRoute)
  }

  private static func obstacle(type: UInt8) -> ProbeObstacle {
    let forbids = [RouteType.blackhole, RouteType.unreachable, RouteType.prohibit].contains(type)
    return ProbeObstacle(forbids ? .prohibited : .noRoute)
  }

  /// What keeps a next hop from carrying packets.
  private func obstacle(to leg: RouteLeg) -> ProbeObstacle? {
    let index = leg.interfaceIndex
    guard let link = state[index]?.link else { return ProbeObstacle(.noInterface) }
    // A unicast route over the loopback device leads nowhere, just like one over a sink.
    if link.isSink || link.isLoopback { return ProbeObstacle(.sinkInterface, at: index) }
    switch link.obstacle {
    case .dormant: return ProbeObstacle(.dormant, at: index)
    case .administrativelyDown, .noCarrier: return ProbeObstacle(.noCarrier, at: index)
    case nil: return leg.isLinkDown || leg.isDead ? ProbeObstacle(.noCarrier, at: index) : nil
    }
  }

  /// What keeps packets from having a source address that gets beyond the link.
  private func sourceObstacle(_ resolution: RouteAnswer, at leg: RouteLeg) -> ProbeObstacle? {
    switch resolution {
    case .refused(let errorNumber): Self.obstacle(errorNumber: errorNumber)
    case .route(let route):
      route.source?.isRoutableSource == true ? nil : ProbeObstacle(.noAddress, at: leg.interfaceIndex)
    }
  }

  // MARK: Families

  private func summarize(_ probes: [PathEvaluation.ProbeVerdict]) -> PathEvaluation.FamilyVerdict {
    var routes: [[RouteLeg]] = []
    var obstacles: [ProbeObstacle] = []
    for probe in probes {
      switch probe.outcome {
      case .usable(let legs): routes.append(legs)
      case .unusable(let obstacle): obstacles.append(obstacle)
      }
    }
    let isUsable = 2 * routes.count > probes.count
    return PathEvaluation.FamilyVerdict(
      family: probes[0].destination.family, probes: probes, isUsable: isUsable,
      primaryLegs: isUsable ? Self.mostFrequent(routes) { $0.map(\.interfaceIndex) } ?? [] : [],
      obstacle: isUsable ? nil : Self.mostFrequent(obstacles) { $0 })
  }

  /// The first element of those that share the most frequent key.
  private static func mostFrequent<Element, Key: Hashable>(
    _ elements: [Element], by key: (Element) -> Key
  ) -> Element? {
    var counts: [Key: Int] = [:]
    for element in elements { counts[key(element), default: 0] += 1 }
    let most = counts.values.max()
    return elements.first { counts[key($0)] == most }
  }

  // MARK: Availability

  /// The interfaces over which a bound socket gets to the first probe, best first.
  private mutating func findAvailable<View: KernelView>(
    _ view: inout View, _ probes: ProbeAddresses, beside families: [PathEvaluation.FamilyVerdict]
  ) throws(View.Failure) -> [PathEvaluation.Availability] {
    var queries: [RouteQuery] = []
    for interface in state.interfaces where isCandidate(interface.link) {
      for family in families where interface.hasUsableAddress(family.family) {
        let index = interface.link.index
        if family.primaryLegs.contains(where: { $0.interfaceIndex == index }) { continue }
        queries.append(
          RouteQuery(
            destination: probes[family.family][0], kind: .match, interfaceIndex: index, user: user))
      }
    }
    var found: [PathEvaluation.Availability] = []
    for (query, answer) in zip(queries, try ask(&view, queries)) {
      guard case .route(let route) = answer, route.type == RouteType.unicast else { continue }
      let leg = route.legs.first { $0.interfaceIndex == query.interfaceIndex }
      guard let leg, !leg.isDead, !leg.isLinkDown else { continue }
      found.append(
        .init(
          interfaceIndex: query.interfaceIndex, family: query.destination.family, metric: route.metric, leg: leg,
          isAdvertised: route.origin == RouteOrigin.advertisement))
    }
    let sources = try ask(
      &view,
      found.map {
        RouteQuery(
          destination: probes[$0.family][0], kind: .resolve, interfaceIndex: $0.interfaceIndex, user: user)
      })
    return zip(found, sources).filter { sourceObstacle($1, at: $0.leg) == nil }.map(\.0)
      .sorted { ($0.metric, $0.interfaceIndex) < ($1.metric, $1.interfaceIndex) }
  }

  private func isCandidate(_ link: LinkFacts) -> Bool {
    link.obstacle == nil && !link.isLoopback && !link.isSink
  }

  // MARK: Silent changes

  /// When to look again though nothing is heard: a route's lifetime ends without a message (the message
  /// comes up to 30 s later), and the kernel moves between equal routers by reachability, without any.
  private func timeUntilSilentChange(_ available: [PathEvaluation.Availability]) -> Duration? {
    var moments: [Duration] = []
    var advertisedMetrics: Set<UInt32> = []
    for lookup in lookups where lookup.query.kind == .match {
      guard case .route(let route) = lookup.answer else { continue }
      if let expires = route.expires, expires > 0 { moments.append(.milliseconds(10 * Int(expires) + 10)) }
      if route.origin == RouteOrigin.advertisement, lookup.query.interfaceIndex == 0 {
        advertisedMetrics.insert(route.metric)
      }
    }
    if available.contains(where: { $0.isAdvertised && advertisedMetrics.contains($0.metric) }) {
      moments.append(.seconds(30))
    }
    return moments.min()
  }
}
