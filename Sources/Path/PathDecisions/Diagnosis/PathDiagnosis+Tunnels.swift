internal import PathModel

/// Doubts about tunnels.
extension PathDiagnosis {
  /// The traffic that leaves beside the tunnel of the path; `nil` when there is none, or no tunnel.
  var outsideTunnel: Finding? {
    guard let tunnel = carryingTunnel else { return nil }
    for verdict in evaluation.families where verdict.isUsable {
      if let leg = verdict.primaryLegs.first(where: leavesBesideTunnels) {
        let family = verdict.family == .ipv4 ? "IPv4" : "IPv6"
        let isAll = verdict.primaryLegs.allSatisfy(leavesBesideTunnels)
        return outside(isAll ? family : "part of \(family)", over: leg, of: tunnel)
      }
    }
    for probe in evaluation.families.flatMap(\.probes) {
      guard case .usable(let legs) = probe.outcome, let leg = legs.first(where: leavesBesideTunnels) else { continue }
      return outside("a part of the Internet, such as \(probe.destination),", over: leg, of: tunnel)
    }
    return nil
  }

  private func outside(_ traffic: String, over leg: RouteLeg, of tunnel: LinkFacts) -> Finding {
    Finding(
      .outsideTunnel, tunnel.name,
      "\(traffic) leaves over \(name(leg.interfaceIndex)), outside of the tunnel \(tunnel.name)")
  }

  /// The lack of a route to the server of a tunnel, where the server may be a neighbour; `nil` when there is a route,
  /// or it was not looked for.
  var tunnelWithoutWay: Finding? {
    guard let tunnel = carryingTunnel, evaluation.ways.routesToRouters?.isEmpty == true else { return nil }
    let names = Self.list(walk.carriers(of: tunnel).map(\.name))
    if names.isEmpty { return nil }
    return Finding(
      .tunnelWithoutWay, tunnel.name,
      "no route leads beyond the network of \(names), so \(tunnel.name) works only if its server is in that network")
  }

  /// The lack of any IPv6 route for the packets into which a translator turns those of IPv4; `nil` when there is one.
  /// Only the translator knows their destinations, and so a route may lead there alone.
  var translatorWithoutWay: Finding? {
    guard
      let translator = evaluation.families.flatMap(\.primaryLegs).compactMap({ state[$0.interfaceIndex] })
        .first(where: { $0.isTranslator && walk.isTunnel($0.link) }),
      evaluation.ways.underlays[translator.link.index] == nil,
      evaluation.families.contains(where: { $0.family == .ipv6 && !$0.isUsable }),
      !evaluation.available.contains(where: { $0.family == .ipv6 })
    else { return nil }
    let name = translator.link.name
    return Finding(
      .tunnelWithoutWay, name,
      "\(name) turns IPv4 into IPv6, which has no default route, so it works only if a route leads to its translator")
  }

  /// The tunnel of an obstacle, if no route leads to its server.
  func tunnelWithoutRoute(_ obstacle: ProbeObstacle) -> Finding? {
    guard obstacle.reason == .noRoute, let tunnel = obstacle.interfaceIndex.flatMap({ state[$0]?.link }) else {
      return nil
    }
    if tunnel.isRoutingDomain {
      return Finding(
        .noDefaultRoute, tunnel.name,
        "all traffic is routed into the VRF \(tunnel.name), whose tables have no route for it", [.servesOthers])
    }
    let server = tunnel.serverAddress.map { "the server \($0) of the tunnel" } ?? "the server of the tunnel"
    let reason =
      switch evaluation.ways.dead[tunnel.index] {
      case .noPeer: "none of its peers whose address is known is for this traffic"
      case .noLocalAddress: "\(tunnel.tunnelSource?.description ?? "the address") from which it sends is on no link"
      case .noRoute, nil: "no other route leads to \(server)"
      }
    return Finding(.tunnelWithoutWay, tunnel.name, "all traffic is routed into \(tunnel.name), but \(reason)")
  }

  /// The first tunnel that carries traffic of the path, and may be that of a VPN. Tunnels that carry one family over
  /// the other encrypt nothing, and were never to carry both.
  private var carryingTunnel: LinkFacts? {
    evaluation.families.flatMap(\.primaryLegs).lazy.compactMap { self.state[$0.interfaceIndex]?.link }
      .first { link in
        state[link.index]?.isTranslator == false && walk.isTunnel(link)
          && !HardwareType.plainTunnels.contains(link.hardwareType) && link.kind?.contains("gre") != true
      }
  }

  private func leavesBesideTunnels(_ leg: RouteLeg) -> Bool {
    guard let link = state[leg.interfaceIndex]?.link else { return false }
    return !link.isLoopback && !walk.restsOnTunnel(link)
  }
}
