internal import PathModel

/// The lookups that connect(2) makes for an unbound socket and one destination, in as many rounds as it takes.
///
/// IPv4 looks up a route, takes the source address from it, and looks up again with that source: rules may send the
/// second lookup elsewhere. IPv6 looks up again only after a refusal, with the source address that fits the destination
/// best.
struct ProbeInquiry {
  /// The subject of the next questions.
  private enum Stage {
    /// The route.
    case route
    /// The source address of a socket bound to each leg of a multipath route.
    case legs([RouteLeg])
    /// The route from each of these source addresses.
    case sources([IPAddress])
    /// None: the outcome is known.
    case done
  }

  /// The destination of the socket.
  let destination: IPAddress
  private let user: UInt32?
  private var stage = Stage.route

  /// Whether the destination can be reached; `nil` until that is known.
  private(set) var outcome: ProbeOutcome? {
    didSet { stage = .done }
  }
  /// Whether the kernel alternates between routes of equal metric, so that the match and connect(2) have different next
  /// hops.
  private(set) var alternates = false
  /// Whether the lookups found one default route and no other. It is no proof that the kernel does not alternate: a
  /// lookup of another program between ours moves the kernel on.
  private(set) var foundOneDefaultRoute = false
  /// The source address that connect(2) chooses for the first usable next hop; `nil` without one.
  private(set) var source: IPAddress?
  /// The next hops over links without a carrier: packets leave there as soon as it is back.
  private(set) var waitingLegs: [RouteLeg] = []

  init(_ destination: IPAddress, user: UInt32?) {
    self.destination = destination
    self.user = user
  }

  // MARK: Questions

  /// Adds the next questions; none when the outcome is known.
  func appendQuestions(to questions: inout [RouteQuery]) {
    switch stage {
    case .route: appendRouteQuestions(from: nil, to: &questions)
    case .legs(let legs):
      for leg in legs { questions.append(boundQuery(.resolve, leg)) }
      // Of IPv6 legs, only the lookups bound to their interfaces return the preference.
      if destination.family == .ipv6 { for leg in legs { questions.append(boundQuery(.match, leg)) } }
    case .sources(let sources):
      for source in sources { appendRouteQuestions(from: source, to: &questions) }
    case .done: break
    }
  }

  private func appendRouteQuestions(from source: IPAddress?, to questions: inout [RouteQuery]) {
    questions.append(query(.match, from: source))
    questions.append(query(.resolve, from: source))
  }

  private func query(_ kind: RouteQuery.Kind, from source: IPAddress?) -> RouteQuery {
    RouteQuery(destination: destination, kind: kind, source: source, user: user)
  }

  private func boundQuery(_ kind: RouteQuery.Kind, _ leg: RouteLeg) -> RouteQuery {
    RouteQuery(destination: destination, kind: kind, interfaceIndex: leg.interfaceIndex, user: user)
  }

  // MARK: Answers

  /// Receives the answers to the questions, in their order.
  ///
  /// - Parameter position: The position of the first answer; afterwards, the position after the last one.
  mutating func receive(_ answers: [RouteAnswer], from position: inout Int, _ judge: ProbeJudge) {
    let first = position
    switch stage {
    case .route:
      position += 2
      receiveRoute(match: answers[first], resolution: answers[first + 1], judge)
    case .legs(let legs):
      position += destination.family == .ipv6 ? 2 * legs.count : legs.count
      receiveSources(of: legs, answers[first..<position], judge)
    case .sources(let sources):
      position += 2 * sources.count
      receiveRoutes(from: sources, answers[first..<position], judge)
    case .done: break
    }
  }

  /// Whether connect(2) looks up again with the source that it chose, and rules depend on the source.
  private func repeatsLookup(_ judge: ProbeJudge) -> Bool {
    destination.family == .ipv4 && judge.policy.ipv4RulesNameSources
  }

  // MARK: The first lookup

  private mutating func receiveRoute(match: RouteAnswer, resolution: RouteAnswer, _ judge: ProbeJudge) {
    let route = judge.route(match: match, resolution: resolution)
    if !repeatsLookup(judge) { noteWaiting(route, judge) }
    switch route {
    case .local(let legs):
      outcome = .usable(legs)
      source = resolution.source
    case .refused(let obstacle):
      if destination.family == .ipv6, let source = SourceSelection.source(for: destination, in: judge.state) {
        stage = .sources([source])
      } else {
        outcome = .unusable(obstacle)
      }
    case .unicast(let legs) where legs.count == 1:
      if let other = alternative(to: legs[0], match: match, resolution: resolution) {
        return askForSources(of: judge.ordered([legs[0], other]), judge)
      }
      if let source = judge.reachingSource(of: resolution, at: legs[0]),
        repeatsLookup(judge) || judge.isForeign(resolution, at: legs[0])
      {
        stage = .sources([source])
      } else {
        let obstacle = judge.obstacle(to: legs[0]) ?? judge.sourceObstacle(resolution, at: legs[0])
        outcome = obstacle.map { .unusable($0) } ?? .usable(legs)
        if obstacle == nil { source = resolution.source }
      }
    case .unicast(let legs):
      // IPv6 puts the leg first that the destination's hash chose, which is no preference.
      askForSources(of: destination.family == .ipv4 ? legs : legs.sorted { $0.precedes($1) }, judge)
    }
  }

