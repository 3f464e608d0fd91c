internal import PathModel

/// The findings of an evaluation about the ways out of the machine, beyond what the links themselves show.
///
/// The kind of a link does not show whether it leads out. The host's end of a container's pair, the bridge of a LAN and
/// an access point are as alive as a cable. So the kernel's answers decide: a link is a way out if a route over it
/// leads beyond its own network.
package struct WaysOut: Hashable, Sendable {
  /// The links over which a lookup has found a route to a probe, dead or alive.
  package var links: [Int32] = []
  /// The next hops by which the packets of a tunnel leave to its servers, or those of a routing domain by its own
  /// tables, by the index of the link. It has only those on the walk from a link of the path, and of tunnels only those
  /// whose servers are known. Empty when no route leads on.
  package private(set) var underlays: [Int32: [RouteLeg]] = [:]
  /// The reasons why no route leads on from a link.
  package private(set) var dead: [Int32: DeadWay] = [:]
  /// The tunnels and routing domains among ``underlays`` that the traffic passes.
  package var carrying: [Int32] = []
  /// The next hops of routes to routers, whatever their destinations, of the links that may carry a tunnel; `nil` when
  /// the tables were not read.
  package var routesToRouters: [RouteLeg]?
  /// The wireless links that are access points of this machine.
  package var accessPoints: [Int32] = []
  /// The links over which the traffic left before; see ``PathEvaluation/carriers``. Empty when it never did.
  package var former: [Int32] = []

  /// No findings.
  package init() {}

  /// Why no route leads on from a tunnel or a routing domain.
  package enum DeadWay: Hashable, Sendable {
    /// The lookups found none.
    case noRoute
    /// The tunnel has no peer for the destinations whose address is known.
    case noPeer
    /// The address from which the tunnel sends is on no link.
    case noLocalAddress
  }

  /// The next hops of the packets that the traffic turns into in tunnels and routing domains, each once.
  package var carryingLegs: [RouteLeg] { unique(carrying.flatMap { underlays[$0] ?? [] }) }

  /// Whether a route over the link leads beyond its own network.
  func contains(_ index: Int32) -> Bool {
    links.contains(index) || routesToRouters?.contains { $0.interfaceIndex == index } == true
  }

  /// The routers on a link by which the packets of tunnels leave, or may leave.
  func routers(over index: Int32) -> [IPAddress] {
    var routers: [IPAddress] = []
    // In an order that does not depend on a hash.
    for tunnel in underlays.keys.sorted() {
      routers += (underlays[tunnel] ?? []).filter { $0.interfaceIndex == index }.compactMap(\.gateway)
    }
    return routers + (routesToRouters ?? []).filter { $0.interfaceIndex == index }.compactMap(\.gateway)
  }
}

extension WaysOut {
  /// Adds the links over which the lookups of an evaluation have found routes.
  mutating func add(_ verdicts: [PathEvaluation.FamilyVerdict], _ available: [PathEvaluation.Availability]) {
    func add(_ index: Int32?) {
      if let index, !links.contains(index) { links.append(index) }
    }
    for verdict in verdicts {
      for probe in verdict.probes {
        switch probe.outcome {
        case .usable(let legs): for leg in legs { add(leg.interfaceIndex) }
        case .unusable(let obstacle): add(obstacle.interfaceIndex)
        }
      }
      for leg in verdict.primaryLegs { add(leg.interfaceIndex) }
    }
    for candidate in available { add(candidate.interfaceIndex) }
  }

  /// Records the answers to the lookups of a tunnel's servers, or those in the tables of a routing domain.
  ///
  /// - Parameter reason: The reason if none of the lookups leads anywhere.
  mutating func record(
    _ answers: ArraySlice<RouteAnswer>, of link: Int32, _ reason: DeadWay = .noRoute, isDomain: Bool = false
  ) {
    var legs: [RouteLeg] = []
    for answer in answers {
      guard case .route(let route) = answer else { continue }
      // The server is this machine, from where another program may pass the packets on; or its address is none of a
      // host.
      if route.type != RouteType.unicast, !isDomain { return }
      guard route.type == RouteType.unicast else { continue }
      // A route into the link itself is a loop: no packet of it ever leaves.
      legs += route.legs.filter { $0.interfaceIndex != link && !legs.contains($0) }
    }
    underlays[link] = legs
    if legs.isEmpty { dead[link] = reason }
  }
}
