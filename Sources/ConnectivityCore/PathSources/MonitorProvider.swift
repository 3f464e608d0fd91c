internal import PathFollowing
internal import PathModel

/// What a monitor subscribes to: the thread of its source, or who makes its paths up.
struct MonitorProvider: PathProvider {
  let source: PathSource
  let settle: Duration?
  let probes: ProbeAddresses?

  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void {
    if case .provided(let provider) = source.kind { return provider.subscribe(deliver) }
    if let simulation = PathSimulation.current { return simulation.subscribe(deliver) }
    guard let policy = FollowingPolicy(source, probes: probes) else { return {} }
    guard probes != nil, policy.probes == nil else { return SourceThread.subscribe(policy, settle: settle, deliver) }
    // The path is told all the same: only a failure is more important than that it is one to other destinations.
    deliver(.trouble(.unusedProbes)).perform()
    return SourceThread.subscribe(policy, settle: settle) { update in
      if case .trouble(nil) = update { return deliver(.trouble(.unusedProbes)) }
      return deliver(update)
    }
  }
}

extension PathSourceError {
  /// Probes that the service alone cannot be asked for.
  static var unusedProbes: PathSourceError {
    PathSourceError(
      .probesNotUsed, message: "the monitor names probes, but the service has its own and tells the path to those",
      advice: "Use the source 'automatic' or 'inProcess', which then ask the kernel.")
  }
}
