/// The links that can lead out of the machine, and the obstacles of links whose packets travel over others.
///
/// The kernel routes into a tunnel and into a bridge regardless of the links below. A WireGuard device stays up without
/// any cable, and a bridge has a carrier as long as the tap of a virtual machine has one.
package struct Uplinks {
  private let state: KernelState
  private let ways: WaysOut

  /// The uplinks among the links of a network namespace.
  ///
  /// - Parameter ways: The findings of the evaluation. Without them every live link may lead out.
  package init(_ state: KernelState, _ ways: WaysOut = WaysOut()) {
    self.state = state
    self.ways = ways
  }

  // MARK: Links that lead out

  /// How likely a link leads out of the machine, most likely first.
  private enum Standing: Int, Comparable {
    /// A route over it leads beyond its own network, or it stands for hardware.
    case uplink
    /// A pair without a carrier: the cable of a container, or the end of one that has stopped.
    case quietPair
    /// A link into a network of this machine's own: an access point, the host's live end of a container's pair, or the
    /// LAN for which this machine is the router.
    case inward

    static func < (left: Standing, right: Standing) -> Bool { left.rawValue < right.rawValue }
  }

  /// The links that stand for hardware, or for the cable of a container. None of them is loopback, a sink, a tunnel,
  /// the bridge of containers, or the port of another link. A link into a network of this machine's own is among them
  /// only if there is nothing else.
  package var all: [LinkFacts] {
    let links = candidates
    guard let best = links.map({ standing(of: $0) }).min() else { return [] }
    // Where no card is, pairs are the cables.
    let isContainer = !links.contains { !$0.kindTraits.contains(.pair) && standing(of: $0) == .uplink }
    let least = isContainer ? max(best, .quietPair) : best
    return links.filter { standing(of: $0) <= least && (best != .inward || standing(of: $0) == .inward) }
  }

  /// Every link that may lead out of the machine, whatever its standing.
  var candidates: [LinkFacts] {
    state.interfaces.map(\.link).filter { isUplink($0) && !isTunnel($0) }
  }

  private func standing(of link: LinkFacts) -> Standing {
    if ways.contains(link.index) || ways.former.contains(link.index) { return .uplink }
    if ways.accessPoints.contains(link.index) { return .inward }
    let isLive = link.obstacle == nil
    if link.kindTraits.contains(.pair) { return isLive ? .inward : .quietPair }
    return isLive && link.forwards ? .inward : .uplink
  }

  /// The links over which the traffic last left that carry nothing now. A link that somebody has switched off is not
  /// lost.
  var lost: [LinkFacts] {
    let former = ways.former.compactMap { state[$0]?.link }.filter { isUplink($0) && !isTunnel($0) }
    return former.contains { isAlive($0) } ? [] : former.filter { $0.obstacle != .administrativelyDown }
  }

  /// Whether a link could lead out of the machine. Loopback, sinks, the bridges of containers, the ports of other
  /// links, routing domains and the links on top of a tunnel could not.
  func isUplink(_ link: LinkFacts) -> Bool {
    guard !link.isLoopback, !link.isSink, link.masterIndex == nil, !link.isRoutingDomain, !isSwitch(link) else {
      return false
    }
    guard isStacked(link) else { return true }
    let lower = lowerLinks(of: link)
    if hasPortsOfGuests(link) { return lower.contains { isUplinkPort($0) } }
    return lower.isEmpty || !lower.allSatisfy { restsOnTunnel($0) }
  }

  /// Whether a link is a tunnel, or all links below it are.
  func restsOnTunnel(_ link: LinkFacts, depth: Int = 0) -> Bool {
    if InterfaceClassification.isTunnelKind(link) { return true }
    guard depth < 8, isStacked(link) else { return false }
    let lower = lowerLinks(of: link)
    return !lower.isEmpty && lower.allSatisfy { restsOnTunnel($0, depth: depth + 1) }
  }

  /// Whether a link is the datapath of Open vSwitch, which only holds the ports: a bridge is a sister of these.
  private func isSwitch(_ link: LinkFacts) -> Bool {
    link.kind == "openvswitch" && state.interfaces.contains { $0.link.masterIndex == link.index }
  }

  /// Whether the ports of a link may be those of virtual machines and containers.
  private func hasPortsOfGuests(_ link: LinkFacts) -> Bool { link.kind == "bridge" || link.kind == "openvswitch" }

  /// Whether the packets of a link travel over another one that routes choose.
  ///
  /// A tap passes Ethernet frames to a program. Beside a real link, it is a VPN. As the port of a bridge, it is the
  /// cable of a virtual machine. As the only way out, it is the cable of a container without privileges (slirp4netns,
  /// pasta), whatever pairs lead to its own containers.
  func isTunnel(_ link: LinkFacts) -> Bool {
    guard InterfaceClassification.isTunnelKind(link) else { return false }
    return !link.isTap || link.masterIndex == nil && hasRealLink
  }

  private var hasRealLink: Bool {
    state.interfaces.contains { interface in
      let link = interface.link
      return !InterfaceClassification.isTunnelKind(link) && isUplink(link) && standing(of: link) == .uplink
    }
  }

  // MARK: The links below

  /// Whether a link passes on the frames of links below it: by its kind, or because it has ports.
  func isStacked(_ link: LinkFacts) -> Bool {
    if InterfaceClassification.isStackedKind(link) { return true }
    guard link.kind != nil, link.kindTraits.isEmpty else { return false }
    return link.parentIndex != nil || state.interfaces.contains { $0.link.masterIndex == link.index }
  }

  /// The links that carry this one's packets, as far as the kernel names them.
  func lowerLinks(of link: LinkFacts) -> [LinkFacts] {
    if let active = link.activePortIndex, let port = state[active]?.link { return [port] }
    let ports = ports(of: link)
    if link.isRoutingDomain { return ports }
    // The ports of virtual machines and containers come and go; they do not carry a bridge's uplink
    // as long as there is any other port.
    let uplinks = ports.filter { isUplinkPort($0) }
    if !ports.isEmpty { return uplinks.isEmpty ? ports : uplinks }
    if let parent = link.parentIndex.flatMap({ state[$0]?.link }) { return [parent] }
    return ways.underlays[link.index]?.compactMap { state[$0]?.link } ?? []
  }

  /// The ports of a link. Those of an Open vSwitch bridge belong to its datapath, and the kernel does not tell which of
  /// the datapath's bridges has which.
  private func ports(of link: LinkFacts) -> [LinkFacts] {
    let links = state.interfaces.map(\.link)
    guard link.kind == "openvswitch", link.masterIndex == nil, !isSwitch(link) else {
      return links.filter { $0.masterIndex == link.index }
    }
    let datapaths = links.filter(isSwitch).map(\.index)
    return links.filter { port in port.masterIndex.map(datapaths.contains) == true }
  }

  /// Whether a port of a bridge is a card. Virtual machines, containers, tunnels to other hosts and the guests of an
  /// access point come and go, and a sink discards all frames.
  private func isUplinkPort(_ port: LinkFacts) -> Bool {
    !port.kindTraits.contains(.pair) && !InterfaceClassification.isTunnelKind(port) && !port.isSink
      && !ways.accessPoints.contains(port.index)
  }

  // MARK: The links that carry a tunnel

  /// The links that carry a tunnel's packets: those that the kernel names, else those that may.
  ///
  /// The server is mostly beyond a router. So those carry the tunnel over which a route leads beyond their own network,
  /// the living ones first. Those that did so before and are dead now have left it without a way. Where there are none,
  /// the server may be a neighbour on any link with an address.
  package func carriers(of tunnel: LinkFacts) -> [LinkFacts] {
    let named = lowerLinks(of: tunnel)
    if !named.isEmpty { return named }
    let leading = candidates.filter { ways.contains($0.index) || ways.former.contains($0.index) }
    let living = leading.filter { ways.contains($0.index) && isAlive($0) }
    if !living.isEmpty { return living }
    let dead = leading.filter { !isAlive($0) }
    if !dead.isEmpty { return dead }
    let able = all.filter { $0.obstacle != nil || state[$0.index]?.usableAddresses.isEmpty == false }
    return able.isEmpty ? all : able
  }

  /// The carriers of a tunnel that are alive.
  func livingCarriers(of tunnel: LinkFacts) -> [LinkFacts] { carriers(of: tunnel).filter { isAlive($0) } }

  /// Whether no route leads to the server of a tunnel, although links below it may be alive.
  func lacksWay(_ tunnel: LinkFacts) -> Bool {
    isTunnel(tunnel) && tunnel.parentIndex == nil && ways.underlays[tunnel.index]?.isEmpty == true
  }

  /// Whether only the routes to routers in the tables tell over which of several links a tunnel's packets leave.
  func needsTables(_ tunnel: LinkFacts) -> Bool { hasUncertainWay(tunnel) && candidates.count > 1 }

  /// Whether no lookup tells over which of the live links a tunnel's packets leave.
  private func hasUncertainWay(_ tunnel: LinkFacts) -> Bool {
    guard isTunnel(tunnel), lowerLinks(of: tunnel).isEmpty, ways.underlays[tunnel.index] == nil else { return false }
    let living = living
    return !living.isEmpty && !living.contains { ways.links.contains($0.index) }
  }

  /// The live links that may carry the tunnels of a path, where no lookup tells which of them does.
  package func uncertainCarriers(of evaluation: PathEvaluation) -> [Int32] {
    let tunnels = evaluation.families.flatMap(\.primaryLegs).compactMap { state[$0.interfaceIndex]?.link }
    return tunnels.contains(where: hasUncertainWay) ? living.map(\.index) : []
  }

  /// The links that are alive and may lead out of the machine, most likely first.
  var living: [LinkFacts] { candidates.filter { isAlive($0) }.sorted { standing(of: $0) < standing(of: $1) } }

  /// The uplinks that may carry tunnels: those with a way of their own, or all that are alive.
  var likelyCarriers: [LinkFacts] {
    let living = all.filter { isAlive($0) }
    let leading = living.filter { ways.contains($0.index) }
    return leading.isEmpty ? living : leading
  }

  /// Whether frames leave by a link, through no tunnel.
  private func isAlive(_ link: LinkFacts, depth: Int = 0) -> Bool {
    guard link.obstacle == nil, !link.isSink, !InterfaceClassification.isTunnelKind(link) || link.isTap else {
      return false
    }
    guard depth < 8, isStacked(link) else { return true }
    let lower = mostLikelyUplinks(among: lowerLinks(of: link))
    return lower.isEmpty || lower.contains { isAlive($0, depth: depth + 1) }
  }

  // MARK: Obstacles

  /// The likely uplinks of a bridge without a card: cables to other namespaces rather than virtual machines of this
  /// one.
  private func mostLikelyUplinks(among lower: [LinkFacts]) -> [LinkFacts] {
    let cables = lower.filter { $0.kind != "tun" && !$0.isSink }
    return cables.isEmpty ? lower : cables
  }

  /// Whether a link that only passes on frames has no port to pass them to. Of an empty bridge, the diagnosis has a
  /// doubt: it may be the beginning of a configuration.
  func lacksPorts(_ link: LinkFacts) -> Bool {
    (link.kind == "batadv" || link.kind == "openvswitch" && !isSwitch(link)) && ports(of: link).isEmpty
  }

  /// The links below a link if all of them have an obstacle, so that nothing gets out over it. For a tunnel that lacks
  /// a way, or lacks ports, it is the link itself. Empty if packets get through, or if no links below are known.
  func deadEnds(below link: LinkFacts) -> [LinkFacts] { deadEnds(below: link, depth: 0) }

  private func deadEnds(below link: LinkFacts, depth: Int) -> [LinkFacts] {
    guard depth < 8 else { return [] }
    let below: [LinkFacts]
    if isTunnel(link) {
      if lacksWay(link) { return [link] }
      below = carriers(of: link)
    } else if link.isRoutingDomain {
      below = lowerLinks(of: link)
    } else if isStacked(link) || link.isLine {
      if lacksPorts(link) { return [link] }
      below = mostLikelyUplinks(among: lowerLinks(of: link))
    } else {
      below = []
    }
    let blocked = below.filter {
      $0.obstacle != nil || $0.isSink || !deadEnds(below: $0, depth: depth + 1).isEmpty
    }
    return blocked.count == below.count ? blocked : []
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
    let restsOnOthers = link.isRoutingDomain || isStacked(link) || link.isLine
    let below = isTunnel(link) ? carriers(of: link) : restsOnOthers ? lowerLinks(of: link) : []
    for lower in below { appendReadingOrder(of: lower.index, to: &order, depth: depth + 1) }
    if !order.contains(index) { order.append(index) }
  }
}
