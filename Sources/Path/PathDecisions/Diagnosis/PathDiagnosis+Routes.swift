internal import PathModel

/// Policy rules, routes and the interfaces that they lead to as causes.
extension PathDiagnosis {
  /// The reason why the routing decision leads nowhere; `nil` when the faults of links or addresses explain it.
  ///
  /// - Parameters:
  ///   - isLinkDead: Whether no link is usable.
  ///   - lacksAddress: Whether no usable link has an address.
  func decisionFinding(isLinkDead: Bool, lacksAddress: Bool) -> Finding? {
    guard let verdict = decidingFamily, let obstacle = verdict.obstacle else { return nil }
    if let tunnel = tunnelWithoutRoute(obstacle) { return isLinkDead ? nil : tunnel }
    if let link = obstacle.interfaceIndex.flatMap({ state[$0]?.link }), walk.lacksPorts(link) {
      return Finding(.bridgeWithoutPorts, link.name, "the route leads over \(link.name), which has no ports")
    }
    let lookup = refusedLookup(of: verdict)
    switch obstacle.reason {
    case .prohibited: return refusal(of: lookup) ?? Finding(.refusedByRoute, nil, UnsatisfiedReason.prohibited.words)
    case .sinkInterface:
      let device = obstacle.interfaceIndex.map(name) ?? "a device"
      return Finding(
        .sinkInterface, device, "the route leads to \(device), which discards all packets, as a VPN's kill switch does")
    case .noCarrier, .dormant, .noInterface: return deadEnd(obstacle, verdict, isLinkDead: isLinkDead)
    case .noAddress:
      if let foreign = foreignSource(of: lookup) { return foreign }
      guard !isLinkDead, !lacksAddress, let index = obstacle.interfaceIndex, let interface = state[index] else {
        return nil
      }
      let finding = defaultWithoutRouter(verdict.family, at: interface) ?? addressFinding(at: interface)
      return preferred(finding, over: interface.link)
    default: return missingRoute(lookup, verdict.family, isLinkDead: isLinkDead, lacksAddress: lacksAddress)
    }
  }

  /// The lack of the source address that the first route to a destination sets, so that the second lookup of connect(2)
  /// is refused; `nil` if there was no such lookup, or the address is one of this machine.
  private func foreignSource(of refused: PathEvaluation.Lookup?) -> Finding? {
    guard let query = refused?.query, let source = query.source,
      !state.interfaces.contains(where: { $0.has(source) })
    else { return nil }
    for lookup in evaluation.unboundMatches where lookup.query.destination == query.destination {
      guard case .route(let route) = lookup.answer, let leg = route.firstLeg else { continue }
      let name = name(leg.interfaceIndex)
      return Finding(
        .noAddress, name,
        "the route over \(name) in table \(routing.tableNames[route.table]) sets the source \(source), which is no "
          + "address of this machine")
    }
    return nil
  }

  /// The family that the causes are about: one with an address, then the one that is closer to a path.
  private var decidingFamily: PathEvaluation.FamilyVerdict? {
    evaluation.families.filter { $0.obstacle != nil }.min { rank($0) < rank($1) }
  }

  private func rank(_ verdict: PathEvaluation.FamilyVerdict) -> (Int, Int) {
    let hasAddress = state.interfaces.contains { !$0.link.isLoopback && $0.hasUsableAddress(verdict.family) }
    let closeness = PathAssembly.closeness.firstIndex { $0 == verdict.obstacle?.reason } ?? PathAssembly.closeness.count
    return (hasAddress ? 0 : 1, closeness)
  }

  /// The last lookup of the first probe that shares the fate of its family.
  func refusedLookup(of verdict: PathEvaluation.FamilyVerdict) -> PathEvaluation.Lookup? {
    let probe = verdict.probes.first { probe in
      if case .unusable(let obstacle) = probe.outcome { obstacle == verdict.obstacle } else { false }
    }
    return probe.flatMap { lastLookup(to: $0.destination) }
  }

  /// The last lookup of the entry for a destination.
  func lastLookup(to destination: IPAddress) -> PathEvaluation.Lookup? {
    for batch in evaluation.batches.reversed() {
      let index = batch.queries.lastIndex { $0.isUnboundMatch && $0.destination == destination }
      if let index { return PathEvaluation.Lookup(query: batch.queries[index], answer: batch.answers[index]) }
    }
    return nil
  }

