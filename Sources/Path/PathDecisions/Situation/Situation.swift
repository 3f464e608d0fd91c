package import PathModel

/// All that is known of this machine and its networks: everything that an evaluation rests on besides the kernel's
/// answers. It is a value. With equal answers, equal situations have equal evaluations.
///
/// ``apply(_:at:)`` is its only writer. The sources (messages of the kernel, files, NetworkManager, the validator) turn
/// what they read into ``News``, and remember none of it.
package struct Situation: Equatable, Sendable {
  /// The links and addresses.
  package private(set) var state: KernelState
  /// The policy rules; `nil` while they have to be read, at the start and after a message about them.
  package private(set) var rules: PolicyRules?
  /// The resolver configuration.
  package private(set) var resolver: ResolverFacts
  /// The facts about the networks behind the links.
  package private(set) var networks: NetworkFactsTable

  /// A situation as given; by default nothing is known.
  package init(
    state: KernelState = KernelState(), rules: PolicyRules? = nil, resolver: ResolverFacts = .unknown("not read yet"),
    networks: NetworkFactsTable = NetworkFactsTable()
  ) {
    (self.state, self.rules, self.resolver, self.networks) = (state, rules, resolver, networks)
  }

  /// A reading of a source.
  package enum News {
    /// All links and addresses, read anew.
    case everyLink(KernelState)
    /// A link as it is now.
    case link(LinkFacts)
    /// The link with this index is gone.
    case linkGone(Int32)
    /// The last changes of addresses.
    case addresses(AddressChanges)
    /// The policy rules; `nil` if they have changed, or may have, and are not read yet.
    case rules(PolicyRules?)
    /// The resolver configuration.
    case resolver(ResolverFacts)
    /// The leases of clients that name an interface by its index or by its name, and the files that cannot be read.
    case leases([Int32: [LeaseFacts]], [ExactText: [LeaseFacts]], UnreadLeases)
    /// The names of the wireless networks, by interface index, and the interfaces that are access points.
    case wireless([Int32: NetworkName], accessPoints: [Int32])
    /// The metered states and the connectivity of NetworkManager's devices, by interface name.
    case networkManager([ExactText: MeteredState], [ExactText: DeviceConnectivity])
    /// The validator's report; `nil` for none.
    case report(ValidationReport?)
    /// The kernel's entry of a router.
    case router(NeighbourFacts)
    /// The routers of the paths, which are watched from now on.
    case watched([RoutingFacts.Neighbour])
    /// The networks of these interfaces may be others now.
    case networksLost([Int32])
    /// The facts of an earlier situation that come by messages, and cannot be read again.
    case succession(of: NetworkFactsTable)
  }

  /// Applies news.
  ///
  /// - Parameter now: The time of the news, in microseconds since boot.
  /// - Returns: Whether anything has changed, or may have.
  @discardableResult
  package mutating func apply(_ news: News, at now: Int) -> Bool {
    switch news {
    case .everyLink(let fresh): return Self.replace(&state, fresh)
    case .link(let link): return update(link, now)
    case .linkGone(let index):
      forgetNetwork(over: index, now)
      state.removeLink(index)
      networks.networkLosses[index] = nil
    case .addresses(let changes):
      if changes.isEmpty { return false }
      state.merge(changes)
    case .rules(let next): return Self.replace(&rules, next)
    case .resolver(let next): return Self.replace(&resolver, next)
    case .leases(let byIndex, let byName, let unread):
      var next = networks
      (next.leasesByIndex, next.leasesByName, next.unreadLeases) = (byIndex, byName, unread)
      guard next != networks else { return false }
      networks = next
      networks.leasesChanged = now
    case .wireless(let names, let accessPoints):
      guard names != networks.networkNames || accessPoints != networks.accessPoints else { return false }
      let others = networks.networkNames.filter { names[$0.key] != $0.value }
      (networks.networkNames, networks.accessPoints) = (names, accessPoints)
      loseNetworks(over: others.keys, now)
    case .networkManager(let metered, let connectivity):
      let isNews = networks.update(connectivity: connectivity, at: now)
      return Self.replace(&networks.meteredByName, metered) || isNews
    case .report(let report): return Self.replace(&networks.report, report)
    case .router(let entry): return observe(entry, now)
    case .watched(let routers): networks.routers.watch(routers)
    case .networksLost(let indices): loseNetworks(over: indices, now)
    case .succession(let former): networks.takeOver(from: former)
    }
    return true
  }

  private static func replace<Part: Equatable>(_ part: inout Part, _ next: Part) -> Bool {
    if part == next { return false }
    part = next
    return true
  }

  /// A link that lost its carrier, also for a moment, may be in another network.
  private mutating func update(_ link: LinkFacts, _ now: Int) -> Bool {
    let known = state[link.index]?.link
    // The kernel repeats itself, and known facts make no evaluation wrong.
    if link == known { return false }
    state.update(link)
    if link.obstacle != nil || link.carrierChanges != known?.carrierChanges { forgetNetwork(over: link.index, now) }
    return true
  }

  /// Records an entry of the kernel. A router with another hardware address may be that of another network.
  private mutating func observe(_ entry: NeighbourFacts, _ now: Int) -> Bool {
    let former = networks.routers[entry.neighbour]?.hardwareAddress ?? []
    guard networks.routers.observe(entry, at: now) else { return false }
    if !former.isEmpty, networks.routers[entry.neighbour]?.hardwareAddress != former {
      loseNetworks(over: [entry.neighbour.interfaceIndex], now)
    }
    return true
  }

  /// Forgets the routers over an interface that has lost its network, and the validator's report on it.
  private mutating func forgetNetwork(over index: Int32, _ now: Int) {
    _ = networks.routers.forget(over: index)
    loseNetworks(over: [index], now)
  }

  /// Forgets the validator's report on the network of these interfaces, which may be another one now.
  private mutating func loseNetworks(over indices: some Sequence<Int32>, _ now: Int) {
    for index in indices {
      networks.networkLosses[index] = now
      if networks.report?.interfaceIndex == index { networks.report = nil }
    }
  }
}
