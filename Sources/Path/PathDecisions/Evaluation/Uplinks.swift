/// The links that can lead out of the machine, and the links below them.
///
/// The kernel routes into a tunnel and into a bridge regardless of the links below. A WireGuard device stays up without
/// any cable, and a bridge has a carrier as long as the tap of a virtual machine has one.
package final class Uplinks {
  let state: KernelState
  let ways: WaysOut

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
  package private(set) lazy var all: [LinkFacts] = {
    let links = candidates
    let standings = links.map { standing(of: $0) }
    guard let best = standings.min() else { return [] }
    // Where no card is, pairs are the cables.
    let isContainer = !links.indices.contains { standings[$0] == .uplink && !links[$0].kindTraits.contains(.pair) }
    let least = isContainer ? max(best, .quietPair) : best
    return links.indices.filter { standings[$0] <= least && (best != .inward || standings[$0] == .inward) }
      .map { links[$0] }
  }()

  /// Every link that may lead out of the machine, whatever its standing.
  private(set) lazy var candidates = state.interfaces.filter { isUplink($0.link) && !isTunnel($0.link) }.map(\.link)

  /// The links that may carry a tunnel. Where pairs are the cables, a bridge over one may do so as well.
  private(set) lazy var possibleCarriers: [LinkFacts] = {
    guard candidates.allSatisfy({ $0.kindTraits.contains(.pair) }) else { return candidates }
    return candidates
      + state.interfaces.map(\.link).filter { hasPortsOfGuests($0) && $0.masterIndex == nil && !isSwitch($0) }
  }()

  private func standing(of link: LinkFacts) -> Standing {
    if ways.contains(link.index) || ways.former.contains(link.index) { return .uplink }
    if ways.accessPoints.contains(link.index) { return .inward }
    let isLive = link.obstacle == nil
    if link.kindTraits.contains(.pair) { return isLive ? .inward : .quietPair }
    return isLive && link.forwards ? .inward : .uplink
  }

  /// The links over which the traffic last left that carry nothing now. A link that somebody has switched off is not
  /// lost.
  private(set) lazy var lost: [LinkFacts] = {
    let former = ways.former.compactMap { state[$0] }.filter { isUplink($0.link) && !isTunnel($0.link) }
    if former.contains(where: { isAlive($0.link) }) { return [] }
    return former.filter { $0.link.obstacle != .administrativelyDown }.map(\.link)
  }()

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
  func isSwitch(_ link: LinkFacts) -> Bool {
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

  /// Whether a link that is no tunnel leads out. A card does, also that of a machine that forwards packets.
  private lazy var hasRealLink = state.interfaces.contains { interface in
    let link = interface.link
    if InterfaceClassification.isTunnelKind(link) || !isUplink(link) { return false }
    let isCard = !link.kindTraits.contains(.pair) && !hasPortsOfGuests(link) && !ways.accessPoints.contains(link.index)
    return isCard || standing(of: link) == .uplink
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
    var links: [LinkFacts] = []
    for leg in ways.underlays[link.index] ?? [] where !links.contains(where: { $0.index == leg.interfaceIndex }) {
      if let link = state[leg.interfaceIndex]?.link { links.append(link) }
    }
    return links
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
  func linksBehind(_ pair: LinkFacts) -> [LinkFacts]? {
    guard pair.kindTraits.contains(.pair), let other = pair.parentIndex.flatMap({ state[$0]?.link }),
      let master = other.masterIndex.flatMap({ state[$0]?.link }), hasPortsOfGuests(master) || master.isRoutingDomain
    else { return nil }
    return lowerLinks(of: master).filter { $0.index != other.index }
  }

  /// Whether a port of a bridge is a card. Virtual machines, containers, tunnels to other hosts and the guests of an
  /// access point come and go, and a sink discards all frames.
  private func isUplinkPort(_ port: LinkFacts) -> Bool {
    !port.kindTraits.contains(.pair) && !InterfaceClassification.isTunnelKind(port) && !port.isSink
      && !ways.accessPoints.contains(port.index)
  }
}
