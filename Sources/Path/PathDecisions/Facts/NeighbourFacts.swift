extension RouteLeg {
  /// The router of the next hop; `nil` where there is none.
  var neighbour: RoutingFacts.Neighbour? { gateway.map { RoutingFacts.Neighbour($0, on: interfaceIndex) } }
}

/// The kernel's entry for a neighbour (`RTM_NEWNEIGH`).
package struct NeighbourFacts: Hashable, Sendable {
  /// The neighbour.
  package var neighbour: RoutingFacts.Neighbour
  /// The state of the entry.
  package var state: RoutingFacts.NeighbourState
  /// How long ago the neighbour last answered, in microseconds; `nil` when the kernel does not say. For one that has
  /// never answered, it is more than a minute (`neigh_alloc` in Linux's `net/core/neighbour.c`).
  package var confirmedAgo: Int?
  /// The hardware address; empty when the kernel has none.
  package var hardwareAddress: [UInt8]

  /// An entry.
  package init(
    _ neighbour: RoutingFacts.Neighbour, _ state: RoutingFacts.NeighbourState, confirmedAgo: Int? = nil,
    hardwareAddress: [UInt8] = []
  ) {
    (self.neighbour, self.state, self.confirmedAgo) = (neighbour, state, confirmedAgo)
    self.hardwareAddress = hardwareAddress
  }
}
