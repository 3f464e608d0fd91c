/// Matches without a next hop: those of routes by next-hop object while net.ipv4.nexthop_compat_mode is 0.
extension RouteAnswer {
  /// Whether this is such a match.
  var lacksNextHop: Bool {
    guard case .route(let route) = self else { return false }
    return route.type == RouteType.unicast && route.firstLeg == nil
  }

  /// The match with the next hop of the resolution of the same lookup, if it has none of its own.
  func completed(by resolution: RouteAnswer) -> RouteAnswer {
    guard lacksNextHop, case .route(var route) = self, let leg = resolution.firstLeg else { return self }
    route.firstLeg = leg
    return .route(route)
  }
}
