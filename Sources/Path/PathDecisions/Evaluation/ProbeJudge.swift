internal import PathModel

/// Judges the kernel's answers about a destination: the kind of route, its links, the source address.
struct ProbeJudge {
  /// The links that the routes lead over.
  let state: KernelState
  /// The facts about the policy rules.
  let policy: PolicyFacts
  /// Whether a destination that is this machine counts as reached.
  let countsLocal: Bool
  /// The interface that carried the traffic before. It stays first while the kernel alternates between routes.
  var formerInterface: Int32? { formerCarriers.first }
  /// The links over which the traffic last left; see ``PathEvaluation/carriers``.
  let formerCarriers: [Int32]

  /// The next hops between which the kernel alternates, in an order that does not depend on its current choice.
  func ordered(_ legs: [RouteLeg]) -> [RouteLeg] {
    legs.sorted { left, right in
      let isFormer = (left.interfaceIndex == formerInterface, right.interfaceIndex == formerInterface)
      return isFormer.0 != isFormer.1 ? isFormer.0 : left.precedes(right)
    }
  }

  /// The route to a destination.
  enum Route: Equatable {
    /// The destination is this machine, which counts as reached.
    case local([RouteLeg])
    /// Packets leave over these next hops, usable or not.
    case unicast([RouteLeg])
    /// There is none.
    case refused(ProbeObstacle)
  }

  /// The route that two answers of the kernel describe: the entry that matches, and the lookup of connect(2).
  func route(match: RouteAnswer, resolution: RouteAnswer) -> Route {
    let matched: RouteFacts
    switch match {
    case .refused(Self.answerTooLong):
      // The route has hundreds of legs, but the resolution still shows the decision of connect(2).
      guard case .route(let resolved) = resolution else { return .refused(ProbeObstacle(.noRoute)) }
      matched = resolved
    case .refused(let errorNumber): return .refused(Self.obstacle(errorNumber: errorNumber))
    case .route(let route): matched = route
    }
    if matched.type == RouteType.local, countsLocal { return .local(matched.legs) }
    guard matched.type == RouteType.unicast else { return .refused(Self.obstacle(type: matched.type)) }
    return matched.firstLeg == nil ? .refused(ProbeObstacle(.noRoute)) : .unicast(matched.legs)
  }

  /// The usable next hops or, if there are none, the obstacle at the first one.
  func usable(_ legs: [RouteLeg]) -> ProbeOutcome {
    let usable = legs.filter { obstacle(to: $0) == nil }
    if let first = legs.first, usable.isEmpty { return .unusable(obstacle(to: first) ?? ProbeObstacle(.noRoute)) }
    return .usable(usable)
  }

  /// EMSGSIZE: the answer does not fit into a message.
  private static let answerTooLong: Int32 = 90

  /// The meaning of an errno of the routing decision.
  private static func obstacle(errorNumber: Int32) -> ProbeObstacle {
    switch LookupRefusal(rawValue: errorNumber) {
    case .prohibited, .blackhole, .unreachable: ProbeObstacle(.prohibited)
    case .noRoute, nil: ProbeObstacle(.noRoute)
    }
  }

  private static func obstacle(type: UInt8) -> ProbeObstacle {
    ProbeObstacle(LookupRefusal(routeType: type) == nil ? .noRoute : .prohibited)
  }

  /// The obstacle that keeps a next hop from carrying packets; `nil` when there is none.
  func obstacle(to leg: RouteLeg) -> ProbeObstacle? {
    guard let link = state[leg.interfaceIndex]?.link else { return ProbeObstacle(.noInterface) }
    return link.obstacleToProbes
      ?? (leg.isLinkDown || leg.isDead ? ProbeObstacle(.noCarrier, at: leg.interfaceIndex) : nil)
  }

  /// The obstacle that keeps packets from having a source address valid beyond the link; `nil` when there is none.
  func sourceObstacle(_ resolution: RouteAnswer, at leg: RouteLeg) -> ProbeObstacle? {
    switch resolution {
    case .refused(let errorNumber): Self.obstacle(errorNumber: errorNumber)
    case .route:
      reachingSource(of: resolution, at: leg) == nil ? ProbeObstacle(.noAddress, at: leg.interfaceIndex) : nil
    }
  }

  /// The source address that the kernel chose, if packets with it reach beyond the link of a next hop.
  func reachingSource(of resolution: RouteAnswer, at leg: RouteLeg?) -> IPAddress? {
    guard let source = resolution.source, let leg else { return nil }
    return reaches(beyond: leg, from: source) ? source : nil
  }

  /// Whether packets with the source reach beyond the link of a next hop. A link-local one does so over a router that
  /// translates it, or into a tunnel, whose only other host passes the packets on.
  private func reaches(beyond leg: RouteLeg, from source: IPAddress) -> Bool {
    if source.isRoutableSource { return true }
    guard source.family == .ipv4, source.isLinkLocal, let interface = state[leg.interfaceIndex],
      leg.gateway != nil || interface.link.flags.contains(.pointToPoint)
    else { return false }
    return interface.addresses.contains { $0.address == source && $0.isTranslated }
  }

  /// Whether packets leave over a tunnel, so that the way of each probe matters.
  func leadsIntoTunnel(_ outcome: ProbeOutcome?) -> Bool {
    guard case .usable(let legs)? = outcome else { return false }
    let walk = CarrierWalk(state)
    return legs.contains { leg in state[leg.interfaceIndex].map { walk.restsOnTunnel($0.link) } == true }
  }
}

extension ProbeJudge {
  /// Whether the IPv4 source that the kernel chose is no address of this machine. A route outside of table main keeps
  /// its `src` when the address goes; then the second lookup of connect(2) refuses it.
  func isForeign(_ resolution: RouteAnswer, at leg: RouteLeg) -> Bool {
    guard let source = resolution.source, source.family == .ipv4, source.isRoutableSource else { return false }
    if state[leg.interfaceIndex]?.has(source) == true { return false }
    return !state.interfaces.contains { $0.has(source) }
  }
}

extension LinkFacts {
  /// The obstacle that keeps packets from leaving over the link; `nil` when there is none. A unicast route over the
  /// loopback device leads nowhere, just like one over a sink.
  var obstacleToProbes: ProbeObstacle? {
    if isSink || isLoopback { return ProbeObstacle(.sinkInterface, at: index) }
    return obstacle.map { ProbeObstacle($0 == .dormant ? .dormant : .noCarrier, at: index) }
  }
}

extension RouteAnswer {
  /// The first next hop; `nil` where there is none.
  var firstLeg: RouteLeg? {
    guard case .route(let route) = self else { return nil }
    return route.firstLeg
  }

  /// Whether it is a default route over a router. The kernel chooses among these by the reachability of the router.
  var isDefaultRoute: Bool {
    guard case .route(let route) = self else { return false }
    return route.prefixLength == 0 && route.firstLeg?.gateway != nil
  }

  /// The preference of the route.
  var preference: RouterPreference {
    guard case .route(let route) = self else { return .medium }
    return route.preference
  }

  /// The source address that the kernel chose.
  var source: IPAddress? {
    guard case .route(let route) = self else { return nil }
    return route.source
  }
}
