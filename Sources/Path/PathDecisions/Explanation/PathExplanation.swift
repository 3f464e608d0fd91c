package import PathModel

/// Explains a verdict step by step, in a form that a user can paste into a bug report.
package enum PathExplanation {
  /// The beginning of the step with the verdict.
  package static let verdictMark = "verdict: "
  /// The beginning of the steps with further causes.
  package static let furtherMark = "also: "

  /// The verdict with its causes, then the evaluation as lines of text, in the order of the decisions.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation to explain.
  ///   - path: The path of the evaluation with the overrides.
  ///   - causes: The causes of its state; see ``PathDiagnosis``.
  ///   - state: The links and addresses of the evaluation.
  ///   - resolver: The resolver configuration of the evaluation.
  ///   - routing: The policy rules and the names of tables.
  ///   - notes: The refusals of the kernel and the system, and other failures, in words.
  package static func steps(
    _ evaluation: PathEvaluation, path: NetworkPath, causes: [Diagnosis], state: KernelState, resolver: ResolverFacts,
    routing: RoutingFacts = RoutingFacts(), notes: [String]
  ) -> [String] {
    var steps = [verdictMark + verdict(path, causes)] + causes.dropFirst().map { furtherMark + $0.sentence }
    steps += path.overrides.map { "override: \($0)" }
    steps += state.interfaces.map { describe($0, evaluation, state) }
    // Some lookups are repeated, and only another answer says anything new.
    var told: Set<PathEvaluation.Lookup> = []
    steps += evaluation.lookups.filter { told.insert($0).inserted }.map { describe($0, state, routing) }
    steps += evaluation.families.flatMap { describe($0, state) }
    steps += alternatives(evaluation, state)
    steps += CostExplanation.steps(path.status == .satisfied ? path.cost : nil, evaluation, state)
    steps += ValidationExplanation.steps(path.validation, evaluation, state, routing)
    steps.append(describe(resolver, evaluation.path))
    if let wait = evaluation.reevaluateAfter { steps.append("evaluated again after \(wait) without any event") }
    steps += notes.map { "note: \($0)" }
    // A step is one line, whatever a name contains, so no name can forge another step.
    return steps.map(\.inOneLine)
  }

  private static func name(_ index: Int32, _ state: KernelState) -> String {
    state[index]?.link.name ?? "interface \(index)"
  }

  private static func familyName(_ family: IPAddress.Family) -> String { family == .ipv4 ? "IPv4" : "IPv6" }

  // MARK: Links

  private static func describe(
    _ interface: KernelState.Interface, _ evaluation: PathEvaluation, _ state: KernelState
  ) -> String {
    let link = interface.link
    var text = "link \(link.name) (index \(link.index)"
    if !link.alternativeNames.isEmpty { text += ", also \(link.alternativeNames.joined(separator: ", "))" }
    if let kind = link.kind { text += ", kind \(kind)" }
    if let master = link.masterIndex { text += ", port of \(name(master, state))" }
    text += "): \(usability(link)); state \(link.operationalState.name)"
    let addresses = interface.addresses.filter { !$0.address.isLoopback }
    if !addresses.isEmpty { text += "; addresses \(addresses.map(describe).joined(separator: ", "))" }
    if let described = evaluation.path.interfaces.first(where: { $0.index == Int(link.index) }) {
      text += "; type \(described.type.rawValue)"
      // A rule with Type= takes the place of the table; its file and line follow.
      if evaluation.rulings[link.index]?.type == nil, let rule = evaluation.classificationRules[link.index] {
        text += " (\(rule))"
      }
    }
    let words = evaluation.rulings[link.index]?.words ?? []
    if !words.isEmpty { text += "; \(words.joined(separator: ", "))" }
    return text
  }

  private static func describe(_ address: AddressFacts) -> String {
    if address.flags.contains(.duplicate) { return "\(address.text) (duplicate)" }
    if address.flags.contains(.tentative) {
      return "\(address.text) (\(address.flags.contains(.optimistic) ? "optimistic" : "tentative"))"
    }
    if address.address.isLinkLocal { return "\(address.text) (link-local)" }
    return address.flags.contains(.deprecated) ? "\(address.text) (deprecated)" : address.text
  }

  /// The reason why nothing gets through an interface, in words.
  package static func obstacle(of interface: KernelState.Interface) -> String {
    if interface.link.isSink || interface.link.obstacle != nil { return usability(interface.link) }
    return interface.hasUsableIPv4Address || interface.hasUsableIPv6Address ? "no route over it" : "no address"
  }

  private static func usability(_ link: LinkFacts) -> String {
    if link.isLoopback { return "loopback" }
    if link.isSink { return "a sink: discards what is sent to it" }
    switch link.obstacle {
    case nil: return "usable"
    case .administrativelyDown: return "set down"
    case .noCarrier: return "no carrier"
    case .dormant: return "waits for authentication"
    case .blocked: return "blocked by spanning tree"
    }
  }

  // MARK: Lookups

  private static func describe(
    _ lookup: PathEvaluation.Lookup, _ state: KernelState, _ routing: RoutingFacts
  ) -> String {
    let query = lookup.query
    var text = query.kind == .match ? "match" : "resolve"
    // Everybody may ask for an explanation, and the kernel tells the servers of WireGuard to root alone.
    text += query.mark.map { " the server of a WireGuard tunnel, mark \($0)" } ?? " \(query.destination)"
    if let source = query.source { text += " from \(source)" }
    if query.interfaceIndex != 0 { text += " bound to \(name(query.interfaceIndex, state))" }
    if let user = query.user { text += " as user \(user)" }
    switch lookup.answer {
    case .refused(let errorNumber): return "\(text): \(refusal(errorNumber))"
    case .route(let route): return "\(text): \(describe(route, query, state, routing))"
    }
  }

  private static func describe(
    _ route: RouteFacts, _ query: RouteQuery, _ state: KernelState, _ routing: RoutingFacts
  ) -> String {
    var text = RouteType.name(route.type)
    if query.kind == .match {
      text += " /\(route.prefixLength) in table \(routing.tableNames[routing.table(of: route)])"
      text += way(to: route, query, routing)
      text += ", metric \(route.metric)"
    }
    for leg in route.legs {
      text += route.legs.count > 1 ? "; leg" : ","
      if let gateway = leg.gateway { text += " via \(gateway)" }
      text += " dev \(name(leg.interfaceIndex, state))"
      if leg.isLinkDown { text += " (link down)" }
      if leg.isDead { text += " (dead)" }
    }
    if query.kind == .resolve { text += ", source \(route.source.map(\.description) ?? "none")" }
    if let expires = route.expires { text += ", expires in \(expires / 100) s" }
    if route.isCloned, query.kind == .match { text += " (this kernel does not report the matching entry)" }
    return text
  }

  /// The rule that leads to a table, unless it is the usual one of table main or local.
  private static func way(to route: RouteFacts, _ query: RouteQuery, _ routing: RoutingFacts) -> String {
    let usual = [RouteTableNames.main, RouteTableNames.local]
    guard query.interfaceIndex == 0, !usual.contains(route.table) else { return "" }
    let flow = PolicyRule.Flow(to: query.destination, from: query.source, user: query.user ?? routing.user)
    return routing.rule(leadingTo: route, for: flow).map { " by rule \($0.priority) (\($0.selector))" } ?? ""
  }

  // MARK: Alternatives

  /// One line for each interface that does not carry the traffic, with the reason.
  private static func alternatives(_ evaluation: PathEvaluation, _ state: KernelState) -> [String] {
    var steps = evaluation.available.map { available in
      "\(name(available.interfaceIndex, state)): usable by bound sockets (\(familyName(available.family)), "
        + "metric \(available.metric)\(available.leg.gateway.map { ", via \($0)" } ?? ""))"
        + preference(over: available, evaluation, state)
    }
    let uplinks = CarrierWalk(state, evaluation.ways).uplinks.map(\.index)
    for interface in state.interfaces {
      let index = interface.link.index
      let isInPath =
        evaluation.families.contains { $0.leads(over: index) }
        || evaluation.available.contains { $0.interfaceIndex == index }
      guard uplinks.contains(index), !isInPath else { continue }
      steps.append("\(interface.link.name) is not used: \(obstacle(of: interface))")
    }
    return steps
  }

  /// The reason why the kernel takes another route than that of an interface which is usable, too.
  private static func preference(
    over available: PathEvaluation.Availability, _ evaluation: PathEvaluation, _ state: KernelState
  ) -> String {
    let match = evaluation.lookups.last { lookup in
      lookup.query.kind == .match && lookup.query.interfaceIndex == 0
        && lookup.query.destination.family == available.family
    }
    guard case .route(let route)? = match?.answer, let leg = route.firstLeg,
      leg.interfaceIndex != available.interfaceIndex
    else { return "" }
    let preferred = name(leg.interfaceIndex, state)
    if route.table != available.table { return ", not used: another table leads over \(preferred)" }
    if route.prefixLength > available.prefixLength {
      return ", not used: the route over \(preferred) is more specific (/\(route.prefixLength))"
    }
    if route.metric < available.metric { return ", not used: \(preferred) has the lower metric \(route.metric)" }
    return ", not used: the kernel takes \(preferred)"
  }

  /// The meaning of an error number of the routing decision.
  private static func refusal(_ errorNumber: Int32) -> String {
    // EOPNOTSUPP, EAFNOSUPPORT
    if [95, 97].contains(errorNumber) { return "the kernel does not know this family" }
    guard let refusal = LookupRefusal(rawValue: errorNumber) else { return "no route (errno \(errorNumber))" }
    return "\(refusal.words) (\(refusal.errorName))"
  }

  // MARK: Verdicts

  private static func describe(_ family: PathEvaluation.FamilyVerdict, _ state: KernelState) -> [String] {
    var steps: [String] = []
    for probe in family.probes {
      guard case .unusable(let obstacle) = probe.outcome else { continue }
      let place = obstacle.interfaceIndex.map { " at \(name($0, state))" } ?? ""
      steps.append("sample address \(probe.destination) has no usable route: \(obstacle.reason.rawValue)\(place)")
    }
    let usable = family.probes.count - steps.count
    var summary =
      "\(familyName(family.family)): \(usable) of \(family.probes.count) sample addresses have a usable route"
    if family.unaskedProbes > 0 { summary += " (\(family.unaskedProbes) not asked for, as most of them agree)" }
    summary += ", so "
    if family.isUsable {
      summary += "supported, over \(family.primaryLegs.map { name($0.interfaceIndex, state) }.joined(separator: ", "))"
      if family.alternates { summary += "; the kernel alternates between routes of equal metric" }
    } else {
      summary += "not supported"
      if let obstacle = family.obstacle, 2 * usable > family.probes.count {
        let place = obstacle.interfaceIndex.map { " at \(name($0, state))" } ?? ""
        summary += ", as nothing gets out below: \(obstacle.reason.rawValue)\(place)"
      }
    }
    return steps + [summary]
  }

  /// Whether names can be looked up, and the reason.
  private static func describe(_ resolver: ResolverFacts, _ path: NetworkPath) -> String {
    let verdict =
      if path.supportsDNS {
        "supported"
      } else {
        "not supported\(path.status == .satisfied ? "" : " without a path")"
      }
    return "DNS \(verdict); name servers: \(resolver.reason)"
  }

  private static func verdict(_ path: NetworkPath, _ causes: [Diagnosis]) -> String {
    guard let cause = causes.first else { return path.description }
    if path.status == .satisfied { return cause.code == .connected ? path.description : cause.sentence }
    return "\(path.status.rawValue), \((path.unsatisfiedReason ?? .noRoute).rawValue): \(cause.sentence)"
  }
}
