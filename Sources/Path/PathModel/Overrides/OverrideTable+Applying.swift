extension OverrideTable {
  /// The path with the overrides applied.
  ///
  /// An override on an interface takes precedence over one for all. It also concerns the interfaces above, such as the
  /// tunnel over it, unless these have one of their own; see ``decision(_:on:)``.
  ///
  /// A path that has never been evaluated stays as it is: nothing is known, so it must not be reported as offline.
  package func applied(to path: NetworkPath) -> NetworkPath {
    guard !overrides.isEmpty, path.knowledge != .unknown else { return path }
    var result = withStatusOverridden(path)
    result.overrides = overrides.filter { $0.concerns(path) }.map(\.words)
    result.interfaces = result.interfaces.map { applied(to: $0) }
    overrideCost(of: &result)
    return result
  }

  /// The interface with the overrides of its cost applied.
  package func applied(to interface: NetworkInterface) -> NetworkInterface {
    var result = interface
    if let override = decision(.isExpensive, on: interface) {
      (result.isExpensive, result.isExpenseUndetermined) = (override.isTrue, false)
    }
    if let override = decision(.isConstrained, on: interface) { result.isConstrained = override.isTrue }
    return result
  }

  /// The override that decides a field of an interface: its own, else those on the interfaces below it, else the one
  /// for all.
  ///
  /// Of several interfaces below, such as the ports of a bond, one that is set to `true` is enough to set the upper
  /// one. Any other value applies only if all of them are overridden.
  private func decision(_ field: PathOverride.Field, on interface: NetworkInterface) -> PathOverride? {
    if let own = override(field, interface.exactName) { return own }
    let below = interface.exactUnderlying.map { override(field, $0) }
    if let costly = below.first(where: { $0?.isTrue == true }) { return costly }
    if let first = below.first, !below.contains(nil) { return first }
    return override(field, nil)
  }

  private func override(_ field: PathOverride.Field, _ interface: ExactText?) -> PathOverride? {
    overrides.first { $0.field == field && $0.exactInterface == interface }
  }

  private func withStatusOverridden(_ path: NetworkPath) -> NetworkPath {
    if override(.status, nil) != nil {
      var result = path.unsatisfied(because: .overridden)
      (result.interfaces, result.gateways) = ([], [])
      return result
    }
    return path.without { decision(.status, on: $0) != nil }
  }

  /// Overrides the cost of a satisfied path, as decided for the interface that carries its traffic.
  private func overrideCost(of path: inout NetworkPath) {
    guard path.status == .satisfied, let first = path.interfaces.first else { return }
    let expensive = decision(.isExpensive, on: first)
    let constrained = decision(.isConstrained, on: first)
    let evidence = [expensive, constrained].compactMap { $0?.evidence }
    if evidence.isEmpty { return }
    path.isExpensive = expensive?.isTrue ?? path.isExpensive
    path.isConstrained = constrained?.isTrue ?? path.isConstrained
    path.cost = Cost(
      isExpensive: path.isExpensive, isConstrained: path.isConstrained,
      confidence: expensive == nil ? path.cost?.confidence ?? .unknown : .user,
      evidence: evidence + (path.cost?.evidence ?? []))
  }
}

extension PathOverride {
  fileprivate var isTrue: Bool { value == "true" }

  /// Whether the override is for all interfaces, for one of the path's, or for one below those.
  fileprivate func concerns(_ path: NetworkPath) -> Bool {
    guard let exactInterface else { return true }
    return path.interfaces.contains {
      $0.exactName == exactInterface || $0.exactUnderlying.contains(exactInterface)
    }
  }
}
