package import PathModel

/// The changes that can make an evaluation wrong without a message about links, addresses, routes or rules.
struct SilentChanges {
  /// The time after which to evaluate again at the latest; `nil` when nothing changes by itself.
  private(set) var reevaluateAfter: Duration?
  /// The routers whose reachability decides which routes the kernel takes.
  private(set) var routers = RouterWatch()

  /// The margin after the end of a route's life as the kernel reports it. The kernel rounds down to hundredths of a
  /// second, and ends the route with the tick after its time, which comes a hundred times a second or more often. An
  /// earlier lookup would still find the route, but without an expiry.
  private static let expiryMargin = Duration.milliseconds(30)
  /// The pause between comparisons of routes of equal metric while no neighbour changes: the kernel announces most but
  /// not all states of a neighbour.
  private static let rivalPause = Duration.seconds(30)

  init(
    _ batches: [PathEvaluation.Batch], _ families: [PathEvaluation.FamilyVerdict],
    _ rivals: [PathEvaluation.Availability], servers: [IPAddress], underlays: [RouteLeg], unannounced: [Duration]
  ) {
    routers.servers = Array(servers.prefix(RouterWatch.serverLimit))
    // No message announces the key of MACsec, or a program that serves names.
    var moments = unannounced
    for batch in batches {
      for index in batch.queries.indices where batch.queries[index].kind == .match {
        guard case .route(let route) = batch.answers[index], let expires = route.expires, expires > 0 else { continue }
        // The lifetime ends silently: the message about it comes up to 30 s later.
        moments.append(.milliseconds(10 * Int(expires)) + Self.expiryMargin)
      }
    }
    for family in families {
      let gateways = family.isUsable ? family.primaryLegs.compactMap(\.gateway) : Self.refusedRouters(family, batches)
      if family.alternates || rivals.contains(where: { $0.family == family.family }) {
        moments.append(Self.rivalPause)
        routers.rivals += gateways
      } else {
        routers.current += gateways
      }
    }
    routers.rivals += rivals.compactMap(\.leg.gateway)
    routers.current += underlays.compactMap(\.gateway)
    reevaluateAfter = moments.min()
  }

  /// The routers of IPv6 routes that cannot be used, such as those over a link that is down. As soon as such a router
  /// is known not to answer, the kernel takes the next route, however bad its metric.
  private static func refusedRouters(
    _ family: PathEvaluation.FamilyVerdict, _ batches: [PathEvaluation.Batch]
  ) -> [IPAddress] {
    guard family.family == .ipv6 else { return [] }
    var routers: [IPAddress] = []
    batches.forEachUnboundMatch { family, route in
      guard family == .ipv6 else { return }
      for gateway in route.legs.compactMap(\.gateway) where !routers.contains(gateway) { routers.append(gateway) }
    }
    return routers
  }
}

/// The routers whose reachability decides which routes the kernel takes. The kernel moves between routes of equal
/// metric, and from a router of IPv6 that does not answer to any other, as neighbours come and go. It announces nothing
/// but the state of the neighbour (`RTM_NEWNEIGH`).
package struct RouterWatch: Hashable, Sendable {
  /// The routers in use or refused, and former ones. If one fails, the kernel may replace it with a router that is
  /// unknown here.
  package var current: [IPAddress] = []
  /// The routers of routes with equal metrics over different interfaces, and those that IPv6 has passed over. The
  /// kernel may move whenever one of them changes.
  package var rivals: [IPAddress] = []
  /// The name servers, and the servers of tunnels that carry the traffic or may do so. A route to one of them decides
  /// on names or on the tunnel, so its messages have to pass as those of the probes do.
  package var servers: [IPAddress] = []

  /// The routers whose next answer is news: those that have stopped answering, or have not been seen to answer.
  package var awaited: [IPAddress] = []
  /// The other routers of paths. While there is traffic, the kernel reports an answer of theirs twice a minute.
  package var answering: [IPAddress] = []
  /// The last 32 bits of the hardware addresses of those, where they have 48. Another one is news.
  package var hardwareTails: [IPAddress: UInt32] = [:]

  /// The most servers that are followed; the limit bounds the length of the kernel's event filter.
  package static let serverLimit = 16
  /// The most routers of either kind that are followed; the limit bounds the length of the kernel's event filter.
  package static let limit = 64

  /// Whether there is no router.
  package var isEmpty: Bool { current.isEmpty && rivals.isEmpty && servers.isEmpty }

  /// The routers of each kind; none if not given.
  package init(current: [IPAddress] = [], rivals: [IPAddress] = []) {
    (self.current, self.rivals) = (current, rivals)
  }

  /// Whether following these routers covers the others, too. An empty watch is always covered: without a path there is
  /// no router, and those of the last path may be back in a moment.
  package func suffices(for others: RouterWatch) -> Bool {
    others.isEmpty
      || (rivals == others.rivals && others.awaited.allSatisfy(awaited.contains)
        && !others.answering.contains(where: awaited.contains) && others.current.allSatisfy(current.contains)
        && others.hardwareTails.allSatisfy { hardwareTails[$0] == $1 } && others.servers.allSatisfy(servers.contains))
  }

  /// These routers, and the failures of those that were followed before, up to the limit. The kernel returns to a
  /// router that it has passed over as soon as it has forgotten that this one failed.
  package func following(_ former: RouterWatch) -> RouterWatch {
    var result = self
    for router in former.current + former.rivals where result.current.count < Self.limit {
      if !result.current.contains(router), !rivals.contains(router) { result.current.append(router) }
    }
    return result
  }

  /// Adds the routers of another path.
  package mutating func formUnion(_ other: RouterWatch) {
    current += other.current.filter { !current.contains($0) }
    rivals += other.rivals.filter { !rivals.contains($0) }
    servers += other.servers.filter { !servers.contains($0) }
  }
}
