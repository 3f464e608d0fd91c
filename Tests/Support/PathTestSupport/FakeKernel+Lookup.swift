import PathDecisions
import PathModel

/// The errors of the routing decision.
package enum RoutingError {
  /// EACCES: `prohibit`.
  package static let prohibited: Int32 = 13
  /// EINVAL: `blackhole`.
  package static let blackhole: Int32 = 22
  /// ENETUNREACH: no route, or a rule that says `unreachable`.
  package static let noRoute: Int32 = 101
  /// EHOSTUNREACH: a route that says `unreachable`.
  package static let unreachable: Int32 = 113
}

extension FakeKernel {
  private enum Found {
    case route(Route, Leg)
    case refused(Int32)
    case nothing
  }

  func answer(to query: RouteQuery) -> RouteAnswer {
    if let local = localRoute(query) { return .route(local) }
    switch search(query) {
    case .route(let route, let leg):
      return .route(query.kind == .match ? match(route) : resolution(route, over: leg, query))
    case .refused(let errorNumber): return refusal(of: query, errorNumber)
    case .nothing: return refusal(of: query, RoutingError.noRoute)
    }
  }

  /// A bound IPv4 socket takes any refused destination to be on the link, even one that a rule prohibits. Only a match
  /// shows the refusal, though not its reason.
  private func refusal(of query: RouteQuery, _ errorNumber: Int32) -> RouteAnswer {
    let index = query.interfaceIndex
    guard index != 0, query.destination.family == .ipv4 else { return .refused(errorNumber: errorNumber) }
    guard query.kind == .resolve, state[index]?.link.flags.contains(.up) == true else {
      return .refused(errorNumber: RoutingError.unreachable)
    }
    let source = sourceIPv4(on: index, gateway: nil, scope: 253)
    return .route(
      RouteFacts(prefixLength: 32, table: 0, source: source, legs: [RouteLeg(interfaceIndex: index)]))
  }

  private func localRoute(_ query: RouteQuery) -> RouteFacts? {
    let isOurs = state.interfaces.contains { interface in
      interface.link.flags.contains(.up) && interface.addresses.contains { $0.address == query.destination }
    }
    guard isOurs else { return nil }
    return RouteFacts(
      type: RouteType.local, prefixLength: UInt8(query.destination.family.bitWidth), table: 255,
      source: query.destination, legs: [RouteLeg(interfaceIndex: 1)])
  }

  // MARK: Rules and tables

  private func search(_ query: RouteQuery) -> Found {
    for rule in rules.sorted(by: { $0.priority < $1.priority }) where rule.applies(to: query) {
      switch rule.action {
      case .goTo, .none: continue
      case .prohibit: return .refused(RoutingError.prohibited)
      case .blackhole: return .refused(RoutingError.blackhole)
      case .unreachable: return .refused(RoutingError.noRoute)
      case .lookup(let table):
        let found = search(query, in: table)
        switch found {
        case .nothing: continue
        case .route(let route, _):
          if let short = rule.suppressedPrefixLength, route.spec.destination.length <= short { continue }
          return found
        case .refused: return found
        }
      }
    }
    return .nothing
  }

  /// The longest prefix wins, then the lowest metric, among the routes with a usable next hop.
  private func search(_ query: RouteQuery, in table: UInt32) -> Found {
    let candidates = routes.filter { route in
      let isForSource = route.spec.from.map { from in query.source.map { from.contains($0) } ?? false } ?? true
      return route.spec.table == table && route.spec.destination.contains(query.destination) && isForSource
    }
    .sorted { left, right in
      let lengths = (left.spec.destination.length, right.spec.destination.length)
      return lengths.0 != lengths.1
        ? lengths.0 > lengths.1 : left.spec.effectiveMetric < right.spec.effectiveMetric
    }
    for route in candidates {
      // In IPv6 a route that forbids belongs to the loopback device, so bound sockets do not meet it.
      let isMet = route.spec.family == .ipv4 || query.interfaceIndex == 0
      switch route.spec.type {
      case RouteType.unicast:
        let usable = route.legs.filter { isUsable($0, query) }
        let hashed = usable.first { $0.interfaceIndex == hashedInterfaces[query.destination] }
        if let leg = hashed ?? usable.first { return .route(route, leg) }
      case RouteType.prohibit where isMet: return .refused(RoutingError.prohibited)
      case RouteType.blackhole where isMet: return .refused(RoutingError.blackhole)
      case RouteType.unreachable where isMet: return .refused(RoutingError.unreachable)
      case RouteType.throw where isMet: return .nothing
      default: continue
      }
    }
    return .nothing
  }

