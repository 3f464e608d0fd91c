/// The links that can lead out of the machine, and the obstacles of links whose packets travel over others.
///
/// The kernel routes into a tunnel and into a bridge regardless of the links below. A WireGuard device stays up without
/// any cable, and a bridge has a carrier as long as the tap of a virtual machine has one.
package struct Uplinks {
  private let state: KernelState

  /// The uplinks among the links of a network namespace.
  package init(_ state: KernelState) {
    self.state = state
  }

  /// The links that stand for hardware, or for the cable of a container. None of them is loopback, a sink, a tunnel,
  /// the bridge of containers, or the port of a bridge, bond, team or routing domain.
  var all: [LinkFacts] {
    state.interfaces.map(\.link).filter { !$0.isLoopback && !$0.isSink && !isTunnel($0) && isUplink($0) }
  }

  /// Whether a link could lead out of the machine. The bridges of containers, the ports of other links and routing
  /// domains could not.
  func isUplink(_ link: LinkFacts) -> Bool {
    guard link.masterIndex == nil, !link.isRoutingDomain else { return false }
    return link.kind != "bridge" || lowerLinks(of: link).contains { isUplinkPort($0) }
  }

  /// Whether the packets of a link travel over another one that routes choose.
  ///
  /// A tap passes Ethernet frames to a program. Beside a real link, it is a VPN. As the port of a bridge, it is the
  /// cable of a virtual machine. As the only link, it is the cable of a container without privileges (slirp4netns,
  /// pasta).
  func isTunnel(_ link: LinkFacts) -> Bool {
    guard InterfaceClassification.isTunnelKind(link) else { return false }
    return !link.isTap || link.masterIndex == nil && hasRealLink
  }

  private var hasRealLink: Bool {
    state.interfaces.contains { interface in
      let link = interface.link
      return !link.isLoopback && !link.isSink && !InterfaceClassification.isTunnelKind(link) && isUplink(link)
    }
  }

  // MARK: The links below

  /// The links that carry this one's packets, as far as the kernel names them.
  func lowerLinks(of link: LinkFacts) -> [LinkFacts] {
    if let active = link.activePortIndex, let port = state[active]?.link { return [port] }
    let ports = state.interfaces.map(\.link).filter { $0.masterIndex == link.index }
    if link.isRoutingDomain { return ports }
    // The ports of virtual machines and containers come and go; they do not carry a bridge's uplink
    // as long as there is any other port.
    let uplinks = ports.filter { isUplinkPort($0) }
    if !ports.isEmpty { return uplinks.isEmpty ? ports : uplinks }
    return link.parentIndex.flatMap { state[$0]?.link }.map { [$0] } ?? []
  }

  /// Whether a port of a bridge leads to something other than a virtual machine or container; these come and go.
  private func isUplinkPort(_ port: LinkFacts) -> Bool {
    port.kind != "veth" && port.kind != "tun" && port.kind != "netkit"
  }

  /// The links that carry a tunnel's packets: the one that the kernel names, else all that lead out of the machine.
  private func carriers(of tunnel: LinkFacts) -> [LinkFacts] {
    let named = lowerLinks(of: tunnel)
    return named.isEmpty ? all : named
  }

  // MARK: Obstacles

  /// The likely uplinks of a bridge without a card: cables to other namespaces rather than virtual machines of this
  /// one.
  private func mostLikelyUplinks(among lower: [LinkFacts]) -> [LinkFacts] {
    let cables = lower.filter { $0.kind != "tun" }
    return cables.isEmpty ? lower : cables
  }

  /// The links below a link if all of them have an obstacle, so that nothing gets out over it. Empty if packets get
  /// through, or if no links below are known.
  func deadEnds(below link: LinkFacts) -> [LinkFacts] { deadEnds(below: link, depth: 0) }

  private func deadEnds(below link: LinkFacts, depth: Int) -> [LinkFacts] {
    guard depth < 8 else { return [] }
    let below: [LinkFacts]
    if isTunnel(link) {
      below = carriers(of: link)
    } else if link.isRoutingDomain {
      below = lowerLinks(of: link)
    } else if InterfaceClassification.isStackedKind(link) {
      below = mostLikelyUplinks(among: lowerLinks(of: link))
    } else {
      below = []
    }
    let blocked = below.filter { $0.obstacle != nil || !deadEnds(below: $0, depth: depth + 1).isEmpty }
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
    let restsOnOthers = link.isRoutingDomain || InterfaceClassification.isStackedKind(link)
    let below = isTunnel(link) ? carriers(of: link) : restsOnOthers ? lowerLinks(of: link) : []
    for lower in below { appendReadingOrder(of: lower.index, to: &order, depth: depth + 1) }
    if !order.contains(index) { order.append(index) }
  }
}