  /// Notes the next hops of a route that carry nothing now, and will again.
  private mutating func noteWaiting(_ route: ProbeJudge.Route, _ judge: ProbeJudge) {
    guard case .unicast(let legs) = route else { return }
    for leg in legs {
      if let obstacle = judge.obstacle(to: leg), [.noCarrier, .dormant].contains(obstacle.reason) {
        waitingLegs.append(leg)
      }
    }
  }

  /// The next hop of another default route of equal metric, if the kernel alternates between that route and this one.
  private mutating func alternative(
    to leg: RouteLeg, match: RouteAnswer, resolution: RouteAnswer
  ) -> RouteLeg? {
    guard match.isDefaultRoute else { return nil }
    guard let other = resolution.firstLeg, other.gateway != nil, !other.leads(where: leg) else {
      foundOneDefaultRoute = true
      return nil
    }
    alternates = true
    return other
  }

  // MARK: Multipath

  private mutating func askForSources(of legs: [RouteLeg], _ judge: ProbeJudge) {
    var legs = legs
    if repeatsLookup(judge) {
      // The second lookup may lead away from a link that carries nothing.
      legs.removeAll { $0.isDead }
    } else {
      guard case .usable(let usable) = judge.usable(legs) else {
        outcome = judge.usable(legs)
        return
      }
      legs = usable
    }
    if legs.isEmpty { outcome = .unusable(ProbeObstacle(.noCarrier)) } else { stage = .legs(legs) }
  }

  /// Decides on a multipath route by the source address of each leg. One usable leg is enough.
  private mutating func receiveSources(of legs: [RouteLeg], _ answers: ArraySlice<RouteAnswer>, _ judge: ProbeJudge) {
    let obstacles = zip(legs, answers).map { judge.sourceObstacle($1, at: $0) }
    let obstacle = obstacles.first.flatMap(\.self) ?? ProbeObstacle(.noRoute)
    if repeatsLookup(judge) {
      var sources: [IPAddress] = []
      for source in zip(answers, legs).compactMap({ judge.reachingSource(of: $0, at: $1) })
      where !sources.contains(source) { sources.append(source) }
      if sources.isEmpty { outcome = .unusable(obstacle) } else { stage = .sources(sources) }
    } else {
      let preferences = answers.dropFirst(legs.count).map(\.preference)
      let usable = legs.indices.filter { obstacles[$0] == nil }.sorted { left, right in
        if preferences.isEmpty || preferences[left] == preferences[right] { return left < right }
        return preferences[left] > preferences[right]
      }
      outcome = usable.isEmpty ? .unusable(obstacle) : .usable(usable.map { legs[$0] })
      source = usable.first.flatMap { answers[answers.startIndex + $0].source }
    }
  }

  // MARK: The lookup with a source

  /// Receives the routes from the sources: packets leave over the next hops of all of them.
  private mutating func receiveRoutes(
    from sources: [IPAddress], _ answers: ArraySlice<RouteAnswer>, _ judge: ProbeJudge
  ) {
    var usable: [RouteLeg] = []
    var obstacles: [ProbeObstacle] = []
    var remaining = answers
    for source in sources {
      guard let match = remaining.popFirst(), let resolution = remaining.popFirst() else { break }
      let route = judge.route(match: match, resolution: resolution)
      noteWaiting(route, judge)
      switch route {
      case .refused(let obstacle):
        let isOurs = judge.state.interfaces.contains { $0.has(source) }
        obstacles.append(isOurs ? obstacle : ProbeObstacle(.noAddress))
      case .local(let legs):
        if usable.isEmpty { self.source = source }
        usable += legs
      case .unicast(let legs):
        switch judge.usable(ways(from: source, legs, match: match, resolution: resolution, judge)) {
        case .usable(let found):
          if usable.isEmpty { self.source = source }
          usable += found.filter { !usable.contains($0) }
        case .unusable(let obstacle): obstacles.append(obstacle)
        }
      }
    }
    outcome = usable.isEmpty ? .unusable(obstacles.first ?? ProbeObstacle(.noRoute)) : .usable(usable)
  }

  /// The next hops by which packets from a source leave.
  ///
  /// Of the legs of a multipath route, the kernel prefers the one whose interface has the source address (since Linux
  /// 6.16).
  private mutating func ways(
    from source: IPAddress, _ legs: [RouteLeg], match: RouteAnswer, resolution: RouteAnswer, _ judge: ProbeJudge
  ) -> [RouteLeg] {
    if legs.count == 1 {
      let other = alternative(to: legs[0], match: match, resolution: resolution)
      return other.map { judge.ordered([legs[0], $0]) } ?? legs
    }
    if let chosen = resolution.firstLeg, judge.state[chosen.interfaceIndex]?.has(source) == true {
      return legs.filter { $0.leads(where: chosen) }
    }
    return legs
  }
}
