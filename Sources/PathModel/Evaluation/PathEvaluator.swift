/// Decides what the network path is. Pure: it says what to ask, is told the answers, and concludes.
///
/// The kernel is asked, for a few probe addresses, what a connect(2) would do; its routing table is never
/// read. So rules, marks, metrics, multipath, next-hop objects, VPN splits and expiry are right by
/// construction, at a cost that does not depend on the size of the table. Successors: keep it so.
///
/// The questions go out in at most five batches, of which all but the first and the fourth are rare:
/// 1. for most of the probes of each family, what matches, and what connect(2) would do; of IPv4 the former for the first
///    probe and the latter for the others, as both are the same wherever the same default route matches;
/// 2. what is missing where that is not so;
/// 3. both for the other probes of a family whose first ones do not agree;
/// 4. for each leg of a multipath route what connect(2) bound to it would do, and for each other usable
///    interface what matches when bound to it;
/// 5. for the interfaces found by 4, which source address would be used.
package struct PathEvaluator {
  private enum Stage {
    case probes, missing, otherProbes, alternatives, sources, done
  }

  private let state: KernelState
  private let probes: ProbeAddresses
  private let user: UInt32?
  private let judge: ProbeJudge
  private var stage = Stage.probes
  private var batches: [PathEvaluation.Batch] = []
  /// The probes that were asked about and what is known of them, by family.
  private var inquiries: [Inquiry]
  private var families: [PathEvaluation.FamilyVerdict] = []
  private var available: [PathEvaluation.Availability] = []

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
  /// - Throws: What `view` throws when it cannot ask. That is our failure and says nothing of the path.
  package static func evaluate<View: KernelView>(
    _ view: inout View, probes: ProbeAddresses, user: UInt32? = nil, countsLocal: Bool = false
  ) throws(View.Failure) -> PathEvaluation {
    // This is all that is generic: code that does not know the kernel's type is slow.
    var evaluator = PathEvaluator(state: view.state, probes: probes, user: user, countsLocal: countsLocal)
    while !evaluator.questions.isEmpty { evaluator.take(try view.answers(to: evaluator.questions)) }
    var judgements = view.judgements
    defer { view.judgements = judgements }
    return evaluator.conclude(resolver: view.resolver, networks: view.networkFacts, judgements: &judgements) {
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
    let interfaces = assembly.describeAll { view.device(of: $0) }
    view.judgements = assembly.judgements
    return interfaces
  }

  /// Begins an evaluation; see ``evaluate(_:probes:user:countsLocal:)`` for the parameters.
  package init(state: KernelState, probes: ProbeAddresses, user: UInt32?, countsLocal: Bool) {
    self.state = state
    self.probes = probes
    self.user = user
    judge = ProbeJudge(state: state, countsLocal: countsLocal)
    inquiries = IPAddress.Family.allCases.filter { !probes[$0].isEmpty }.map { Inquiry(family: $0) }
    for position in inquiries.indices {
      let family = inquiries[position].family
      askAboutProbes(at: position, probes[family].prefix(probes[family].count / 2 + 1), sharesAnswers: family == .ipv4)
    }
  }

  /// Asks about more probes of a family.
  ///
  /// - Parameter sharesAnswers: Whether what matches the first of them, and what connect(2) would do for the others, may
  ///   say it all.
  private mutating func askAboutProbes(at position: Int, _ destinations: ArraySlice<IPAddress>, sharesAnswers: Bool) {
    for destination in destinations {
      inquiries[position].probes.append(Probe(destination: destination))
      let isAlone = !sharesAnswers || destinations.count == 1
      let isFirst = destination == destinations.first
      if isAlone || isFirst { questions.append(RouteQuery(destination: destination, kind: .match, user: user)) }
      if isAlone || !isFirst { questions.append(RouteQuery(destination: destination, kind: .resolve, user: user)) }
    }
  }

  /// Takes the answers to ``questions``, in their order, and says what to ask next.
  package mutating func take(_ answers: [RouteAnswer]) {
    batches.append(PathEvaluation.Batch(queries: questions, answers: answers))
    let asked = questions
    questions = []
    if stage == .probes || stage == .missing || stage == .otherProbes {
      keepProbes(asked, answers)
      if stage == .probes {
        stage = .missing
        completeProbes()
        if !questions.isEmpty { return }
      }
      judgeProbes()
      if stage == .missing {
        stage = .otherProbes
        askAboutOtherProbes()
        if !questions.isEmpty { return }
      }
      stage = .alternatives
      questions = legQuestions() + interfaceQuestions()
      if !questions.isEmpty { return }
    }
    if stage == .alternatives {
      let legs = legQuestions().count
      settleLegs(answers.prefix(legs))
      families = inquiries.map { summarize($0) }
      findAvailable(asked.dropFirst(legs), answers.dropFirst(legs))
      stage = .sources
      questions = available.map { bound($0.family, $0.interfaceIndex, .resolve) }
      if !questions.isEmpty { return }
    }
    if stage == .sources { keepAvailable(with: answers) }
    stage = .done
  }

  /// The evaluation, when there is nothing left to ask.
  ///
  /// - Parameters:
  ///   - resolver: What the resolver configuration says.
  ///   - networks: What others than the kernel say of the networks.
  ///   - judgements: The administrator's rules, and what was concluded of the interfaces before.
  ///   - device: What sysfs says of the device behind a link.
  package func conclude(
    resolver: ResolverFacts, networks: NetworkFactsTable, judgements: inout JudgementMemory,
    device: (LinkFacts) -> DeviceFacts?
  ) -> PathEvaluation {
    var assembly = PathAssembly(
      state: state, families: families, available: available, networks: networks, judgements: judgements)
    let path = assembly.makePath(resolver: resolver, device)
    judgements = assembly.judgements
    return PathEvaluation(
      path: path, batches: batches, families: families, available: available,
      classificationRules: assembly.classificationRules, costs: assembly.costs, rulings: assembly.spoken,
      reevaluateAfter: timeUntilSilentChange())
  }

  // MARK: Probes

  /// What is known of a probe.
  private struct Probe {
    let destination: IPAddress
    /// What matches it; `nil` until that is known.
    var match: RouteAnswer?
    /// What connect(2) would do for it; `nil` until that is known, and when it does not matter.
    var resolution: RouteAnswer?
  }

  /// What is known of the probes of a family.
  private struct Inquiry {
    let family: IPAddress.Family
    /// Those that were asked about.
    var probes: [Probe] = []
    /// One for each of them that has been judged.
    var judgements: [ProbeJudgement] = []
  }

  private mutating func keepProbes(_ asked: [RouteQuery], _ answers: [RouteAnswer]) {
    for (query, answer) in zip(asked, answers) {
      for position in inquiries.indices where inquiries[position].family == query.destination.family {
        let index = inquiries[position].probes.lastIndex { $0.destination == query.destination }
        guard let index else { continue }
        switch query.kind {
        case .match: inquiries[position].probes[index].match = answer
        case .resolve: inquiries[position].probes[index].resolution = answer
        }
      }
    }
  }

  /// Takes over what is known of another probe that goes the same way, and asks for what is missing then.
  private mutating func completeProbes() {
    for position in inquiries.indices {
      let inquiry = inquiries[position]
      for index in inquiry.probes.indices {
        var probe = inquiry.probes[index]
        if probe.match == nil, let twin = inquiry.probes.first(where: { Self.goTheSameWay($0, probe) }) {
          probe.match = twin.match
        } else if probe.resolution == nil, let twin = inquiry.probes.first(where: { Self.goTheSameWay(probe, $0) }) {
          probe.resolution = twin.resolution
        }
        inquiries[position].probes[index] = probe
        let destination = probe.destination
        if probe.match == nil { questions.append(RouteQuery(destination: destination, kind: .match, user: user)) }
        if let match = probe.match, probe.resolution == nil, ProbeJudge.needsResolution(match) {
          questions.append(RouteQuery(destination: destination, kind: .resolve, user: user))
        }
      }
    }
  }

  /// Whether what connect(2) would do for one probe is what the match of another leads to.
  private static func goTheSameWay(_ matched: Probe, _ resolved: Probe) -> Bool {
    guard let match = matched.match, let resolution = resolved.resolution else { return false }
    return ProbeJudge.leadsEverywhere(match, as: resolution)
  }

  private mutating func judgeProbes() {
    for position in inquiries.indices {
      let inquiry = inquiries[position]
      for probe in inquiry.probes[inquiry.judgements.count...] {
        guard let match = probe.match else { continue }
        inquiries[position].judgements.append(
          judge.judge(inquiry.family, match: match, resolution: probe.resolution ?? match))
      }
    }
  }

  /// Asks about the other probes of a family unless most agree already: then they could change nothing.
  private mutating func askAboutOtherProbes() {
    for position in inquiries.indices {
      let inquiry = inquiries[position]
      let agree = inquiry.judgements.dropFirst().allSatisfy { $0 == inquiry.judgements[0] }
      if !agree {
        askAboutProbes(at: position, probes[inquiry.family][inquiry.probes.count...], sharesAnswers: false)
      }
    }
  }

  /// What connect(2) bound to each leg of the multipath routes would do, in the order of the probes.
  private func legQuestions() -> [RouteQuery] {
    var questions: [RouteQuery] = []
    for inquiry in inquiries {
      for (probe, judgement) in zip(inquiry.probes, inquiry.judgements) {
        guard case .needsSources(let legs) = judgement else { continue }
        for leg in legs {
          questions.append(
            RouteQuery(
              destination: probe.destination, kind: .resolve, interfaceIndex: leg.interfaceIndex, user: user))
        }
      }
    }
    return questions
  }

  /// Decides on multipath routes by the source address of each leg. One alive leg is enough.
  private mutating func settleLegs(_ answers: ArraySlice<RouteAnswer>) {
    var answers = answers
    for position in inquiries.indices {
      for index in inquiries[position].judgements.indices {
        guard case .needsSources(let legs) = inquiries[position].judgements[index] else { continue }
        let obstacles = zip(legs, answers.prefix(legs.count)).map { judge.sourceObstacle($1, at: $0) }
        answers = answers.dropFirst(legs.count)
        let usable = zip(legs, obstacles).filter { $0.1 == nil }.map(\.0)
        let obstacle = obstacles.first.flatMap(\.self) ?? ProbeObstacle(.noRoute)
        inquiries[position].judgements[index] = .decided(usable.isEmpty ? .unusable(obstacle) : .usable(usable))
      }
    }
  }

  // MARK: Families

  private func summarize(_ inquiry: Inquiry) -> PathEvaluation.FamilyVerdict {
    var verdicts: [PathEvaluation.ProbeVerdict] = []
    var routes: [[RouteLeg]] = []
    var obstacles: [ProbeObstacle] = []
    for (probe, judgement) in zip(inquiry.probes, inquiry.judgements) {
      guard case .decided(let outcome) = judgement else { continue }
      verdicts.append(.init(destination: probe.destination, outcome: outcome))
      switch outcome {
      case .usable(let legs): routes.append(legs)
      case .unusable(let obstacle): obstacles.append(obstacle)
      }
    }
    let total = probes[inquiry.family].count
    let isUsable = 2 * routes.count > total
    return PathEvaluation.FamilyVerdict(
      family: inquiry.family, probes: verdicts, unaskedProbes: total - verdicts.count, isUsable: isUsable,
      primaryLegs: isUsable ? Self.mostFrequent(routes) { Self.leadTheSameWay($0, $1) } ?? [] : [],
      obstacle: isUsable ? nil : Self.mostFrequent(obstacles) { $0 == $1 })
  }

  private static func leadTheSameWay(_ left: [RouteLeg], _ right: [RouteLeg]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.interfaceIndex == $1.interfaceIndex }
  }

  /// The first of the elements that have the most equals. They are a handful: no hashing.
  private static func mostFrequent<Element>(
    _ elements: [Element], _ areEqual: (Element, Element) -> Bool
  ) -> Element? {
    var best: (count: Int, index: Int)?
    for index in elements.indices {
      let count = elements.count { areEqual($0, elements[index]) }
      if count > best?.count ?? 0 { best = (count, index) }
    }
    return best.map { elements[$0.index] }
  }

  // MARK: Availability

  /// What matches the first probe of a family when bound to an interface, or what connect(2) would then do.
  private func bound(_ family: IPAddress.Family, _ index: Int32, _ kind: RouteQuery.Kind) -> RouteQuery {
    RouteQuery(destination: probes[family][0], kind: kind, interfaceIndex: index, user: user)
  }

  /// The questions for each usable interface that has an address of the family and is not on all probes' way.
  private func interfaceQuestions() -> [RouteQuery] {
    let onTheWay = inquiries.map { (family: $0.family, indices: commonLegs($0)) }
    var questions: [RouteQuery] = []
    for interface in state.interfaces {
      let link = interface.link
      guard link.obstacle == nil, !link.isLoopback, !link.isSink else { continue }
      for (family, indices) in onTheWay where interface.hasUsableAddress(family) {
        if !indices.contains(link.index) { questions.append(bound(family, link.index, .match)) }
      }
    }
    return questions
  }

  /// The interfaces by which all probes of a family leave. Without a majority the family is not usable as a
  /// whole, yet an interface may be when bound to: then there are none.
  private func commonLegs(_ inquiry: Inquiry) -> [Int32] {
    var reached = 0
    var common: [Int32] = []
    for judgement in inquiry.judgements {
      let legs: [RouteLeg]
      switch judgement {
      case .decided(.usable(let usable)): legs = usable
      case .needsSources(let usable): legs = usable
      case .decided(.unusable): continue
      }
      reached += 1
      if reached == 1 {
        common = legs.map(\.interfaceIndex)
      } else {
        common.removeAll { index in !legs.contains { $0.interfaceIndex == index } }
      }
    }
    return 2 * reached > probes[inquiry.family].count ? common : []
  }

  /// Takes the interfaces that have a route of their own, best first.
  private mutating func findAvailable(_ queries: ArraySlice<RouteQuery>, _ answers: ArraySlice<RouteAnswer>) {
    for (query, answer) in zip(queries, answers) {
      guard case .route(let route) = answer, route.type == RouteType.unicast else { continue }
      let leg = route.legs.first { $0.interfaceIndex == query.interfaceIndex }
      guard let leg, !leg.isDead, !leg.isLinkDown else { continue }
      let family = query.destination.family
      if families.contains(where: { $0.family == family && $0.leads(over: query.interfaceIndex) }) { continue }
      available.append(
        .init(
          interfaceIndex: query.interfaceIndex, family: family, metric: route.metric, leg: leg,
          isAdvertised: route.origin == RouteOrigin.advertisement))
    }
    available.sort { ($0.metric, $0.interfaceIndex) < ($1.metric, $1.interfaceIndex) }
  }

  /// Keeps those of the interfaces that have a source address for the way.
  private mutating func keepAvailable(with answers: [RouteAnswer]) {
    available = zip(available, answers).filter { judge.sourceObstacle($1, at: $0.leg) == nil }.map(\.0)
  }

  // MARK: Silent changes

  /// How much longer a route may live than the kernel says: it rounds down to hundredths of a second, and ends the route
  /// with the tick after its time, which comes a hundred times a second or more often. Who looked earlier would find it
  /// there, with no end any more.
  private static let expiryMargin = Duration.milliseconds(30)

  /// When to look again though nothing is heard: a route's lifetime ends without a message (the message
  /// comes up to 30 s later), and the kernel moves between equal routers by reachability, without any.
  private func timeUntilSilentChange() -> Duration? {
    var moments: [Duration] = []
    var advertisedMetrics: [UInt32] = []
    for batch in batches {
      for index in batch.queries.indices where batch.queries[index].kind == .match {
        guard case .route(let route) = batch.answers[index] else { continue }
        if let expires = route.expires, expires > 0 {
          moments.append(.milliseconds(10 * Int(expires)) + Self.expiryMargin)
        }
        if route.origin == RouteOrigin.advertisement, batch.queries[index].interfaceIndex == 0 {
          advertisedMetrics.append(route.metric)
        }
      }
    }
    if available.contains(where: { $0.isAdvertised && advertisedMetrics.contains($0.metric) }) {
      moments.append(.seconds(30))
    }
    return moments.min()
  }
}
