/// The links that can lead out of the machine, by how far they have got.
extension CarrierWalk {
  /// How likely a link leads out of the machine, most likely first.
  enum Standing: Int, Comparable {
    /// A route over it leads beyond its own network, or it stands for hardware.
    case outward
    /// A pair without a carrier: the cable of a container, or the end of one that has stopped.
    case quietPair
    /// The LAN for which this machine is the router.
    case lan
    /// A link that is switched off and was not in use: a spare port.
    case spare
    /// A link into a network of this machine's own: an access point, or the host's live end of a container's pair.
    case inward

    static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }
  }

  /// The links that stand for hardware, or for the cable of a container. None of them is loopback, a sink, a tunnel,
  /// the bridge of containers, or the port of another link. A link into a network of this machine's own is among them
  /// only if there is nothing else. Spare ports are, beside whatever is in use.
  func findUplinks() -> [LinkFacts] {
    let links = candidates
    // Where none is likely, a tunnel alone, a bridge over the cable of a container or the port of a routing domain may.
    if links.isEmpty { return state.interfaces.map(\.link).filter(mayLeadOutAlone) }
    let standings = links.map { standing(of: $0) }
    // The spare cable of a container is no sign of one that is switched off.
    let isCard = links.indices.contains { standings[$0] == .spare && !links[$0].isPair }
    let best = standings.filter { isCard || $0 != .spare }.min() ?? .spare
    // Where no card is, pairs are the cables.
    let hasCard = links.indices.contains { standings[$0] == .outward && !links[$0].isPair }
    return links.indices.filter { place in
      switch standings[place] {
      case .spare: !hasCard || !links[place].isPair
      case .quietPair: best == .quietPair || best == .outward && !hasCard
      case let standing: standing == best
      }
    }.map { links[$0] }
  }

  private func mayLeadOutAlone(_ link: LinkFacts) -> Bool {
    if let master = link.masterIndex { return state[master]?.link.isRoutingDomain == true }
    switch link.role {
    case .loopback, .sink, .withoutIP, .routingDomain: return false
    case .inward where !isStacked(link): return false
    default: return !hasPortsOfGuests(link) || !link.forwards && !ports(of: link).isEmpty
    }
  }

  /// Every link that may lead out of the machine, whatever its standing.
  func findCandidates() -> [LinkFacts] {
    state.interfaces.map(\.link).filter { isUplink($0) && !isTunnel($0) }
  }

  func standing(of link: LinkFacts) -> Standing {
    if isRouted(link) { return .outward }
    if ways.accessPoints.contains(link.index) { return .inward }
    if link.obstacle == .administrativelyDown, !isInUse(link) { return .spare }
    let isLive = link.obstacle == nil
    if link.isPair { return isLive ? .inward : .quietPair }
    return isLive && link.forwards && !hasBridgeOfGuests ? .lan : .outward
  }

  /// Whether packets leave or left over a link to beyond its network.
  private func isRouted(_ link: LinkFacts) -> Bool {
    ways.contains(link.index) || ways.former.contains(link.index)
  }

  /// Whether a link, or one on top of it, has an address that reaches beyond the link.
  private func isInUse(_ link: LinkFacts) -> Bool {
    state.interfaces.contains { interface in
      (interface.link.index == link.index || interface.link.parentIndex == link.index)
        && interface.addresses.contains { $0.isUsable }
    }
  }

  /// The links over which the traffic last left that carry nothing now. A link that somebody has switched off is not
  /// lost.
  func findLost() -> [LinkFacts] {
    let former = ways.former.compactMap { state[$0] }.filter { isUplink($0.link) && !isTunnel($0.link) }
    if former.contains(where: { isAlive($0.link) }) { return [] }
    return former.filter { $0.link.obstacle != .administrativelyDown }.map(\.link)
  }

  /// Whether a link could lead out of the machine. Loopback, sinks, the bridges of containers, the ports of other
  /// links, routing domains and the links on top of a tunnel could not.
  func isUplink(_ link: LinkFacts) -> Bool {
    guard link.masterIndex == nil, !isSwitch(link) else { return false }
    switch link.role {
    case .loopback, .sink, .routingDomain, .withoutIP: return false
    case .inward where !isStacked(link): return isRouted(link)
    case .uplink, .pair, .tunnel, .stacked, .inward: break
    }
    guard isStacked(link) else { return true }
    let lower = lowerLinks(of: link)
    if hasPortsOfGuests(link), !lower.contains(where: isCard) { return false }
    return lower.isEmpty || !lower.allSatisfy { restsOnTunnel($0) }
  }
}
