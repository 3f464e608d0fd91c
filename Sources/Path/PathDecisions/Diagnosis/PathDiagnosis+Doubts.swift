internal import PathModel

/// Faults that leave a path satisfied.
extension PathDiagnosis {
  /// The doubts about a path that the kernel has: those that stop the traffic come first.
  var doubtFindings: [Finding] {
    let carrying = evaluation.families.flatMap(\.primaryLegs)
    var findings: [Finding] = []
    if let bridge = carrying.lazy.compactMap({ self.state[$0.interfaceIndex]?.link }).first(where: isEmptyBridge) {
      findings.append(emptyBridgeFinding(bridge))
    }
    if let port = carrying.lazy.compactMap(addressOnPort).first { findings.append(port) }
    if let leg = deadLeg { findings.append(leg) }
    if !isToHost, let outside = outsideTunnel { findings.append(outside) }
    if let tunnel = tunnelWithoutWay ?? translatorWithoutWay { findings.append(tunnel) }
    if let part = partialFault { findings.append(part) }
    findings += silentRouters(carrying + evaluation.ways.carryingLegs)
    if !isToHost, let names = nameServerFinding { findings.append(names) }
    if let small = smallMTU(carrying) { findings.append(small) }
    if !isToHost { findings += evaluation.families.compactMap(familyWithoutRoute) }
    return findings
  }

  /// The lack of a name server; `nil` when there is one.
  var nameServerFinding: Finding? {
    guard !resolver.isConfigured else { return unreachableServerFinding }
    let (subject, reason): (String?, String) =
      switch resolver.configuration {
      case .none(let place):
        (
          place.utf8.first == UInt8(ascii: "/") ? String(place.unicodeScalars.prefix { $0 != "," }) : nil,
          Self.nameServerWords(place)
        )
      case .localResolver: ("systemd-resolved", "systemd-resolved knows no server to ask")
      case .servers(let servers):
        (servers.first, "the configured name server \(servers.first?.quotedInLine ?? "") is no address")
      case .unknown(let why): (nil, why)
      }
    return Finding(.noNameServer, subject, "names cannot be looked up: \(reason)")
  }

  /// The fault of name servers that are configured, if none of them can be reached although there is a path.
  private var unreachableServerFinding: Finding? {
    guard evaluation.families.contains(where: \.isUsable) else { return nil }
    let faults =
      routing.nameServerFaults
      ?? evaluation.nameServerFaults.map { RoutingFacts.NameServerFault($0.server, Self.words(for: $0, in: state)) }
    guard let first = faults.first else { return nil }
    let reasons = faults.map(\.reason)
    return Finding(
      .nameServerUnreachable, "\(first.server)", "names cannot be looked up: \(reasons.joined(separator: "; "))")
  }

  /// The reason why the lookup of a name server shows that it cannot be reached.
  package static func words(for fault: PathEvaluation.NameServerFault, in state: KernelState) -> String {
    let server = "\(fault.server)"
    if let index = fault.obstacle.interfaceIndex, let link = state[index]?.link {
      return "the way to \(server) leads over \(link.name), which "
        + (link.obstacle.map { words(for: $0) } ?? "carries no packets")
    }
    if fault.isOfThisMachine { return "no program serves names at \(server) on this machine" }
    switch fault.obstacle.reason {
    case .prohibited: return "a route or rule refuses what is sent to \(server)"
    case .noInterface:
      return fault.server.scope == nil
        ? "\(server) is a link-local address without its interface, as in \(server)%eth0"
        : "\(server) names an interface that does not exist"
    default: return "no route leads to \(server)"
    }
  }