  func flow(of query: RouteQuery) -> PolicyRule.Flow {
    PolicyRule.Flow(to: query.destination, from: query.source, user: query.user ?? routing.user)
  }

  /// A default route whose source is an address that a host gives itself, although the interface has another one; `nil`
  /// for interfaces without one. DHCP clients make such a route when no server answers.
  private func defaultWithoutRouter(_ family: IPAddress.Family, at interface: KernelState.Interface) -> Finding? {
    guard let address = interface.usableAddresses.first(where: { $0.address.family == family }) else { return nil }
    return Finding(
      .noDefaultRoute, interface.link.name,
      "\(interface.link.name) has \(address), but no default route leads to a router, only one to the link itself",
      circumstances(ofMissingDefault: family, at: interface))
  }

  // MARK: Refusals

  /// The rule or the route that refuses a lookup; `nil` when no rule does and no route is known to.
  func refusal(of lookup: PathEvaluation.Lookup?) -> Finding? {
    guard let lookup else { return nil }
    let flow = flow(of: lookup.query)
    let refusal: LookupRefusal? =
      switch lookup.answer {
      case .refused(let errorNumber): LookupRefusal(rawValue: errorNumber)
      case .route(let route): LookupRefusal(routeType: route.type)
      }
    let answer = refusal.map { "the kernel answers \($0.errorName)" } ?? "the kernel refuses"
    for rule in routing.rules(askedBy: flow) {
      if let word = Self.word(of: rule.action) {
        // Rules of the type `unreachable` answer like a missing route, and so do not belong to the other errors.
        return Finding(
          .refusedByRule, "rule \(rule.priority)",
          "\(answer) by policy rule \(rule.priority) (\(rule.selector) \(word))\(before(rule))")
      }
      guard let table = rule.table, let type = refusal?.routeType,
        let route = routing.refusingRoutes.filter({ route in
          route.table == table && route.type == type
            && lookup.query.destination.matches(route.destination.address, prefixLength: route.destination.length)
        }).max(by: { $0.destination.length < $1.destination.length })
      else { continue }
      let destination =
        route.destination.length == 0 ? "default" : "\(route.destination.address)/\(route.destination.length)"
      let name = routing.tableNames[table]
      let way = table == RouteTableNames.main ? "" : ", which rule \(rule.priority) (\(rule.selector)) asks"
      return Finding(
        .refusedByRoute, "table \(name)",
        "\(answer) by the route '\(RouteType.name(type)) \(destination)' in table \(name)\(way)\(before(rule))"
      )
    }
    return nil
  }

  /// The word of a rule that refuses; `nil` for other rules.
  private static func word(of action: PolicyRule.Action) -> String? {
    switch action {
    case .blackhole: "blackhole"
    case .unreachable: "unreachable"
    case .prohibit: "prohibit"
    case .lookup, .goTo, .none: nil
    }
  }

  /// The words for a rule that the kernel asks before the one of table main.
  func before(_ rule: PolicyRule) -> String {
    guard rule.table != RouteTableNames.main,
      let main = routing.rules?.first(where: { $0.family == rule.family && $0.table == RouteTableNames.main }),
      rule.priority <= main.priority
    else { return "" }
    return " before table main"
  }

  // MARK: Dead ends