  private func isUsable(_ leg: Leg, _ query: RouteQuery) -> Bool {
    if leg.isDead || (ignoresRoutesWithLinkDown && isLinkDown(leg.interfaceIndex)) { return false }
    // IPv6 passes over a router that does not answer, unless the socket is bound.
    if query.interfaceIndex == 0, leg.gateway?.family == .ipv6,
      interfacesWithFailedRouter.contains(leg.interfaceIndex)
    {
      return false
    }
    return query.interfaceIndex == 0 || query.interfaceIndex == leg.interfaceIndex
  }

  private func isLinkDown(_ index: Int32) -> Bool { state[index]?.link.flags.contains(.lowerUp) != true }

  // MARK: Replies

  private func match(_ route: Route) -> RouteFacts {
    RouteFacts(
      prefixLength: route.spec.destination.length, table: route.spec.table,
      metric: route.spec.effectiveMetric, source: route.spec.source, legs: route.legs.map(facts),
      expires: route.spec.expires)
  }

  private func resolution(_ route: Route, over leg: Leg, _ query: RouteQuery) -> RouteFacts {
    let family = query.destination.family
    let chosen =
      family == .ipv4
      ? sourceIPv4(on: leg.interfaceIndex, gateway: leg.gateway, scope: leg.gateway == nil ? 253 : 0)
      : sourceIPv6(on: leg.interfaceIndex, destination: query.destination)
    return RouteFacts(
      prefixLength: UInt8(family.bitWidth), table: route.spec.table,
      metric: family == .ipv4 ? 0 : route.spec.effectiveMetric, source: route.spec.source ?? chosen,
      legs: [facts(of: leg)])
  }

  private func facts(of leg: Leg) -> RouteLeg {
    RouteLeg(
      interfaceIndex: leg.interfaceIndex, gateway: leg.gateway, isLinkDown: isLinkDown(leg.interfaceIndex),
      isDead: leg.isDead)
  }
}

// MARK: - The choice of a source address

extension FakeKernel {
  /// The address beside the router, else any of the interface, else any of another interface.
  private func sourceIPv4(on index: Int32, gateway: IPAddress?, scope: UInt8) -> IPAddress? {
    let own = addresses(.ipv4, on: index).filter { $0.scope <= scope }
    let beside = own.first { address in
      gateway.map { address.address.matches($0, prefixLength: Int(address.prefixLength)) } ?? false
    }
    if let chosen = beside ?? own.first { return chosen.address }
    return state.interfaces.lazy.flatMap(\.addresses)
      .first { $0.address.family == .ipv4 && $0.scope != 253 && $0.scope <= scope }?.address
  }

  /// The rules of RFC 6724 that matter: scope, then not deprecated, then the outgoing interface.
  private func sourceIPv6(on index: Int32, destination: IPAddress) -> IPAddress? {
    let candidates = state.interfaces.filter { $0.link.flags.contains(.up) }.flatMap(\.addresses).filter {
      let isReady = !$0.flags.contains(.tentative) || $0.flags.contains(.optimistic)
      return $0.address.family == .ipv6 && isReady && !$0.flags.contains(.duplicate)
    }
    let ranked = candidates.map { candidate -> (rank: [Int], address: IPAddress) in
      let reach = candidate.address.isRoutableSource ? 2 : candidate.address.isLinkLocal ? 1 : 0
      let isPreferred = !candidate.flags.contains(.deprecated)
      return ([reach, isPreferred ? 1 : 0, candidate.interfaceIndex == index ? 1 : 0], candidate.address)
    }
    return ranked.max { $0.rank.lexicographicallyPrecedes($1.rank) }?.address
  }

  private func addresses(_ family: IPAddress.Family, on index: Int32) -> [AddressFacts] {
    (state[index]?.addresses ?? []).filter { $0.address.family == family }
  }
}
