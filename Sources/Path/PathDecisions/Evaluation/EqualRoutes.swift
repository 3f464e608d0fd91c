internal import PathModel

/// The routes that match the probes. They identify the routes that the kernel may use instead at any time.
///
/// Of routes with the same prefix, table and metric, the kernel takes the first one whose router is reachable. A lookup
/// returns only that one; the lookups of sockets bound to their interfaces show the others. IPv6 also passes over a
/// router that does not answer where its route is better than all that remain.
struct EqualRoutes {
  private struct Key: Hashable {
    var family: IPAddress.Family
    var table: UInt32
    var metric: UInt32
    var prefixLength: UInt8

    /// Whether the kernel takes a route with this key rather than one with the other as long as both routers answer.
    func isBetter(than other: Key) -> Bool {
      family == other.family && table == other.table
        && (prefixLength, other.metric) > (other.prefixLength, metric)
    }
  }

  /// The routes over one router each.
  private var keys: [(key: Key, interfaceIndex: Int32?)] = []
  /// The IPv6 routes, over routers or not.
  private var ipv6Keys: [Key] = []

  /// The routes by which unbound sockets reach the probes.
  init(_ batches: [PathEvaluation.Batch]) {
    batches.forEachUnboundMatch { family, route in
      guard route.type == RouteType.unicast else { return }
      let key = Key(family: family, table: route.table, metric: route.metric, prefixLength: route.prefixLength)
      if key.family == .ipv6 { ipv6Keys.append(key) }
      // A hash of the packet, not a router, decides between the legs of a multipath route.
      if route.otherLegs.isEmpty, route.firstLeg?.gateway != nil {
        keys.append((key, route.firstLeg?.interfaceIndex))
      }
    }
  }

  /// The interfaces with a route that the kernel may take instead: an equal one, or a better one of IPv6 that it has
  /// passed over.
  func rivals(among available: [PathEvaluation.Availability]) -> [PathEvaluation.Availability] {
    available.filter { candidate in
      let own = Self.key(of: candidate)
      return keys.contains { $0.key == own }
        || candidate.leg.gateway != nil && ipv6Keys.contains { own.isBetter(than: $0) }
    }
  }

  private static func key(of candidate: PathEvaluation.Availability) -> Key {
    Key(
      family: candidate.family, table: candidate.table, metric: candidate.metric,
      prefixLength: candidate.prefixLength)
  }

  /// The next hops of the default routes over routers that are equal to a route of the family over the interface. Only
  /// among these the kernel chooses by reachability.
  func defaultRoutes(
    _ family: IPAddress.Family, equalTo interfaceIndex: Int32, among available: [PathEvaluation.Availability]
  ) -> [RouteLeg] {
    available.filter { candidate in
      let own = Self.key(of: candidate)
      return candidate.family == family && candidate.prefixLength == 0 && candidate.leg.gateway != nil
        && keys.contains { $0.key == own && $0.interfaceIndex == interfaceIndex }
    }.map(\.leg)
  }
}
