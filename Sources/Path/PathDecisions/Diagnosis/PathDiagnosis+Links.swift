internal import PathModel

/// Links and addresses as causes.
extension PathDiagnosis {
  /// The links that keep the routes to the probes from leading out, and are no candidates, such as the bridge of
  /// containers.
  private var routedLinks: [LinkFacts] {
    evaluation.families.compactMap { $0.obstacle?.interfaceIndex.flatMap { state[$0]?.link } }.filter {
      $0.obstacle != nil && !$0.isLoopback && !$0.isSink && $0.masterIndex == nil && !walk.restsOnTunnel($0)
    }
  }

  /// The faults of the links, if none is usable; empty when one is. Links that wait come first, then those that
  /// spanning tree blocks, and those without a carrier. Links that are switched off come last, because an administrator
  /// may have meant that.
  var linkFindings: [Finding] {
    guard usableLinks.isEmpty else { return [] }
    var candidates = candidates
    for link in routedLinks where !candidates.contains(link) { candidates.append(link) }
    if candidates.isEmpty {
      // A link that takes all traffic, such as a sink, says more.
      return evaluation.families.contains { $0.obstacle?.interfaceIndex != nil } ? [] : [interfaceFinding]
    }
    var faults: [LinkFault] = []
    for candidate in candidates {
      for link in culprits(at: candidate) where !faults.contains(where: { $0.link == link && $0.above == candidate }) {
        faults.append(LinkFault(link: link, above: candidate))
      }
    }
    return [LinkObstacle.dormant, .blocked, .noCarrier, .administrativelyDown].compactMap { obstacle in
      let relevant = mostRelevant(faults.filter { $0.link.obstacle == obstacle })
      guard let first = relevant.first else { return nil }
      var links: [LinkFacts] = []
      for fault in relevant where !links.contains(fault.link) { links.append(fault.link) }
      // A link of its own right needs no word about what rests on it.
      let isBelow = relevant.allSatisfy { $0.above == first.above && $0.link != first.above && !hasAddress($0.link) }
      return finding(
        at: links, obstacle, isOnly: candidates.count == 1 && walk.candidates == candidates,
        below: isBelow ? first.above : nil)
    }
  }

  /// The lack of any interface that could lead out of the machine.
  private var interfaceFinding: Finding {
    let inward = state.interfaces.map(\.link).filter { !$0.isLoopback && !$0.isSink && $0.masterIndex == nil }
    if inward.isEmpty { return Finding(.noInterface, nil, "there is no network interface besides loopback") }
    return Finding(
      .noInterface, nil,
      "there is no network interface that leads out of this machine: \(Self.list(inward.map(\.name))) "
        + "\(inward.count == 1 ? "does" : "do") not")
  }

  /// The faults of links that no route leads over, while others are usable. Links over which the traffic last left, or
  /// that have an address, come first, also in a routing domain. Then come all without a carrier.
  var lostFindings: [Finding] {
    let domains = state.interfaces.map(\.link).filter(\.isRoutingDomain).flatMap { walk.ports(of: $0) }
    let dead = (candidates + domains.filter(hasAddress))
      .filter { $0.obstacle == .noCarrier || $0.obstacle == .dormant }
    let lost = walk.lost
    let order = lost + dead.filter(hasAddress) + dead
    var findings: [Finding] = []
    for link in order.flatMap(culprits) {
      let finding = finding(at: [link], link.obstacle ?? .noCarrier)
      if !findings.contains(finding) { findings.append(finding) }
    }
    return findings
  }

  /// The links that have an address and are switched off, beside usable ones; `nil` when there are none. The kernel has
  /// removed their routes.
  var idleFinding: Finding? {
    let idle = candidates.filter { $0.obstacle == .administrativelyDown && hasAddress($0) }.flatMap(culprits)
    return idle.isEmpty ? nil : finding(at: idle, .administrativelyDown)
  }

  /// A link with an obstacle, and the one above it that packets are to leave over: the same, or one that rests on it.
  private struct LinkFault {
    var link: LinkFacts
    var above: LinkFacts
  }

  /// The links that keep packets from leaving over a link: the link itself, or those below it.
  func culprits(at link: LinkFacts) -> [LinkFacts] { culprits(at: link, depth: 0) }

  private func culprits(at link: LinkFacts, depth: Int) -> [LinkFacts] {
    guard depth < 8, walk.isStacked(link) || link.isRoutingDomain || link.isLine, !link.lacksKey else { return [link] }
    if link.obstacle == .administrativelyDown {
      // The kernel switches a VLAN off with the link below it, and does not switch it on before.
      guard let parent = link.parentIndex.flatMap({ state[$0]?.link }), parent.obstacle == .administrativelyDown else {
        return [link]
      }
      return culprits(at: parent, depth: depth + 1)
    }
    let below = walk.lowerLinks(of: link)
    // The pairs and taps of a bridge come and go with containers: the route over the bridge is at fault.
    if link.kind == "bridge", !walk.isUplink(link), !walk.uplinks.contains(link) { return [link] }
    guard !below.isEmpty, below.allSatisfy({ $0.obstacle != nil || !walk.deadEnds(below: $0).isEmpty }) else {
      return [link]
    }
    return below.flatMap { culprits(at: $0, depth: depth + 1) }
  }

