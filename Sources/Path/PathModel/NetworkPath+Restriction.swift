/// Paths that an administrator or the requirement of a program has restricted.
extension NetworkPath {
  /// The same path as unsatisfied, without the properties that only a satisfied path has.
  ///
  /// The interfaces and their routers stay: as in any unsatisfied path, bound sockets can use them.
  func unsatisfied(because reason: UnsatisfiedReason) -> NetworkPath {
    var path = self
    path.change { state in
      (state.status, state.unsatisfiedReason, state.diagnosis) = (.unsatisfied, reason, nil)
      state.traffic = Traffic()
    }
    return path
  }

  /// The same path without the interfaces that an administrator has excluded.
  ///
  /// The kernel goes on sending over the first interface, so another one does not take its place.
  package func without(_ isUnwanted: (NetworkInterface) -> Bool) -> NetworkPath {
    let kept = interfaces.filter { !isUnwanted($0) }
    guard kept.count < interfaces.count else { return self }
    let losesPrimary = status == .satisfied && kept.first?.index != interfaces.first?.index
    return (losesPrimary ? unsatisfied(because: .overridden) : self).keeping(kept)
  }

  /// The path through the wanted interfaces alone: that of sockets bound to these if others carry the traffic.
  package func through(_ isWanted: (NetworkInterface) -> Bool) -> NetworkPath {
    let usable = interfaces.filter(isWanted)
    guard let first = usable.first else {
      var none = status == .satisfied ? unsatisfied(because: .requirementNotMet) : self
      (none.interfaces, none.gateways) = ([], [])
      return none
    }
    let carriesTraffic = status == .satisfied && first.index == interfaces.first?.index
    return carriesTraffic ? keeping(usable) : rehomed(to: usable)
  }

  /// The same path with only some of its interfaces. Unless it is unsatisfied, the first one is among them.
  ///
  /// Several interfaces can carry the traffic, and a path does not say to which of them it owes each router, family and
  /// cost. A property that only a removed interface can have brought is removed; all others stay.
  func keeping(_ kept: [NetworkInterface]) -> NetworkPath {
    guard kept.count < interfaces.count else { return self }
    let indices = Set(kept.map(\.index))
    let removed = interfaces.filter { !indices.contains($0.index) }
    func stays(_ brings: (NetworkInterface) -> Bool) -> Bool {
      kept.contains(where: brings) || !removed.contains(where: brings)
    }
    var path = self
    path.interfaces = kept
    path.gateways = gateways.filter { gateway in stays { $0.isOnLink(gateway) } }
    let families = IPAddress.Family.allCases.filter { family in stays { $0.hasAddress(of: family) } }
    // If no family would stay, the interface carries traffic without an address of its own, and the families stay.
    if supportsIPv4 && families.contains(.ipv4) || supportsIPv6 && families.contains(.ipv6) {
      path.supportsIPv4 = supportsIPv4 && families.contains(.ipv4)
      path.supportsIPv6 = supportsIPv6 && families.contains(.ipv6)
    }
    path.sourceAddresses = sourceAddresses.filter { source in stays { $0.hasAddress(source) } }
    path.isExpensive = isExpensive && stays(\.isExpensive)
    path.isConstrained = isConstrained && stays(\.isConstrained)
    if let cost, cost.isExpensive != path.isExpensive || cost.isConstrained != path.isConstrained { path.cost = nil }
    return path
  }

  /// The path of a socket bound to one of the interfaces. The first of them carries its traffic.
  ///
  /// The routers are left out, because the path does not list them by interface.
  func rehomed(to usable: [NetworkInterface]) -> NetworkPath {
    guard let first = usable.first else { return self }
    var path = self
    path.change { state in
      (state.status, state.unsatisfiedReason, state.diagnosis) = (.satisfied, nil, nil)
      (state.interfaces, state.gateways) = (usable, [])
      state.traffic = state.traffic.bound(to: first)
    }
    return path
  }
}

extension NetworkPath.Traffic {
  /// The traffic of a socket bound to an interface.
  ///
  /// The kernel's answers concern unbound sockets; of bound ones it is known only that the route is usable. So the
  /// families are those of the interface's addresses, and the name servers are taken to be reachable over it. The
  /// source addresses and the evidence of its cost are left out, because the path does not list them by interface.
  fileprivate func bound(to interface: NetworkInterface) -> Self {
    var traffic = Self()
    traffic.interfaceType = interface.type
    (traffic.isExpensive, traffic.isConstrained) = (interface.isExpensive, interface.isConstrained)
    traffic.supportsIPv4 = interface.hasAddress(of: .ipv4)
    traffic.supportsIPv6 = interface.hasAddress(of: .ipv6)
    traffic.supportsDNS = supportsDNS
    return traffic
  }
}

extension NetworkInterface {
  /// Whether the interface has a usable address of the family.
  func hasAddress(of family: IPAddress.Family) -> Bool {
    addresses.contains { $0.address.family == family }
  }

  /// Whether the address is one of its usable ones.
  func hasAddress(_ address: IPAddress) -> Bool { addresses.contains { $0.address == address } }

  /// Whether a router is reached over the interface: by its scope, or because it lies in the prefix of an address.
  func isOnLink(_ router: IPAddress) -> Bool {
    if let scope = router.scope { return scope.exact == exactName || scope == String(index) }
    return addresses.contains { $0.contains(router) }
  }
}
