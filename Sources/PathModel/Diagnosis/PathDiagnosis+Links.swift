/// Links and addresses as causes.
extension PathDiagnosis {
  /// The links that could lead out of the machine; where there are none, every link that could carry a packet.
  private var candidates: [LinkFacts] {
    let real = uplinks.all
    return real.isEmpty ? state.interfaces.map(\.link).filter { !$0.isLoopback && !$0.isSink } : real
  }

  /// The links over which packets could leave.
  var usableLinks: [LinkFacts] {
    candidates.filter { $0.obstacle == nil && uplinks.deadEnds(below: $0).isEmpty }
  }

  /// The faults of the links, if none is usable: those that wait, those without a carrier, then those that are switched
  /// off, because an administrator may have meant that. Empty when a link is usable.
  var linkFindings: [Finding] {
    let candidates = candidates
    guard usableLinks.isEmpty else { return [] }
    if candidates.isEmpty {
      // A sink that takes all traffic says more.
      let hasSink = evaluation.families.contains { $0.obstacle?.reason == .sinkInterface }
      return hasSink ? [] : [Finding(.noInterface, nil, "there is no network interface besides loopback")]
    }
    var dead: [LinkFacts] = []
    for link in candidates.flatMap({ culprits(at: $0, depth: 0) }) where !dead.contains(link) { dead.append(link) }
    return [LinkObstacle.dormant, .noCarrier, .administrativelyDown].compactMap { obstacle in
      let links = mostRelevant(dead.filter { $0.obstacle == obstacle })
      return links.isEmpty ? nil : finding(at: links, obstacle, isOnly: candidates.count == 1)
    }
  }

  /// The links that keep packets from leaving over a link: the link itself, or those below it.
  private func culprits(at link: LinkFacts, depth: Int) -> [LinkFacts] {
    guard depth < 8, link.obstacle != .administrativelyDown,
      InterfaceClassification.isStackedKind(link) || link.isRoutingDomain
    else { return [link] }
    let below = uplinks.lowerLinks(of: link)
    guard !below.isEmpty, below.allSatisfy({ $0.obstacle != nil || !uplinks.deadEnds(below: $0).isEmpty }) else {
      return [link]
    }
    return below.flatMap { culprits(at: $0, depth: depth + 1) }
  }

  /// Of several links, those with an address or a route: the others may never have been in use.
  private func mostRelevant(_ links: [LinkFacts]) -> [LinkFacts] {
    let obstacles = evaluation.families.compactMap(\.obstacle?.interfaceIndex)
    let used = links.filter { link in
      obstacles.contains(link.index) || state[link.index]?.addresses.contains { $0.isUsable } == true
        || link.masterIndex != nil
    }
    return used.isEmpty ? links : used
  }

  /// The fault of links with the same obstacle.
  func finding(at links: [LinkFacts], _ obstacle: LinkObstacle, isOnly: Bool = false) -> Finding {
    let names = Self.list(links.map(\.name))
    let subject = links.first?.name
    let only = isOnly && links.count == 1 && links.first?.masterIndex == nil ? ", the only interface," : ""
    let (has, isVerb) = links.count == 1 ? ("has", "is") : ("have", "are")
    switch obstacle {
    case .administrativelyDown: return Finding(.switchedOff, subject, "\(names)\(only) \(isVerb) switched off")
    case .dormant:
      return Finding(
        .waitsForAuthentication, subject, "\(names) \(links.count == 1 ? "waits" : "wait") for authentication")
    case .noCarrier:
      let types = Set(links.map { type(of: $0) })
      if types == [.wifi] {
        return Finding(.notAssociated, subject, "\(names) \(isVerb) not associated with an access point")
      }
      if types == [.cellular] {
        return Finding(.noCarrier, subject, "\(names) \(has) no connection to the mobile network")
      }
      let master = links.first?.masterIndex.map { " below \(name($0))" } ?? ""
      return Finding(
        .noCarrier, subject,
        "\(names)\(master)\(only) \(has) no carrier: a cable is out, or the port at the other end is off")
    }
  }

  // MARK: Addresses

  /// The fault of the addresses, if no usable link has one that reaches beyond the link.
  var addressFindings: [Finding] {
    let usable = usableLinks.compactMap { state[$0.index] }
    guard !usable.isEmpty, !usable.contains(where: hasUsableAddress) else { return [] }
    let ranked = usable.enumerated().min { left, right in
      (Self.rank(left.element), left.offset) < (Self.rank(right.element), right.offset)
    }
    return ranked.map { [addressFinding(at: $0.element)] } ?? []
  }

  private func hasUsableAddress(_ interface: KernelState.Interface) -> Bool {
    if interface.hasUsableIPv4Address || interface.hasUsableIPv6Address { return true }
    // The ports of a routing domain have its addresses.
    return interface.link.isRoutingDomain
      && state.interfaces.contains {
        $0.link.masterIndex == interface.link.index && ($0.hasUsableIPv4Address || $0.hasUsableIPv6Address)
      }
  }

  /// The interface that is closest to an address is the one to look at.
  private static func rank(_ interface: KernelState.Interface) -> Int {
    if interface.addresses.contains(where: { $0.flags.contains(.duplicate) }) { return 0 }
    if interface.addresses.contains(where: { $0.address.family == .ipv4 && $0.address.isLinkLocal }) { return 1 }
    if interface.addresses.contains(where: { !$0.address.isLinkLocal }) { return 2 }
    return 3
  }

  /// The reason why an interface has no address that reaches beyond the link.
  func addressFinding(at interface: KernelState.Interface) -> Finding {
    let name = interface.link.name
    let addresses = interface.addresses
    if let duplicate = addresses.first(where: { $0.flags.contains(.duplicate) }) {
      return Finding(
        .duplicateAddress, name, "\(name) may not use \(duplicate.address): another host on the link has this address")
    }
    if let own = addresses.first(where: { $0.address.family == .ipv4 && $0.address.isLinkLocal }) {
      return Finding(
        .selfAssignedAddress, name,
        "\(name) has only \(own.address), which hosts give themselves when no DHCP server answers")
    }
    if let other = addresses.first(where: { !$0.address.isLinkLocal }) {
      let state =
        other.flags.contains(.tentative) ? ", which is still checked for duplicates" : ", valid on its link alone"
      return Finding(.noAddress, name, "\(name) has only \(other.address)\(state)")
    }
    if let own = addresses.first {
      return Finding(.noAddress, name, "\(name) has only \(own.address), an address for its own link")
    }
    return Finding(.noAddress, name, "\(name) has no address")
  }
}
