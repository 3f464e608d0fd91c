package import PathDecisions
internal import PathModel

/// The changes that an administrator, a cable or a program makes to the kernel, with the kernel's side effects.
extension FakeKernel {
  package func index(of name: String) -> Int32 {
    guard let found = state.interfaces.first(where: { $0.link.name == name }) else {
      preconditionFailure("there is no link '\(name)'")
    }
    return found.link.index
  }

  // MARK: Links

  /// Adds a link or replaces what is known of it, without side effects.
  package mutating func install(_ link: LinkFacts) { state.update(withDevice(link)) }

  /// Removes the link, its addresses and its routes.
  ///
  /// An IPv4 multipath route goes with any of its legs.
  package mutating func deleteLink(_ name: String) {
    let index = index(of: name)
    for position in routes.indices where routes[position].spec.family == .ipv6 && routes[position].legs.count > 1 {
      routes[position].legs.removeAll { $0.interfaceIndex == index }
    }
    routes.removeAll { route in
      let isHit = route.legs.contains { $0.interfaceIndex == index }
      return isHit || (route.spec.type == RouteType.unicast && route.legs.isEmpty)
    }
    state.removeLink(index)
    refreshBridges()
  }

  package mutating func rename(_ name: String, to newName: String) {
    change(index(of: name)) { $0.name = newName }
  }

  /// Sets the link up: connected routes come back, default routes do not.
  package mutating func setUp(_ name: String) {
    let index = index(of: name)
    change(index) { $0.flags.insert(.up) }
    refresh(index)
    update(
      AddressFacts(
        interfaceIndex: index, address: IPAddress(ipv6: 0xfe80 << 48, UInt64(index.magnitude)), prefixLength: 64,
        scope: 253))
    for address in state[index]?.addresses ?? [] { connect(address) }
    for position in routes.indices {
      for leg in routes[position].legs.indices where routes[position].legs[leg].interfaceIndex == index {
        routes[position].legs[leg].isDead = false
      }
    }
  }

  /// Sets the link down: its routes go without a word, and so do its IPv6 addresses; IPv4 addresses stay.
  package mutating func setDown(_ name: String) {
    let index = index(of: name)
    change(index) { $0.flags.remove(.up) }
    refresh(index)
    killLegs { leg, _ in leg.interfaceIndex == index }
    for address in state[index]?.addresses ?? [] where address.address.family == .ipv6 { state.remove(address) }
  }

  /// Pulls the cable or puts it in: no route changes, though next hops are marked.
  package mutating func setCarrier(_ name: String, _ hasCarrier: Bool) {
    let index = index(of: name)
    signals[index] = hasCarrier
    refresh(index)
  }

  package mutating func attach(_ name: String, to master: String) {
    let (port, index) = (index(of: name), index(of: master))
    change(port) { $0.masterIndex = index }
    signals[index] = false
    refreshBridges()
  }

  package mutating func detach(_ name: String) {
    change(index(of: name)) { $0.masterIndex = nil }
    refreshBridges()
  }

  private mutating func change(_ index: Int32, _ change: (inout LinkFacts) -> Void) {
    guard var link = state[index]?.link else { preconditionFailure("there is no link \(index)") }
    change(&link)
    state.update(link)
  }

  private mutating func refresh(_ index: Int32) {
    refreshSignal(index)
    refreshBridges()
  }

  private mutating func refreshSignal(_ index: Int32) {
    let hasSignal = signals[index] ?? true
    change(index) { link in
      let isRunning = link.flags.contains(.up) && hasSignal
      let isSilent = ["vxlan", "tun", "wireguard", "ifb", "dummy"].contains(link.kind ?? "")
      link.hasCarrier = isRunning
      if isRunning { link.flags.formUnion([.lowerUp, .running]) } else { link.flags.subtract([.lowerUp, .running]) }
      link.operationalState = isRunning ? (isSilent ? .unknown : .up) : .down
    }
  }

  /// A bridge that ever had a port has a signal while one of its ports has.
  private mutating func refreshBridges() {
    for bridge in state.interfaces.map(\.link) where bridge.kind == "bridge" && signals[bridge.index] != nil {
      let ports = state.interfaces.map(\.link).filter { $0.masterIndex == bridge.index }
      signals[bridge.index] = ports.contains { $0.obstacle == nil }
      refreshSignal(bridge.index)
    }
  }

  // MARK: Addresses

  /// Adds an address or replaces what is known of it, without side effects.
  package mutating func update(_ address: AddressFacts) { state.update(address) }

  /// Adds an address and its connected route.
  package mutating func addAddress(_ prefix: Prefix, to name: String) {
    let isNarrow = prefix.address.isLinkLocal
    let address = AddressFacts(
      interfaceIndex: index(of: name), address: prefix.address, prefixLength: prefix.length, scope: isNarrow ? 253 : 0)
    state.update(address)
    if state[address.interfaceIndex]?.link.flags.contains(.up) == true { connect(address) }
  }

  /// Removes an address: routes that prefer it go, and with the last IPv4 address all IPv4 routes of the link.
  package mutating func removeAddress(_ prefix: Prefix, from name: String) {
    let index = index(of: name)
    guard let address = state[index]?.addresses.first(where: { $0.address == prefix.address }) else {
      preconditionFailure("\(name) has no address \(prefix)")
    }
    state.remove(address)
    let connected = connectedRoute(address)
    routes.removeAll { $0 == connected || $0.spec.source == address.address }
    let isLast = state[index]?.addresses.contains { $0.address.family == .ipv4 } == false
    if isLast, prefix.address.family == .ipv4 {
      killLegs { leg, route in leg.interfaceIndex == index && route.family == .ipv4 }
    }
  }

  private mutating func connect(_ address: AddressFacts) {
    let route = connectedRoute(address)
    if !routes.contains(route) { routes.append(route) }
  }

  private func connectedRoute(_ address: AddressFacts) -> Route {
    var spec = RouteSpec(Prefix(address.address, address.prefixLength))
    if address.address.family == .ipv4 { spec.source = address.address } else { spec.metric = 256 }
    return Route(spec: spec, legs: [Leg(interfaceIndex: address.interfaceIndex)])
  }

  // MARK: Routes and rules

  package mutating func addRoute(_ spec: RouteSpec) {
    routes.append(
      Route(spec: spec, legs: spec.hops.map { Leg(interfaceIndex: index(of: $0.device), gateway: $0.gateway) }))
  }

  /// Removes the route with the destination, table and metric.
  package mutating func deleteRoute(_ spec: RouteSpec) {
    let known = routes.firstIndex {
      $0.spec.destination == spec.destination && $0.spec.table == spec.table
        && $0.spec.effectiveMetric == spec.effectiveMetric && $0.spec.type == spec.type
    }
    guard let known else { preconditionFailure("there is no route to \(spec.destination)") }
    routes.remove(at: known)
  }

  package mutating func addRule(_ rule: RuleSpec) { rules.append(rule) }

  package mutating func deleteRule(_ rule: RuleSpec) { rules.removeAll { $0 == rule } }

  /// Kills next hops; a route without a living one vanishes.
  private mutating func killLegs(_ isHit: (Leg, RouteSpec) -> Bool) {
    for position in routes.indices {
      let spec = routes[position].spec
      for leg in routes[position].legs.indices where isHit(routes[position].legs[leg], spec) {
        routes[position].legs[leg].isDead = true
      }
    }
    routes.removeAll { !$0.legs.isEmpty && $0.legs.allSatisfy(\.isDead) }
  }
}
