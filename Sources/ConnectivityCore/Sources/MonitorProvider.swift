internal import PathModel

/// What a monitor subscribes to: the thread of its source, or who makes its paths up.
struct MonitorProvider: PathProvider {
  let source: PathSource
  let settle: Duration?
  let probes: ProbeAddresses?

  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void {
    if case .provided(let provider) = source.kind { return provider.subscribe(deliver) }
    if let simulation = PathSimulation.current { return simulation.subscribe(deliver) }
    guard let origin = SourceOrigin(source, probes: probes) else { return {} }
    guard probes != nil, origin.probes == nil else { return SourceThread.subscribe(origin, settle: settle, deliver) }
    // The path is told all the same: only a failure is more important than that it is one to other destinations.
    deliver(.trouble(.unusedProbes)).perform()
    return SourceThread.subscribe(origin, settle: settle) { update in
      if case .trouble(nil) = update { return deliver(.trouble(.unusedProbes)) }
      return deliver(update)
    }
  }
}