  /// A place without name servers, such as `/etc/resolv.conf` or `/etc/resolv.conf, which does not exist`.
  private static func nameServerWords(_ place: String) -> String {
    let parts = place.unicodeScalars.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return "\(place) names no server" }
    return "\(parts[0]) does not exist"
  }

  func isEmptyBridge(_ link: LinkFacts) -> Bool {
    link.kind == "bridge" && !state.interfaces.contains { $0.link.masterIndex == link.index }
  }

  /// The fault of a route over a bridge without ports. Beside another interface that is usable, it has taken the
  /// traffic from that one.
  func emptyBridgeFinding(_ bridge: LinkFacts) -> Finding {
    let words = "\(bridge.name) is a bridge without ports, so packets end there"
    let others = usableAlternatives(to: bridge.index)
    if others.isEmpty { return Finding(.bridgeWithoutPorts, bridge.name, words) }
    return Finding(
      .bridgeWithoutPorts, bridge.name,
      "\(words), although \(Self.list(others)) \(others.count == 1 ? "is" : "are") usable",
      [.othersAreUsable])
  }

  /// The fault of a leg over the port of a bridge or bond. The kernel hands what arrives there to the bridge: no answer
  /// of the router reaches the address of the port.
  private func addressOnPort(_ leg: RouteLeg) -> Finding? {
    guard let port = state[leg.interfaceIndex]?.link, let master = port.masterIndex.flatMap({ state[$0]?.link }),
      let kind = master.kind, ["bridge", "bond", "team"].contains(kind)
    else { return nil }
    return Finding(
      .addressOnPort, port.name,
      "\(port.name) is a port of the \(kind) \(master.name), which takes what arrives there")
  }

  /// The fault of a probe that most others of its family do not share, as half of a kill switch has it.
  private var partialFault: Finding? {
    for verdict in evaluation.families where verdict.isUsable {
      for probe in verdict.probes {
        guard case .unusable(let obstacle) = probe.outcome else { continue }
        if obstacle.reason == .prohibited {
          let cause =
            refusal(of: lastLookup(to: probe.destination))
            ?? Finding(.refusedByRoute, nil, UnsatisfiedReason.prohibited.words)
          return Finding(cause.code, cause.subject, "part of the Internet cannot be reached: \(cause.clause)")
        }
        guard let link = obstacle.interfaceIndex.flatMap({ state[$0]?.link }), let fault = link.obstacle else {
          continue
        }
        if walk.restsOnTunnel(link) {
          return Finding(
            .deadTunnel, link.name,
            "part of the traffic is routed into the tunnel \(link.name), whose other end nobody serves")
        }
        return Finding(
          .linkDownLeg, link.name, "part of the Internet is routed over \(link.name), which \(Self.words(for: fault))")
      }
    }
    return nil
  }

  /// A leg of a multipath route whose link is down. A hash of the connection chooses among the legs. The kernel leaves
  /// this one out only if it is set to ignore such legs, or has marked the leg as dead.
  private var deadLeg: Finding? {
    var finding: Finding?
    evaluation.batches.forEachUnboundMatch { _, route in
      if finding != nil || route.otherLegs.isEmpty { return }
      for leg in route.legs where !leg.isDead {
        guard let link = state[leg.interfaceIndex]?.link, let obstacle = link.obstacle else { continue }
        finding = Finding(
          walk.restsOnTunnel(link) || mayBeVPN(link) ? .deadTunnelLeg : .linkDownLeg, link.name,
          "part of the connections leaves over \(link.name), which \(Self.words(for: obstacle))")
        return
      }
    }
    return finding
  }

  private func silentRouters(_ legs: [RouteLeg]) -> [Finding] {
    var findings: [Finding] = []
    for leg in legs {
      guard let neighbour = leg.neighbour, let entry = routing.doubt(of: neighbour) else { continue }
      let router = neighbour.words(state)
      let answer = entry == .failed ? "does not answer" : "has not answered yet"
      let finding = Finding(
        .routerSilent, router, "the router \(router) \(answer) (neighbour entry \(entry.rawValue))")
      if !findings.contains(finding) { findings.append(finding) }
    }
    return findings
  }

  /// The least MTU that IPv6 requires of a link, in bytes. Source: RFC 8200, section 5.
  private static let leastMTU: UInt32 = 1_280

  private func smallMTU(_ legs: [RouteLeg]) -> Finding? {
    for link in legs.compactMap({ state[$0.interfaceIndex]?.link }) {
      guard let mtu = link.mtu, mtu < Self.leastMTU else { continue }
      // A tunnel inside of another one is small on purpose, as long as it carries IPv4 alone.
      if walk.restsOnTunnel(link) || mayBeVPN(link), !carries(.ipv6, link) { continue }
      // Packets that a link is too large for would be lost at the links below it.
      let below = walk.isStacked(link) ? walk.lowerLinks(of: link) : []
      let culprit = below.first { $0.mtu ?? mtu < Self.leastMTU } ?? link
      return Finding(
        .smallMTU, culprit.name,
        "the MTU of \(culprit.name) is \(culprit.mtu ?? mtu) bytes, below the \(Self.leastMTU) that IPv6 requires")
    }
    return nil
  }

  private func carries(_ family: IPAddress.Family, _ link: LinkFacts) -> Bool {
    evaluation.families.contains { $0.family == family && $0.leads(over: link.index) }
  }

  /// A family that has an address on a usable link, and no way out.
  private func familyWithoutRoute(_ verdict: PathEvaluation.FamilyVerdict) -> Finding? {
    guard !verdict.isUsable, let obstacle = verdict.obstacle,
      state.interfaces.contains(where: { $0.hasUsableAddress(verdict.family) })
    else { return nil }
    var place: (interface: KernelState.Interface, address: IPAddress)?
    for interface in usableLinks.compactMap({ state[$0.index] }) where place == nil {
      let address = interface.usableAddresses.map(\.address).first { address in
        address.family == verdict.family && !address.isUniqueLocal
      }
      place = address.map { (interface, $0) }
    }
    guard let place else { return nil }
    let subject = place.interface.link.name
    let family = verdict.family == .ipv4 ? "IPv4" : "IPv6"
    let words: String
    var circumstances: [Diagnosis.Circumstance] = []
    switch obstacle.reason {
    case .noRoute:
      circumstances = self.circumstances(ofMissingDefault: verdict.family, at: place.interface)
      let isExplained = circumstances.contains(.ignoresAdvertisements) || circumstances.contains(.isRouteOfRule)
      let hint = verdict.family == .ipv6 && !isExplained ? ": are router advertisements missing?" : ""
      words =
        "\(subject) has \(place.address), but \(withoutDefault(verdict.family, at: place.interface.link))\(hint)"
    case .noAddress: return nil
    case .prohibited where refusal(of: refusedLookup(of: verdict)) != nil:
      words = refusal(of: refusedLookup(of: verdict))?.clause ?? ""
    default:
      // The words of a reason may be a question, so the interface stands before them.
      let device = obstacle.interfaceIndex.map { "\(name($0)): " } ?? ""
      words = "\(device)\(obstacle.reason.words)"
    }
    return Finding(.familyWithoutRoute, subject, "\(family) does not work: \(words)", circumstances)
  }
}

extension IPAddress {
  /// Whether the address is of fc00::/7. Networks use these without any way to the Internet (RFC 4193).
  fileprivate var isUniqueLocal: Bool { family == .ipv6 && high >> 57 == 0xfc >> 1 }
}
