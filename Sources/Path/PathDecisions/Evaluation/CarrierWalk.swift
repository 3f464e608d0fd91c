/// The walk from a link down to the cards that carry its packets: through bridges, bonds, meshes, routing domains and
/// tunnels, whichever rests on which.
///
/// The kernel routes into a tunnel and into a bridge regardless of the links below. A WireGuard device stays up without
/// any cable, and a bridge has a carrier as long as the tap of a virtual machine has one.
package final class CarrierWalk {
  /// The links below one, as far as they are known.
  enum Step {
    /// Packets leave by the link itself, or in another network namespace.
    case end
    /// Packets go on over any of these.
    case links([LinkFacts])
    /// Packets end here: no route leads to the server of a tunnel, or there is no port.
    case nowhere
  }

  let state: KernelState
  let ways: WaysOut

  /// A walk among the links of a network namespace.
  ///
  /// - Parameter ways: The findings of the evaluation. Without them every live link may lead out.
  package init(_ state: KernelState, _ ways: WaysOut = WaysOut()) {
    self.state = state
    self.ways = ways
  }

  /// The links that can lead out; see `CarrierWalk+Uplinks.swift`.
  package private(set) lazy var uplinks = findUplinks()
  /// Every link that may lead out of the machine, likely or not.
  private(set) lazy var candidates = findCandidates()
  /// The links over which the traffic last left that carry nothing now.
  private(set) lazy var lost = findLost()
  /// Whether a link that is no tunnel leads out. A card does, also that of a machine that forwards packets.
  private lazy var hasRealLink = state.interfaces.contains { interface in
    let link = interface.link
    if link.role == .tunnel || !isUplink(link) { return false }
    let isCard = !link.isPair && !hasPortsOfGuests(link) && !ways.accessPoints.contains(link.index)
    return isCard || standing(of: link) == .outward
  }
  /// Whether there is a bridge of containers or virtual machines. The machine then forwards their packets, so that this
  /// is no sign of a LAN behind its other links.
  private(set) lazy var hasBridgeOfGuests = state.interfaces.contains { interface in
    hasPortsOfGuests(interface.link) && !isSwitch(interface.link) && !ports(of: interface.link).contains(where: isCard)
  }

  // MARK: One step

  /// The links by which the kernel's answers say that packets leave; `nil` for a link whose packets no lookup is for.
  private func lookedUp(_ link: LinkFacts) -> [LinkFacts]? {
    ways.underlays[link.index].map { legs in unique(legs.map(\.interfaceIndex)).compactMap { state[$0]?.link } }
  }

  /// The next step of the walk.
  ///
  /// - Parameter upper: The link that rests on this one; of a VLAN, only its own ports of a bridge count.
  func step(from link: LinkFacts, below upper: LinkFacts? = nil) -> Step {
    if let links = lookedUp(link) { return links.isEmpty ? .nowhere : .links(links) }
    var below: [LinkFacts] = []
    if isTunnel(link) {
      below = carriers(of: link)
    } else if link.isRoutingDomain || isStacked(link) || link.isLine {
      if lacksPorts(link) { return .nowhere }
      below = lowerLinks(of: link, vlan: upper?.vlan)
      if below.isEmpty, link.vlanFilter != nil, !ports(of: link).isEmpty { return .nowhere }
    } else if let behind = linksBehind(link) {
      if behind.isEmpty { return .nowhere }
      below = behind
    }
    return below.isEmpty ? .end : .links(mostLikely(below))
  }

  /// The likely uplinks of a bridge without a card: cables to other namespaces rather than virtual machines of this
  /// one.
  private func mostLikely(_ lower: [LinkFacts]) -> [LinkFacts] {
    let cables = lower.filter { (!$0.isTap || isTunnel($0)) && !$0.isSink }
    return cables.isEmpty ? lower : cables
  }

  /// Whether a link passes on the frames of links below it: by its kind, or because it has ports.
  func isStacked(_ link: LinkFacts) -> Bool {
    if link.role == .stacked { return true }
    return link.kind != nil && link.kindRole == nil && state.interfaces.contains { $0.link.masterIndex == link.index }
  }

  /// The links that carry this one's packets, as far as the kernel names them.
  ///
  /// - Parameter vlan: The VLAN of the packets; `nil` for that of a bridge's own.
  func lowerLinks(of link: LinkFacts, vlan: UInt16? = nil) -> [LinkFacts] {
    if let active = link.activePortIndex, let port = state[active]?.link { return [port] }
    let ports = ports(of: link)
    if link.isRoutingDomain || ports.isEmpty {
      return ports.isEmpty ? link.parentIndex.flatMap { state[$0]?.link }.map { [$0] } ?? [] : ports
    }
    // The ports of virtual machines and containers come and go; they do not carry a bridge's uplink
    // as long as there is any other port.
    let carrying = ports.filter { isCard($0) || $0.role == .tunnel && !isCableOfGuest($0) }
    return (carrying.isEmpty ? ports : carrying).filter { link.passes(vlan, to: $0) }
  }

  /// The links that give a link their type. A tunnel that feeds a bridge beside cards, or beside containers, does not
  /// make all of it a tunnel.
  func typeLinks(of link: LinkFacts) -> [LinkFacts] {
    guard link.activePortIndex == nil, !link.isRoutingDomain else { return lowerLinks(of: link) }
    let ports = ports(of: link)
    if ports.isEmpty { return lowerLinks(of: link) }
    let cards = ports.filter(isCard)
    return cards.isEmpty ? ports : cards
  }

  /// Whether a port of a bridge is a card. Virtual machines, containers, tunnels to other hosts and the guests of an
  /// access point come and go, and a sink discards all frames.
  func isCard(_ port: LinkFacts) -> Bool {
    switch port.role {
    case .uplink, .stacked: !ways.accessPoints.contains(port.index)
    case .inward: isStacked(port)
    default: false
    }
  }

  /// The ports of a link. Those of an Open vSwitch bridge belong to its datapath, and the kernel does not tell which of
  /// the datapath's bridges has which.
  func ports(of link: LinkFacts) -> [LinkFacts] {
    guard link.kind == "openvswitch", link.masterIndex == nil, !isSwitch(link) else {
      return state.interfaces.filter { $0.link.masterIndex == link.index }.map(\.link)
    }
    let datapaths = state.interfaces.filter { isSwitch($0.link) }.map(\.link.index)
    return state.interfaces.filter { $0.link.masterIndex.map(datapaths.contains) == true }.map(\.link)
  }

  /// The links to which the other end of a pair passes the packets: the other ports of a bridge or a routing domain of
  /// this network namespace. `nil` for other links, and if the other end is not such a port.
  private func linksBehind(_ pair: LinkFacts) -> [LinkFacts]? {
    guard pair.isPair, let other = pair.parentIndex.flatMap({ state[$0]?.link }),
      let master = other.masterIndex.flatMap({ state[$0]?.link }), hasPortsOfGuests(master) || master.isRoutingDomain
    else { return nil }
    return lowerLinks(of: master).filter { $0.index != other.index }
  }

  /// Whether the ports of a link may be those of virtual machines and containers.
  func hasPortsOfGuests(_ link: LinkFacts) -> Bool { link.kind == "bridge" || link.kind == "openvswitch" }

  /// Whether a link is the datapath of Open vSwitch, which only holds the ports: a bridge is a sister of these.
  func isSwitch(_ link: LinkFacts) -> Bool {
    link.kind == "openvswitch" && state.interfaces.contains { $0.link.masterIndex == link.index }
  }

  /// Whether a link that only passes on frames has no port to pass them to. Of an empty bridge, the diagnosis has a
  /// doubt: it may be the beginning of a configuration.
  func lacksPorts(_ link: LinkFacts) -> Bool {
    (link.kind == "batadv" || link.kind == "openvswitch" && !isSwitch(link)) && ports(of: link).isEmpty
  }

  // MARK: Tunnels

  /// Whether the packets of a link travel over another one that routes choose.
  ///
  /// A tap passes Ethernet frames to a program. Beside a real link, it is a VPN, also as the port of a bond or a mesh.
  /// As the port of a bridge, it is the cable of a virtual machine. As the only way out, it is the cable of a container
  /// without privileges (slirp4netns, pasta), whatever pairs lead to its own containers.
  func isTunnel(_ link: LinkFacts) -> Bool {
    guard link.role == .tunnel else { return false }
    if !link.isTap { return true }
    return link.masterIndex == nil ? hasRealLink : !isCableOfGuest(link)
  }

  /// Whether a link is the tap of a virtual machine.
  private func isCableOfGuest(_ link: LinkFacts) -> Bool {
    link.isTap && link.masterIndex.flatMap { state[$0]?.link }.map(hasPortsOfGuests) == true
  }

  /// Whether a link is a tunnel, or all links below it are.
  func restsOnTunnel(_ link: LinkFacts, depth: Int = 0) -> Bool {
    if link.role == .tunnel { return true }
    guard depth < 8, isStacked(link) else { return false }
    let lower = typeLinks(of: link)
    return !lower.isEmpty && lower.allSatisfy { restsOnTunnel($0, depth: depth + 1) }
  }

  /// The links that carry a tunnel's packets: those that the kernel names, else those that may.
  ///
  /// The server is mostly beyond a router. So those carry the tunnel over which a route leads beyond their own network,
  /// the living ones first. Those that did so before and are dead now have left it without a way. Where there are none,
  /// the server may be a neighbour on any link with an address.
  package func carriers(of tunnel: LinkFacts) -> [LinkFacts] {
    if let named = lookedUp(tunnel), !named.isEmpty { return named }
    if let parent = tunnel.parentIndex.flatMap({ state[$0]?.link }) { return [parent] }
    let leading = possibleCarriers.filter { ways.contains($0.index) || ways.former.contains($0.index) }
    let living = leading.filter { ways.contains($0.index) && isAlive($0) }
    if !living.isEmpty { return living }
    let dead = leading.filter { !isAlive($0) }
    if !dead.isEmpty { return dead }
    if candidates.isEmpty { return [] }
    let able = uplinks.filter { $0.obstacle != nil || state[$0.index]?.usableAddresses.isEmpty == false }
    return able.isEmpty ? uplinks : able
  }

  /// The links that may carry a tunnel. Where pairs are the cables, a bridge over one may do so as well.
  private(set) lazy var possibleCarriers: [LinkFacts] = {
    guard candidates.allSatisfy(\.isPair) else { return candidates }
    return candidates
      + state.interfaces.map(\.link).filter { link in
        hasPortsOfGuests(link) && link.masterIndex == nil && !isSwitch(link) && !restsOnTunnel(link)
      }
  }()

  /// The carriers of a tunnel that are alive.
  func livingCarriers(of tunnel: LinkFacts) -> [LinkFacts] { carriers(of: tunnel).filter { isAlive($0) } }

  /// Whether no lookup tells over which of the live links a tunnel's packets leave, so that the routes to routers in
  /// the tables have to. In a container they also show whether a bridge of pairs leads out, and whether a pair beside a
  /// tap is its own cable or that of another container.
  func needsTables(_ tunnel: LinkFacts) -> Bool {
    if tunnel.isTap, tunnel.masterIndex == nil, !isTunnel(tunnel) { return candidates.contains(where: \.isPair) }
    guard isTunnel(tunnel), tunnel.parentIndex == nil, ways.underlays[tunnel.index] == nil else { return false }
    if candidates.isEmpty { return !possibleCarriers.isEmpty }
    let living = possibleCarriers.filter { isAlive($0) }
    return !living.isEmpty && !living.contains { ways.links.contains($0.index) }
  }

  // MARK: The whole walk

  /// Whether frames leave by a link, through no tunnel.
  func isAlive(_ link: LinkFacts) -> Bool {
    link.obstacle == nil && !link.isSink && deadEnds(below: link, throughTunnels: false, above: []).isEmpty
  }

  /// The links at which all packets over a link end: links with an obstacle, and links without a way on. Empty if
  /// packets get through, or if no links below are known.
  func deadEnds(below link: LinkFacts) -> [LinkFacts] { deadEnds(below: link, throughTunnels: true, above: []) }

  /// - Parameters:
  ///   - throughTunnels: Whether packets get out over a tunnel. Only then the links that carry it are looked for,
  ///     because a tunnel is not carried by what rests on it.
  ///   - above: The links that rest on this one. Packets that come back to one of them, as in two tunnels that lead
  ///     into each other, never leave.
  private func deadEnds(below link: LinkFacts, throughTunnels: Bool, above: [LinkFacts]) -> [LinkFacts] {
    if let place = above.firstIndex(where: { $0.index == link.index }) {
      // A link that the kernel only seems to stack upon itself is in another network namespace.
      let tunnel = above[place...].first { ways.underlays[$0.index] != nil || isTunnel($0) }
      return tunnel.map { [$0] } ?? (isStacked(link) ? [] : [link])
    }
    if !throughTunnels, isTunnel(link) { return [link] }
    switch step(from: link, below: above.last) {
    case .end: return []
    case .nowhere: return [link]
    case .links(let below):
      let path = above + [link]
      var ends: [LinkFacts] = []
      for lower in below {
        let isEnd = lower.obstacle != nil || lower.isSink
        let found = isEnd ? [lower] : deadEnds(below: lower, throughTunnels: throughTunnels, above: path)
        if found.isEmpty { return [] }
        ends += found.filter { end in !ends.contains { $0.index == end.index } }
      }
      return ends
    }
  }

  /// The given links and those below them, to read again where the kernel may be late to announce their changes. The
  /// lower links come first, because a bridge learns of its port's carrier from the port.
  package func readingOrder(of indices: [Int32]) -> [Int32] {
    var order: [Int32] = []
    for index in indices { appendReadingOrder(of: index, to: &order, depth: 0) }
    return order
  }

  private func appendReadingOrder(of index: Int32, to order: inout [Int32], depth: Int) {
    guard depth < 8, !order.contains(index), let link = state[index]?.link else { return }
    if case .links(let below) = step(from: link) {
      for lower in below { appendReadingOrder(of: lower.index, to: &order, depth: depth + 1) }
    }
    if !order.contains(index) { order.append(index) }
  }
}

extension LinkFacts {
  /// Whether a bridge passes frames of a VLAN, or without one its own, to a port. Every bridge does that does not tell
  /// VLANs apart, or whose VLANs are not known.
  fileprivate func passes(_ vlan: UInt16?, to port: LinkFacts) -> Bool {
    guard let filter = vlanFilter, let portFilter = port.vlanFilter else { return true }
    guard let vlan = vlan ?? filter.own else { return false }
    return filter.contains(vlan) && portFilter.contains(vlan)
  }
}

/// The elements without repetitions, in their order.
func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  if elements.count < 2 { return elements }
  if elements.count <= 8 {
    var kept: [Element] = []
    for element in elements where !kept.contains(element) { kept.append(element) }
    return kept
  }
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
