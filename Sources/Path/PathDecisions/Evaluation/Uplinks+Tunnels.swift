/// The links that carry a tunnel's packets, and the obstacles of links whose packets travel over others.
extension Uplinks {
  /// The links that carry a tunnel's packets: those that the kernel names, else those that may.
  ///
  /// The server is mostly beyond a router. So those carry the tunnel over which a route leads beyond their own network,
  /// the living ones first. Those that did so before and are dead now have left it without a way. Where there are none,
  /// the server may be a neighbour on any link with an address.
  package func carriers(of tunnel: LinkFacts) -> [LinkFacts] {
    let named = lowerLinks(of: tunnel)
    if !named.isEmpty { return named }
    let leading = possibleCarriers.filter { ways.contains($0.index) || ways.former.contains($0.index) }
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

  /// Whether no lookup tells over which of the live links a tunnel's packets leave, so that the routes to routers in
  /// the tables have to. In a container they also show whether a bridge of pairs leads out, and whether a pair beside a
  /// tap is its own cable or that of another container.
  func needsTables(_ tunnel: LinkFacts) -> Bool {
    if tunnel.isTap, tunnel.masterIndex == nil, !isTunnel(tunnel) {
      return candidates.contains { $0.kindTraits.contains(.pair) }
    }
    guard isTunnel(tunnel), lowerLinks(of: tunnel).isEmpty, ways.underlays[tunnel.index] == nil else { return false }
    if candidates.isEmpty { return !possibleCarriers.isEmpty }
    let living = possibleCarriers.filter { isAlive($0) }
    return !living.isEmpty && !living.contains { ways.links.contains($0.index) }
  }

  /// Whether frames leave by a link, through no tunnel.
  func isAlive(_ link: LinkFacts) -> Bool {
    link.obstacle == nil && !link.isSink && deadEnds(below: link, throughTunnels: false, above: []).isEmpty
  }

  // MARK: Obstacles

  /// The links below a link if all of them have an obstacle, so that nothing gets out over it. For a tunnel that lacks
  /// a way, or lacks ports, it is the link itself. Empty if packets get through, or if no links below are known.
  func deadEnds(below link: LinkFacts) -> [LinkFacts] { deadEnds(below: link, throughTunnels: true, above: []) }

  /// - Parameters:
  ///   - throughTunnels: Whether packets get out over a tunnel. Only then the links that carry it are looked for,
  ///     because a tunnel is not carried by what rests on it.
  ///   - above: The links that rest on this one. Packets that come back to one of them, as in two tunnels that lead
  ///     into each other, never leave.
  private func deadEnds(below link: LinkFacts, throughTunnels: Bool, above: [Int32]) -> [LinkFacts] {
    // A link that the kernel only seems to stack upon itself is in another network namespace.
    if above.contains(link.index) { return isStacked(link) ? [] : [link] }
    var below: [LinkFacts] = []
    if isTunnel(link) {
      if !throughTunnels || lacksWay(link) { return [link] }
      below = carriers(of: link)
    } else if link.isRoutingDomain {
      below = lowerLinks(of: link)
    } else if isStacked(link) || link.isLine {
      if lacksPorts(link) { return [link] }
      below = mostLikelyUplinks(among: lowerLinks(of: link))
    } else if let behind = linksBehind(link) {
      if behind.isEmpty { return [link] }
      below = mostLikelyUplinks(among: behind)
    }
    if below.isEmpty { return [] }
    let path = above + [link.index]
    let blocked = below.filter {
      $0.obstacle != nil || $0.isSink || !deadEnds(below: $0, throughTunnels: throughTunnels, above: path).isEmpty
    }
    return blocked.count == below.count ? blocked : []
  }

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

  // MARK: Reading again

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
