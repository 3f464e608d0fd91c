internal import PathModel

/// What a monitor subscribes to: the thread of its source, or who makes its paths up.
struct MonitorProvider: PathProvider {
  let source: PathSource
  let settle: Duration?
  let probes: ProbeAddresses?

  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Void) -> @Sendable () -> Void {
    if case .provided(let provider) = source.kind { return provider.subscribe(deliver) }
    if let simulation = PathSimulation.current { return simulation.subscribe(deliver) }
    guard let origin = SourceOrigin(source, probes: probes) else { return {} }
    return SourceThread.subscribe(origin, settle: settle, deliver)
  }
}
