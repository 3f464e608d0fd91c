/// A verdict on a probe, or what is still to be asked for it.
enum ProbeJudgement: Equatable {
  /// It can be reached, or not.
  case decided(ProbeOutcome)
  /// The route has several legs: each one's source address is to be asked for.
  case needsSources([RouteLeg])
}

/// Judges the kernel's answers about a probe address: is the link usable, the source address, the kind of route?
struct ProbeJudge {
  /// The links that the routes lead over.
  let state: KernelState
  /// Whether a destination that is this machine counts as reached.
  let countsLocal: Bool

  /// Whether what matches a probe leaves it to what connect(2) would do.
  static func needsResolution(_ match: RouteAnswer) -> Bool {
    switch match {
    case .refused(let errorNumber): errorNumber == answerTooLong
    case .route: true
    }
  }

  /// Whether what connect(2) would do for one destination of IPv4 shows that what matches another one leads there, too, and
  /// from the same source: it is the default route, whose source does not depend on the destination, or nothing.
  static func leadsEverywhere(_ match: RouteAnswer, as resolution: RouteAnswer) -> Bool {
    switch (match, resolution) {
    case (.refused(let errorNumber), .refused(let other)): errorNumber == other && !needsResolution(match)
    case (.route(let matched), .route(let resolved)):
      matched.prefixLength == 0 && matched.type == RouteType.unicast && resolved.type == RouteType.unicast
        && resolved.firstLeg.map { leg in
          matched.firstLeg?.leads(where: leg) == true || matched.otherLegs.contains { $0.leads(where: leg) }
        } == true
    default: false
    }
  }

  /// Judges a probe of the family by what matches it and by what connect(2) would do; if the former says it all, the
  /// latter may be anything.
  func judge(_ family: IPAddress.Family, match: RouteAnswer, resolution: RouteAnswer) -> ProbeJudgement {
    let matched: RouteFacts
    switch match {
    case .refused(Self.answerTooLong):
      // A route with hundreds of legs: what connect(2) would do is known all the same.
      guard case .route(let resolved) = resolution else { return .decided(.unusable(ProbeObstacle(.noRoute))) }
      matched = resolved
    case .refused(let errorNumber): return .decided(.unusable(Self.obstacle(errorNumber: errorNumber)))
    case .route(let route): matched = route
    }
    if matched.type == RouteType.local, countsLocal { return .decided(.usable(matched.legs)) }
    guard matched.type == RouteType.unicast else { return .decided(.unusable(Self.obstacle(type: matched.type))) }
    var route = matched
    if route.firstLeg == nil, case .route(let resolved) = resolution {
      // A route by next-hop object while net.ipv4.nexthop_compat_mode is 0: only the resolution has the leg.
      route = resolved
    }
    guard let first = route.firstLeg else { return .decided(.unusable(ProbeObstacle(.noRoute))) }
    if route.otherLegs.isEmpty {
      let obstacle = obstacle(to: first) ?? sourceObstacle(resolution, at: first)
      return .decided(obstacle.map { .unusable($0) } ?? .usable([first]))
    }
    let usable = route.legs.filter { obstacle(to: $0) == nil }
    if let firstObstacle = obstacle(to: first), usable.isEmpty { return .decided(.unusable(firstObstacle)) }
    // IPv6 begins with the leg that the destination's hash chose, which says nothing of preference.
    return .needsSources(family == .ipv4 ? usable : usable.sorted { $0.interfaceIndex < $1.interfaceIndex })
  }

  /// EMSGSIZE: the answer does not fit into a message.
  private static let answerTooLong: Int32 = 90

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
  func sourceObstacle(_ resolution: RouteAnswer, at leg: RouteLeg) -> ProbeObstacle? {
    switch resolution {
    case .refused(let errorNumber): Self.obstacle(errorNumber: errorNumber)
    case .route(let route):
      route.source?.isRoutableSource == true ? nil : ProbeObstacle(.noAddress, at: leg.interfaceIndex)
    }
  }
}
