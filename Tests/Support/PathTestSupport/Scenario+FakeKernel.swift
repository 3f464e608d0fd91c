package import PathDecisions
package import PathModel

extension FakeKernel {
  /// Performs a step; an expectation changes nothing.
  package mutating func apply(_ step: Scenario.Step) {
    switch step {
    case .addLink(let name, let index, let kind):
      install(LinkFacts(index: index, name: name, operationalState: .down, hasCarrier: false, kind: kind.name))
    case .deleteLink(let name): deleteLink(name)
    case .rename(let name, let newName): rename(name, to: newName)
    case .setUp(let name): setUp(name)
    case .setDown(let name): setDown(name)
    case .carrier(let name, let hasCarrier): setCarrier(name, hasCarrier)
    case .attach(let name, let master): attach(name, to: master)
    case .detach(let name): detach(name)
    case .addAddress(let prefix, let name): addAddress(prefix, to: name)
    case .removeAddress(let prefix, let name): removeAddress(prefix, from: name)
    case .addRoute(let route): addRoute(route)
    case .deleteRoute(let route): deleteRoute(route)
    case .addRule(let rule): addRule(rule)
    case .deleteRule(let rule): deleteRule(rule)
    case .sysctl(let ignores): ignoresRoutesWithLinkDown = ignores
    case .expect: break
    }
  }

  /// A kernel after the steps.
  package init(after steps: [Scenario.Step]) {
    self.init()
    for step in steps { apply(step) }
  }

  /// The evaluation of the path as it is now.
  package mutating func evaluate(
    _ probes: ProbeAddresses = .standard, user: UInt32? = nil
  ) throws(Failure) -> PathEvaluation {
    try PathEvaluator.evaluate(&self, probes: probes, user: user)
  }
}
