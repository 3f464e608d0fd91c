/// A path with its causes and the steps that led to it.
package struct ExplainedPath: Sendable {
  /// The path with the overrides.
  package var path: NetworkPath
  /// The causes of its state, the nearest one to the machine first; empty when nothing is known of it.
  package var causes: [Diagnosis]
  /// The verdict and the evidence, line by line.
  package var steps: [String]
  /// The route to the host; `nil` when this is the path to the Internet.
  package var route: RouteSummary?

  /// An explanation.
  package init(path: NetworkPath, causes: [Diagnosis], steps: [String], route: RouteSummary? = nil) {
    (self.path, self.causes, self.steps, self.route) = (path, causes, steps, route)
  }
}

/// The kernel's decision about one destination.
package struct RouteSummary: Hashable, Sendable {
  /// The destination.
  package var destination: IPAddress
  /// The interface that packets leave by; `nil` when there is no route.
  package var interface: String?
  /// The router; `nil` when the destination is on the link or is this machine.
  package var gateway: IPAddress?
  /// The source address that the kernel chooses.
  package var source: IPAddress?
  /// The name or number of the route table that has the route.
  package var table: String?
  /// The policy rule that leads to the table, such as `32766 (from all)`.
  package var rule: String?

  /// A destination without a route.
  package init(to destination: IPAddress) { self.destination = destination }

  /// The decision in an evaluation whose only probe is the destination.
  package init(to destination: IPAddress, _ evaluation: PathEvaluation, _ state: KernelState, _ routing: RoutingFacts) {
    self.init(to: destination)
    let lookups = evaluation.lookups.filter { $0.query.destination == destination && $0.query.interfaceIndex == 0 }
    guard let match = lookups.last(where: { $0.query.kind == .match }), case .route(let route) = match.answer else {
      return
    }
    let resolved = lookups.last { $0.query.kind == .resolve }?.answer
    let leg = route.firstLeg ?? resolved?.firstLeg
    interface = leg.map { state[$0.interfaceIndex]?.link.name ?? "interface \($0.interfaceIndex)" }
    gateway = leg?.gateway
    if case .route(let chosen)? = resolved { source = chosen.source }
    table = routing.tableNames[routing.table(of: route)]
    let flow = PolicyRule.Flow(
      to: destination, from: match.query.source, user: match.query.user ?? routing.user)
    if let found = routing.rule(leadingTo: route, for: flow) { rule = "\(found.priority) (\(found.selector))" }
  }

  /// The decision in one line.
  package var words: String {
    guard let interface else { return "\(destination): no route" }
    var text = "\(destination): "
    if let gateway { text += "via \(gateway) " }
    text += "over \(interface)"
    if let source { text += ", source \(source)" }
    if let table { text += ", table \(table)" }
    if let rule { text += ", rule \(rule)" }
    return text.inOneLine
  }
}
