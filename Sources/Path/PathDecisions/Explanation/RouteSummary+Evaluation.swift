package import PathModel

extension RouteSummary {
  /// The decision in an evaluation whose only probe is the destination.
  package init(to destination: IPAddress, _ evaluation: PathEvaluation, _ state: KernelState, _ routing: RoutingFacts) {
    self.init(to: destination)
    let lookups = evaluation.lookups.filter { $0.query.destination == destination }
    let unbound = lookups.filter { $0.query.interfaceIndex == 0 }
    guard let match = unbound.last(where: { $0.query.kind == .match }), case .route(let route) = match.answer else {
      return
    }
    let resolution = unbound.last { $0.query.kind == .resolve }?.answer
    let leg = route.firstLeg ?? resolution?.firstLeg
    // Of several legs or equal routes, the kernel may have resolved another one than it matched.
    let ofLeg = (lookups.filter { $0.query.interfaceIndex != 0 } + unbound).last { lookup in
      guard let leg, lookup.query.kind == .resolve else { return false }
      return lookup.answer.firstLeg?.leads(where: leg) == true
    }
    let resolved = ofLeg?.answer ?? resolution
    interface = leg.map { state[$0.interfaceIndex]?.link.name ?? "interface \($0.interfaceIndex)" }
    gateway = leg?.gateway
    if case .route(let chosen)? = resolved { source = chosen.source }
    table = routing.tableNames[routing.table(of: route)]
    let flow = PolicyRule.Flow(
      to: destination, from: match.query.source, user: match.query.user ?? routing.user)
    if let found = routing.rule(leadingTo: route, for: flow) { rule = "\(found.priority) (\(found.selector))" }
  }
}
