internal import PathFollowing
internal import PathModel

/// The provider that a monitor subscribes to: the thread of its source, or a script or simulation.
struct MonitorProvider: PathProvider {
  let source: PathSource
  let settle: Duration?
  let probes: ProbeAddresses?

  func subscribe(_ deliver: @escaping @Sendable (SourceUpdate) -> Deliveries) -> @Sendable () -> Void {
    if case .provided(let provider) = source.kind { return provider.subscribe(deliver) }
    if let simulation = PathSimulation.current { return simulation.subscribe(deliver) }
    guard let policy = FollowingPolicy(source, probes: probes) else { return {} }
    guard probes != nil, policy.probes == nil else { return SourceThread.subscribe(policy, settle: settle, deliver) }
    // The path is delivered nevertheless. Any other failure of the source takes the place of this error.
    deliver(.trouble(.unusedProbes)).perform()
    return SourceThread.subscribe(policy, settle: settle) { update in
      if case .trouble(nil) = update { return deliver(.trouble(.unusedProbes)) }
      return deliver(update)
    }
  }
}

extension PathSourceError {
  /// The error of a monitor that names probes although its source is the service alone.
  static var unusedProbes: PathSourceError {
    PathSourceError(
      .probesNotUsed, message: "the monitor sets sample addresses (probes), but the service uses its own",
      advice: "Use the source 'automatic' or 'inProcess', which then ask the kernel.")
  }
}
