internal import CNetlink
package import PathDecisions
internal import PathModel
internal import SystemIO

/// The records of the routers of the paths. Nothing is sent to them.
extension Kernel {
  /// Records the present entries, after messages may have been missed. A failure may be counted already, because an
  /// entry keeps it. While there is traffic, the next one follows in seconds.
  func readRouters() {
    let entries = (try? neighbours(situation.networks.routers.neighbours)) ?? []
    for entry in entries where entry.state != .failed { apply(.router(entry)) }
  }

  /// The machine has slept, or messages were lost: each link may be in another network.
  package func noteSleep() { apply(.networksLost(state.interfaces.map(\.link.index))) }

  /// The entries of neighbours, as far as there are any.
  func neighbours(_ asked: [RoutingFacts.Neighbour]) throws(KernelPathError) -> [NeighbourFacts] {
    var entries: [NeighbourFacts] = []
    for neighbour in asked {
      // A neighbour without an entry has an error as its answer.
      try queries.ask([NetlinkRequest.neighbour(neighbour)]) { (message) throws(NetlinkDecodingError) in
        guard message.type == RTM_NEWNEIGH, let entry = try NeighbourFacts(message) else { return }
        entries.append(entry)
      }
    }
    return entries
  }
}

/// The routes to routers. They are read only where a tunnel may rest on several links and no lookup shows on which. Its
/// server is then not known, and no other route to the Internet leads over a live link.
extension Kernel {
  /// The most links that are asked about.
  private static let linkLimit = 16
  /// The most pieces of a table that are read for a link, of 32 KiB each.
  private static let piecesOfRoutes = 4
  /// The most routers that are kept of a link and a family.
  private static let routersOfLink = 4

  /// The next hops of the routes over the given links that lead to a router, or to hosts beyond a point-to-point link.
  package func routesToRouters(over links: [Int32]) throws(KernelPathError) -> [RouteLeg] {
    var found: [RouteLeg] = []
    for index in links.prefix(Self.linkLimit) {
      for family in IPAddress.Family.allCases { found += try routesToRouters(over: index, family) }
    }
    return found
  }

  /// Reads over a socket of its own, because reading may end before the table does.
  private func routesToRouters(
    over index: Int32, _ family: IPAddress.Family
  ) throws(KernelPathError) -> [RouteLeg] {
    guard let interface = state[index] else { return [] }
    var found: [RouteLeg] = []
    let socket = try QuerySocket()
    _ = try socket.dump(
      NetlinkRequest.routes(of: family, over: index), of: "routes", isOptional: true, limit: Self.piecesOfRoutes
    ) { (message) throws(NetlinkDecodingError) in
      guard message.type == RTM_NEWROUTE, found.count < Self.routersOfLink else { return }
      let route = try RouteFacts(message)
      guard route.type == RouteType.unicast, !route.isCloned else { return }
      let origin = try message.structure("rtmsg", 12)[5]
      let leg = route.legs.first { leg in
        guard leg.interfaceIndex == index else { return false }
        // The host's end of a container's pair may have routes that name its own address as the router.
        if let gateway = leg.gateway { return !interface.has(gateway) }
        return interface.link.flags.contains(.pointToPoint) && origin != RTPROT_KERNEL
      }
      if let leg, !found.contains(where: { $0.leads(where: leg) }) { found.append(leg) }
    }
    return found
  }
}
