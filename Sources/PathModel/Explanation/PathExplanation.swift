/// Explains a verdict step by step, in a form that a user can paste into a bug report.
package enum PathExplanation {
  /// The evaluation as lines of text, in the order of the decisions.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation to explain.
  ///   - cost: The cost of the path with the overrides; `nil` unless it is satisfied.
  ///   - state: The links and addresses of the evaluation.
  ///   - resolver: The resolver configuration of the evaluation.
  ///   - notes: The refusals of the kernel and the system, and other failures, in words.
  package static func steps(
    _ evaluation: PathEvaluation, cost: Cost?, state: KernelState, resolver: ResolverFacts, notes: [String]
  ) -> [String] {
    var steps = state.interfaces.map { describe($0, evaluation) }
    steps += evaluation.lookups.map { describe($0, state) }
    steps += evaluation.families.flatMap { describe($0, state) }
    steps += evaluation.available.map { available in
      "\(name(available.interfaceIndex, state)): usable by bound sockets (\(familyName(available.family)), "
        + "metric \(available.metric)\(available.leg.gateway.map { ", via \($0)" } ?? ""))"
    }
    steps += CostExplanation.steps(cost, evaluation, state)
    steps.append(describe(resolver, evaluation.path))
    if let wait = evaluation.reevaluateAfter { steps.append("evaluated again after \(wait) without any event") }
    steps += notes.map { "note: \($0)" }
    steps.append("verdict: \(verdict(evaluation, state))")
    // A step is one line, whatever a name contains, so no name can forge another step.
    return steps.map(\.inOneLine)
  }

  private static func name(_ index: Int32, _ state: KernelState) -> String {
    state[index]?.link.name ?? "interface \(index)"
  }

  private static func familyName(_ family: IPAddress.Family) -> String { family == .ipv4 ? "IPv4" : "IPv6" }

  // MARK: Links

  private static func describe(_ interface: KernelState.Interface, _ evaluation: PathEvaluation) -> String {
    let link = interface.link
    var text = "link \(link.name) (index \(link.index)"
    if !link.alternativeNames.isEmpty { text += ", also \(link.alternativeNames.joined(separator: ", "))" }
    if let kind = link.kind { text += ", kind \(kind)" }
    if let master = link.masterIndex { text += ", port of \(master)" }
    text += "): \(usability(link)); state \(link.operationalState.name)"
    let addresses = interface.addresses.filter { !$0.address.isLoopback }
    if !addresses.isEmpty { text += "; addresses \(addresses.map(describe).joined(separator: ", "))" }
    if let described = evaluation.path.interfaces.first(where: { $0.index == Int(link.index) }) {
      text += "; type \(described.type.rawValue)"
      if let rule = evaluation.classificationRules[link.index] { text += " (\(rule))" }
    }
    if let ruling = evaluation.rulings[link.index] { text += "; \(ruling.words.joined(separator: ", "))" }
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
    }
  }

  // MARK: Lookups

  private static func describe(_ lookup: PathEvaluation.Lookup, _ state: KernelState) -> String {
    let query = lookup.query
    var text = query.kind == .match ? "match" : "resolve"
    text += " \(query.destination)"
    if let source = query.source { text += " from \(source)" }
    if query.interfaceIndex != 0 { text += " bound to \(name(query.interfaceIndex, state))" }
    if let user = query.user { text += " as user \(user)" }
    switch lookup.answer {
    case .refused(let errorNumber): return "\(text): \(refusal(errorNumber))"
    case .route(let route): return "\(text): \(describe(route, query, state))"
    }
  }

  private static func describe(_ route: RouteFacts, _ query: RouteQuery, _ state: KernelState) -> String {
    var text = RouteType.name(route.type)
    if query.kind == .match {
      text += " /\(route.prefixLength) in table \(route.table), metric \(route.metric)"
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

  /// The meaning of an error number of the routing decision.
  private static func refusal(_ errorNumber: Int32) -> String {
    switch errorNumber {
    case 13: "prohibited (EACCES)"
    case 22: "blackhole (EINVAL)"
    case 95, 97: "the kernel does not know this family"
    case 101: "no route (ENETUNREACH)"
    case 113: "unreachable (EHOSTUNREACH)"
    default: "no route (errno \(errorNumber))"
    }
  }

  // MARK: Verdicts

  private static func describe(_ family: PathEvaluation.FamilyVerdict, _ state: KernelState) -> [String] {
    var steps: [String] = []
    for probe in family.probes {
      guard case .unusable(let obstacle) = probe.outcome else { continue }
      let place = obstacle.interfaceIndex.map { " at \(name($0, state))" } ?? ""
      steps.append("probe \(probe.destination) is not usable: \(obstacle.reason.rawValue)\(place)")
    }
    let usable = family.probes.count - steps.count
    var summary = "\(familyName(family.family)): \(usable) of \(family.probes.count) probes usable"
    if family.unaskedProbes > 0 { summary += " (\(family.unaskedProbes) more could not change that)" }
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

  private static func verdict(_ evaluation: PathEvaluation, _ state: KernelState) -> String {
    let path = evaluation.path
    guard path.status != .satisfied else { return path.description }
    let reason = path.unsatisfiedReason ?? .noRoute
    // If another interface is usable, linkDownRoute takes the place of noCarrier.
    let found = reason == .linkDownRoute ? .noCarrier : reason
    let places = evaluation.families.compactMap { family -> String? in
      guard let obstacle = family.obstacle, obstacle.reason == found else { return nil }
      return obstacle.interfaceIndex.map { name($0, state) }
    }
    return "\(path.status.rawValue), \(reason.rawValue)\(places.first.map { " at \($0)" } ?? ""): \(reason.words)"
  }
}
