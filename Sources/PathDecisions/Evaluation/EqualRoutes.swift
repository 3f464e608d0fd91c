internal import PathModel

/// The routes that match the probes. They identify the equal routes that the kernel may use instead at any time.
///
/// Of routes with the same prefix, table and metric, the kernel takes the first one whose router is reachable. A lookup
/// returns only that one; the lookups of sockets bound to their interfaces show the others.
struct EqualRoutes {
  private struct Key: Hashable {
    var family: IPAddress.Family
    var table: UInt32
    var metric: UInt32
    var prefixLength: UInt8
  }

  private var keys: [(key: Key, interfaceIndex: Int32?)] = []

  /// The routes by which unbound sockets reach the probes.
  init(_ batches: [PathEvaluation.Batch]) {
    for batch in batches {
      for (query, answer) in zip(batch.queries, batch.answers) where query.kind == .match && query.interfaceIndex == 0 {
        // A hash of the packet, not a router, decides between the legs of a multipath route.
        guard case .route(let route) = answer, route.type == RouteType.unicast, route.otherLegs.isEmpty,
          route.firstLeg?.gateway != nil
        else { continue }
        let key = Key(
          family: query.destination.family, table: route.table, metric: route.metric, prefixLength: route.prefixLength)
        keys.append((key, route.firstLeg?.interfaceIndex))
      }
    }
  }

  /// The interfaces with a route equal to one of these or, if an interface is given, to one of its routes.
  func rivals(
    among available: [PathEvaluation.Availability], of interfaceIndex: Int32? = nil
  ) -> [PathEvaluation.Availability] {
    available.filter { candidate in
      let own = Key(
        family: candidate.family, table: candidate.table, metric: candidate.metric,
        prefixLength: candidate.prefixLength)
      return keys.contains { $0.key == own && (interfaceIndex == nil || $0.interfaceIndex == interfaceIndex) }
    }
  }

  /// The next hops of the default routes over routers that are equal to a route of the family over the interface. Only
  /// among these the kernel chooses by reachability.
  func defaultRoutes(
    _ family: IPAddress.Family, equalTo interfaceIndex: Int32, among available: [PathEvaluation.Availability]
  ) -> [RouteLeg] {
    rivals(among: available, of: interfaceIndex)
      .filter { $0.family == family && $0.prefixLength == 0 && $0.leg.gateway != nil }.map(\.leg)
  }
}