  /// Of several faults, those of links that have an address or a route, or carry one that has: the others may never
  /// have been in use.
  private func mostRelevant(_ faults: [LinkFault]) -> [LinkFault] {
    let obstacles = evaluation.families.compactMap(\.obstacle?.interfaceIndex)
    let used = faults.filter { fault in
      [fault.link, fault.above].contains { obstacles.contains($0.index) || hasAddress($0) || $0.masterIndex != nil }
    }
    return used.isEmpty ? faults : used
  }

  private func hasAddress(_ link: LinkFacts) -> Bool {
    state[link.index]?.addresses.contains { $0.isUsable } == true
  }

  /// The fault of links with the same obstacle.
  ///
  /// - Parameter upper: The link that rests on all of them; `nil` to name only the bridge, bond or VRF that they are
  ///   ports of.
  func finding(
    at links: [LinkFacts], _ obstacle: LinkObstacle, isOnly: Bool = false, below upper: LinkFacts? = nil
  ) -> Finding {
    let names = Self.list(links.map(\.name))
    let subject = links.first?.name
    let masters = Set(links.map(\.masterIndex))
    let master = masters.count == 1 ? links.first?.masterIndex.map(name) : nil
    let place = (master ?? upper?.name).map { " below \($0)" } ?? ""
    let only = isOnly && links.count == 1 && place.isEmpty ? ", the only interface," : ""
    let (has, isVerb) = links.count == 1 ? ("has", "is") : ("have", "are")
    switch obstacle {
    case .administrativelyDown: return Finding(.switchedOff, subject, "\(names)\(place)\(only) \(isVerb) switched off")
    case .dormant where links.allSatisfy(\.lacksKey):
      return Finding(.waitsForAuthentication, subject, "\(names) \(has) no key of MACsec to send with yet")
    case .dormant:
      return Finding(
        .waitsForAuthentication, subject, "\(names) \(links.count == 1 ? "waits" : "wait") for authentication")
    case .blocked: return withoutForwarding(links, at: links.first?.masterIndex.flatMap { state[$0]?.link } ?? upper)
    case .noCarrier:
      if links.count == 1, let link = links.first, let finding = withoutPort(link, "\(names)\(only)") { return finding }
      let types = Set(links.map { type(of: $0) })
      if types == [.wifi] {
        return Finding(.notAssociated, subject, "\(names) \(isVerb) not associated with an access point")
      }
      if types == [.cellular] {
        return Finding(.noCarrier, subject, "\(names) \(has) no connection to the mobile network")
      }
      return Finding(
        .noCarrier, subject,
        "\(names)\(place)\(only) \(has) no carrier: a cable is out, or the port at the other end is off",
        links.contains { !$0.isPair } ? [] : [.isPair])
    }
  }

  /// The fault of a bridge, bond or team that has no carrier because of its ports; `nil` for another link.
  private func withoutPort(_ link: LinkFacts, _ name: String) -> Finding? {
    guard let kind = link.kind, ["bridge", "bond", "team"].contains(kind) else { return nil }
    let ports = walk.ports(of: link)
    if ports.isEmpty {
      let code: Diagnosis.Code = kind == "bridge" ? .bridgeWithoutPorts : .bondWithoutPorts
      return Finding(code, link.name, "\(name) is a \(kind) without ports")
    }
    let blocked = ports.filter { $0.obstacle == .blocked }
    if !blocked.isEmpty { return withoutForwarding(blocked, at: link) }
    let dead = ports.filter { $0.obstacle != nil }
    let reason: String
    if dead.count == ports.count {
      reason = ", as none of its ports has one"
    } else if kind == "bridge" {
      return nil
    } else if !dead.isEmpty {
      let least = link.aggregation?.leastPorts ?? 0
      reason =
        ", as it lacks \(Self.list(dead.map(\.name))), which \(dead.count == 1 ? "has" : "have") none"
        + (least > 1 ? ": it needs \(least) ports" : "")
    } else if let targets = link.aggregation?.targets, !targets.isEmpty {
      reason = " although its ports have one: \(Self.list(targets.map(\.description))) does not answer its ARP requests"
    } else if link.aggregation?.usesLACP == true || kind == "team" {
      reason = " although its ports have one: the switch does not aggregate enough of them (LACP)"
    } else {
      reason = " although its ports have one"
    }
    return Finding(
      .noCarrier, link.name, "\(name) has no carrier\(reason)", ports.allSatisfy(\.isPair) ? [.isPair] : [])
  }

  /// The fault of ports at which their bridge does not forward. It has a carrier as soon as it forwards at any port
  /// (br_port_state_selection in Linux's net/bridge/br_stp.c).
  private func withoutForwarding(_ ports: [LinkFacts], at bridge: LinkFacts?) -> Finding {
    let bridgeName = bridge?.name ?? "the bridge"
    let consequence = bridge?.obstacle == nil ? "does" : "has no carrier, as it does"
    return Finding(
      .noCarrier, bridge?.name,
      "\(bridgeName) \(consequence) not forward at its \(ports.count == 1 ? "port" : "ports") "
        + "\(Self.list(ports.map(\.name))) yet: the spanning tree still listens there, or blocks a loop",
      [.portsDoNotForward])
  }
}
