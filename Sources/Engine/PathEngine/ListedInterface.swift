package import PathDecisions
package import PathModel

/// An interface in the list of `pathctl interfaces`, which includes interfaces that no path can use.
package struct ListedInterface: Hashable, Sendable {
  /// The interface.
  package var interface: NetworkInterface
  /// Whether it carries the traffic, is usable when bound to, or neither.
  package var role: Role
  /// The link and all its addresses, those of the link's scope included; `nil` when they are not known.
  package var facts: KernelState.Interface?

  /// Creates an interface in a role.
  package init(interface: NetworkInterface, role: Role, facts: KernelState.Interface? = nil) {
    self.interface = interface
    self.role = role
    self.facts = facts
  }

  /// The role of an interface in the path.
  package enum Role: Hashable, Sendable {
    /// It carries the traffic of unbound sockets.
    case primary
    /// It carries the traffic of sockets that are bound to it.
    case available
    /// It carries no traffic; the associated value is the reason, in words.
    case unusable(String)
  }

  /// All interfaces but loopback, by index.
  static func all(
    _ view: inout some KernelView, _ evaluation: PathEvaluation, _ overrides: OverrideTable
  ) -> [ListedInterface] {
    let primaries = Set(evaluation.families.flatMap { $0.primaryLegs.map(\.interfaceIndex) })
    let available = Set(evaluation.available.map(\.interfaceIndex))
    return PathEvaluator.describeInterfaces(&view, evaluation).map { found in
      let interface = overrides.applied(to: found)
      let index = Int32(interface.index)
      let role: Role =
        if primaries.contains(index) {
          .primary
        } else if available.contains(index) {
          .available
        } else {
          .unusable(view.situation.state[index].map(PathExplanation.obstacle(of:)) ?? "gone")
        }
      return ListedInterface(interface: interface, role: role, facts: view.situation.state[index])
    }
  }
}
