internal import PathModel

/// The lookups that connect(2) makes for a socket bound to an interface: is the interface usable on its own?
struct BoundInquiry {
  private enum Stage {
    /// The route of the interface.
    case route
    /// The source address for that route.
    case source
    /// The source address by which rules choose the route.
    case sourceFirst
    /// The route from that source address.
    case routeFromSource
  }

  /// The family of the destination.
  let family: IPAddress.Family
  /// The interface.
  let interfaceIndex: Int32
  private let destination: IPAddress
  private let user: UInt32?
  private let sourceAfterRefusal: IPAddress?
  private var stage: Stage
  /// The answer to the former question.
  private var former: RouteAnswer?

  /// The next question; `nil` when none is left.
  private(set) var question: RouteQuery?
  /// The route of the interface, if there is one with a source address.
  private(set) var availability: PathEvaluation.Availability?

  /// - Parameters:
  ///   - destination: The destination of the socket.
  ///   - interfaceIndex: The interface that the socket is bound to.
  ///   - sourceAfterRefusal: The source address with which IPv6 tries again after a refusal.
  init(
    _ destination: IPAddress, boundTo interfaceIndex: Int32, sourceAfterRefusal: IPAddress?, user: UInt32?,
    _ policy: PolicyFacts
  ) {
    family = destination.family
    self.interfaceIndex = interfaceIndex
    self.destination = destination
    self.user = user
    self.sourceAfterRefusal = sourceAfterRefusal
    stage = destination.family == .ipv4 && policy.ipv4RulesNameSources ? .sourceFirst : .route
    question = nil
    question = query(stage == .route ? .match : .resolve)
  }

  private func query(_ kind: RouteQuery.Kind, from source: IPAddress? = nil) -> RouteQuery {
    RouteQuery(destination: destination, kind: kind, interfaceIndex: interfaceIndex, source: source, user: user)
  }

  /// Receives the answer to ``question``.
  mutating func receive(_ answer: RouteAnswer, _ judge: ProbeJudge) {
    question = nil
    switch stage {
    case .route:
      if route(answer, judge.state) != nil {
        (stage, question) = (.source, query(.resolve))
      } else if let source = sourceAfterRefusal {
        // The match is no verdict here: IPv6 picks the matching entry without the preference for the interface.
        (stage, question) = (.routeFromSource, query(.resolve, from: source))
      }
    case .source:
      if let found = former.flatMap({ route($0, judge.state) }),
        judge.sourceObstacle(answer, at: found.leg) == nil, !judge.isForeign(answer, at: found.leg)
      {
        availability = found
        availability?.source = answer.source
      }
    case .sourceFirst:
      // Without a route, IPv4 treats the destination as a neighbour, so the answer has a source anyway.
      if let source = judge.reachingSource(of: answer, at: answer.firstLeg) {
        (stage, question) = (.routeFromSource, query(.match, from: source))
      }
    case .routeFromSource:
      availability = route(answer, judge.state)
      availability?.source = former?.source ?? answer.source
    }
    former = answer
  }

  /// The availability of the interface, if the answer describes a route over it or, for a routing domain, over one of
  /// its ports. IPv6 prefers the interface that a socket is bound to, but does not insist on it when a source is given.
  private func route(_ answer: RouteAnswer, _ state: KernelState) -> PathEvaluation.Availability? {
    guard case .route(let route) = answer, route.type == RouteType.unicast,
      let leg = route.legs.first(where: { isWithin($0, state) }), !leg.isDead, !leg.isLinkDown
    else { return nil }
    return PathEvaluation.Availability(
      interfaceIndex: interfaceIndex, family: family, metric: route.metric, table: route.table,
      prefixLength: route.prefixLength, leg: leg)
  }

  private func isWithin(_ leg: RouteLeg, _ state: KernelState) -> Bool {
    if leg.interfaceIndex == interfaceIndex { return true }
    return state[interfaceIndex]?.link.isRoutingDomain == true
      && state[leg.interfaceIndex]?.link.masterIndex == interfaceIndex
  }
}
