internal import PathModel

/// The lack of a route as a cause.
extension PathDiagnosis {
  /// The reason why no connection to the destination is possible, whatever the routes: it is not the address of one
  /// host. `nil` for the address of a host.
  var groupFinding: Finding? {
    guard isToHost, let destination = evaluation.families.first?.probes.first?.destination else { return nil }
    let types = evaluation.lookups.compactMap { lookup -> UInt8? in
      if case .route(let route) = lookup.answer { route.type } else { nil }
    }
    let kind: String
    if destination.isMulticast || types.contains(RouteType.multicast) {
      kind = "a multicast address"
    } else if destination.isLimitedBroadcast || types.contains(RouteType.broadcast) {
      kind = "a broadcast address"
    } else {
      return nil
    }
    return Finding(
      .noRouteToAddress, "\(destination)",
      "\(destination) is \(kind): packets reach many hosts, and no connection is made",
      [.isManyHosts])
  }

  /// The reason why no route leads to the destination; `nil` when the faults of links or addresses explain it.
  func missingRoute(
    _ lookup: PathEvaluation.Lookup?, _ family: IPAddress.Family, isLinkDead: Bool, lacksAddress: Bool
  ) -> Finding? {
    if let finding = lookup.flatMap({ missingRule($0, family) }) { return finding }
    if let domain = routingDomain(leadingOut: family) {
      let what = isToHost ? lookup.map { "route to \($0.query.destination)" } : nil
      return Finding(
        .routeInVRF, domain.name,
        "the only \(what ?? "default route") is that of the VRF \(domain.name), which serves programs that are bound to it"
      )
    }
    if lacksAddress { return nil }
    // A link that is down has lost its routes; one without a carrier keeps them.
    let links =
      isLinkDead
      ? state.interfaces.filter { $0.link.obstacle == .noCarrier } : usableLinks.compactMap { state[$0.index] }
    let addressed = links.first { $0.hasUsableAddress(family) && !$0.link.isLoopback && !$0.link.isSink }
    if isToHost || lookup.map({ !isStandard($0.query.destination) }) ?? false {
      guard let destination = lookup?.query.destination, !isLinkDead else { return nil }
      return Finding(.noRouteToAddress, "\(destination)", "no route leads to \(destination)")
    }
    guard let addressed, let address = addressed.usableAddresses.first(where: { $0.address.family == family }) else {
      return isLinkDead ? nil : Finding(.noDefaultRoute, nil, withoutDefault(family))
    }
    return Finding(
      .noDefaultRoute, addressed.link.name,
      "\(addressed.link.name) has \(address), but \(withoutDefault(family, at: addressed.link))",
      circumstances(ofMissingDefault: family, at: addressed))
  }

  /// A policy rule that refuses like a missing route, or the lack of the one that leads to table main.
  private func missingRule(_ lookup: PathEvaluation.Lookup, _ family: IPAddress.Family) -> Finding? {
    if let rule = routing.rules(askedBy: flow(of: lookup.query)).first(where: { $0.action == .unreachable }) {
      return Finding(
        .refusedByRule, "rule \(rule.priority)",
        "the kernel answers ENETUNREACH by policy rule \(rule.priority) (\(rule.selector) unreachable)\(before(rule))")
    }
    guard routing.defaultsOfMain.contains(family), !routing.leadsToMain(flow(of: lookup.query))
    else { return nil }
    // Rules that lead there for other packets are the work of a program, such as the kill switch of a VPN.
    let rules = (routing.rules ?? []).filter { $0.family == family && $0.table == RouteTableNames.main }
    if let rule = rules.first(where: { $0.suppressedPrefixLength == nil }) ?? rules.first {
      let purpose = rule.suppressedPrefixLength == nil ? "(\(rule.selector)) asks for other packets" : "asks for others"
      return Finding(
        .noRuleForMainTable, "table main",
        "no policy rule leads this traffic to the default route of table main, which rule \(rule.priority) \(purpose)",
        [.isRouteOfRule])
    }
    return Finding(
      .noRuleForMainTable, "table main", "no policy rule leads to table main, which has a default route")
  }

  /// The words for a missing default route: that of a rule for some packets only, or none at all.
  func withoutDefault(_ family: IPAddress.Family, at link: LinkFacts? = nil) -> String {
    if let rule = ruleWithDefault(family), let table = rule.table {
      return "the only default route is in table \(routing.tableNames[table]), which rule \(rule.priority) "
        + "(\(rule.selector)) asks for its packets alone"
    }
    let ignoring = family == .ipv6 && link.map { routing.ignoringAdvertisements.contains($0.index) } ?? false
    return "there is no default route\(ignoring ? Self.ignoringWords : "")"
  }

  /// The circumstances of an interface that has an address of a family, and no default route.
  func circumstances(
    ofMissingDefault family: IPAddress.Family, at interface: KernelState.Interface
  ) -> [Diagnosis.Circumstance] {
    var circumstances: [Diagnosis.Circumstance] = []
    if ruleWithDefault(family) != nil { circumstances.append(.isRouteOfRule) }
    if servesOthers(interface.link) { circumstances.append(.servesOthers) }
    let addresses = interface.usableAddresses.filter { $0.address.family == family }
    let isBeyond = addresses.allSatisfy {
      $0.prefixLength == family.bitWidth || routing.unroutedAddresses.contains($0.address)
    }
    if isBeyond { circumstances.append(.routerIsBeyondPrefix) }
    if family == .ipv6, routing.ignoringAdvertisements.contains(interface.link.index) {
      circumstances.append(.ignoresAdvertisements)
    }
    return circumstances
  }

  /// The first rule for some packets whose table has the default route that the others lack.
  private func ruleWithDefault(_ family: IPAddress.Family) -> PolicyRule? {
    if routing.defaultsOfRules.isEmpty { return nil }
    return (routing.rules ?? []).first { rule in
      rule.family == family && rule.table.map { routing.defaultsOfRules.contains(.init(family, $0)) } ?? false
    }
  }

  /// Whether a default route over a link would lead to those whom this machine serves. A bridge and an access point do,
  /// and so does the LAN of a router whose other line has no address. A pair does beside links of other kinds; among
  /// pairs it is the cable of a container.
  private func servesOthers(_ link: LinkFacts) -> Bool {
    if link.kind == "bridge" || evaluation.ways.accessPoints.contains(link.index) { return true }
    if link.forwards, !waitingForAddress.isEmpty { return true }
    return link.isPair
      && state.interfaces.contains { other in
        !other.link.isLoopback && !other.link.isSink && !other.link.isPair && other.link.kind != "bridge"
          && !walk.restsOnTunnel(other.link)
      }
  }

  /// The VRF in whose table bound sockets find the route that others lack.
  private func routingDomain(leadingOut family: IPAddress.Family) -> LinkFacts? {
    for available in evaluation.available where available.family == family {
      guard let link = state[available.interfaceIndex]?.link else { continue }
      if let domain = link.isRoutingDomain ? link : link.masterIndex.flatMap({ state[$0]?.link }),
        domain.isRoutingDomain
      {
        return domain
      }
    }
    return nil
  }

  private func isStandard(_ probe: IPAddress) -> Bool { ProbeAddresses.standard[probe.family].contains(probe) }
}

extension IPAddress {
  /// Whether the address is of 224.0.0.0/4 or ff00::/8.
  fileprivate var isMulticast: Bool { family == .ipv4 ? low >> 28 == 0xe : high >> 56 == 0xff }
  /// Whether the address is 255.255.255.255.
  fileprivate var isLimitedBroadcast: Bool { family == .ipv4 && low == 0xffff_ffff }
}