  /// The reason why a route leads to a link that carries nothing; `nil` when the faults of the links explain it.
  private func deadEnd(
    _ obstacle: ProbeObstacle, _ verdict: PathEvaluation.FamilyVerdict, isLinkDead: Bool
  ) -> Finding? {
    guard let index = obstacle.interfaceIndex, let link = state[index]?.link else { return nil }
    let way = routedInterface(of: verdict)
    if let way, way != index, !isLinkDead, let upper = state[way]?.link, let below = link.obstacle {
      let cause = finding(at: [link], below)
      return Finding(
        cause.code, cause.subject, "the traffic goes over \(upper.name), but \(cause.clause)", cause.circumstances)
    }
    if link.obstacle != nil, walk.restsOnTunnel(link) {
      return Finding(
        .deadTunnel, link.name,
        "\(isToHost ? "the" : "all") traffic is routed into the tunnel \(link.name), whose other end nobody serves")
    }
    guard !isLinkDead else { return nil }
    if isEmptyBridge(link) {
      let words = "\(link.name) is a bridge without ports, so packets end there"
      return preferred(Finding(.bridgeWithoutPorts, link.name, words), over: link)
    }
    let others = usableAlternatives(to: index)
    guard !others.isEmpty else {
      var roots = culprits(at: link).filter { $0.obstacle != nil }
      if roots.isEmpty { roots = [link] }
      let obstacle = roots.first?.obstacle ?? .noCarrier
      let fault = finding(
        at: roots.filter { $0.obstacle == roots.first?.obstacle }, obstacle, below: roots == [link] ? nil : link)
      return Finding(
        fault.code, fault.subject, "the route leads over \(link.name), but \(fault.clause)", fault.circumstances)
    }
    return Finding(
      mayBeVPN(link) ? .pointToPointDownRoute : .linkDownRoute, link.name,
      "the kernel prefers the route over \(link.name), which \(cause(at: link)), although \(Self.list(others)) "
        + "\(others.count == 1 ? "is" : "are") usable")
  }

  /// The fault of a link to which the route leads. If another link is usable, only the preference of the route keeps
  /// the traffic from that one. A route into a tunnel is not called a mere preference: it may keep traffic in a VPN.
  func preferred(_ fault: Finding, over link: LinkFacts) -> Finding {
    let others = usableAlternatives(to: link.index)
    if others.isEmpty {
      return Finding(
        fault.code, fault.subject, "the route leads over \(link.name), but \(fault.clause)", fault.circumstances)
    }
    let mayRemove = !walk.restsOnTunnel(link) && !mayBeVPN(link)
    return Finding(
      fault.code, fault.subject,
      "the kernel prefers the route over \(link.name), although \(Self.list(others)) "
        + "\(others.count == 1 ? "is" : "are") usable: \(fault.clause)",
      (mayRemove ? [.othersAreUsable] : []) + fault.circumstances)
  }

  /// The fault of a link, with the links below it that cause it.
  private func cause(at link: LinkFacts) -> String {
    let words = Self.words(for: link.obstacle ?? .noCarrier)
    let roots = culprits(at: link)
    guard roots != [link], let obstacle = roots.first?.obstacle else { return words }
    let names = Self.list(roots.filter { $0.obstacle == obstacle }.map(\.name))
    let isOne = roots.count { $0.obstacle == obstacle } == 1
    switch obstacle {
    case .noCarrier: return "\(words), because \(names) \(isOne ? "has" : "have") none"
    case .administrativelyDown: return "\(words), because \(names) \(isOne ? "is" : "are") switched off"
    case .dormant: return "\(words), because \(names) \(isOne ? "waits" : "wait") for authentication"
    case .blocked: return "\(words), because spanning tree blocks \(names)"
    }
  }

  static func words(for obstacle: LinkObstacle) -> String {
    switch obstacle {
    case .administrativelyDown: "is switched off"
    case .noCarrier: "has no carrier"
    case .dormant: "waits for authentication"
    case .blocked: "does not forward at its port"
    }
  }

  /// The other interfaces that bound sockets could use, by name.
  func usableAlternatives(to index: Int32) -> [String] {
    var names: [String] = []
    for available in evaluation.available
    where available.interfaceIndex != index && !names.contains(name(available.interfaceIndex)) {
      names.append(name(available.interfaceIndex))
    }
    return names
  }

  /// The interface to which the routes of a family lead.
  private func routedInterface(of verdict: PathEvaluation.FamilyVerdict) -> Int32? {
    for probe in verdict.probes {
      if case .usable(let legs) = probe.outcome, let leg = legs.first { return leg.interfaceIndex }
    }
    return nil
  }

  /// Whether a link that is no tunnel to the kernel may be the one of a VPN.
  func mayBeVPN(_ link: LinkFacts) -> Bool {
    link.flags.contains(.pointToPoint) || link.kind == "ppp" || link.hardwareType == HardwareType.ppp
  }
}
