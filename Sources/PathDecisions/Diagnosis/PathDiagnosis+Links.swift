internal import PathModel

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
    var faults: [LinkFault] = []
    for candidate in candidates {
      for link in culprits(at: candidate) where !faults.contains(where: { $0.link == link && $0.above == candidate }) {
        faults.append(LinkFault(link: link, above: candidate))
      }
    }
    return [LinkObstacle.dormant, .noCarrier, .administrativelyDown].compactMap { obstacle in
      let relevant = mostRelevant(faults.filter { $0.link.obstacle == obstacle })
      guard let first = relevant.first else { return nil }
      var links: [LinkFacts] = []
      for fault in relevant where !links.contains(fault.link) { links.append(fault.link) }
      // A link of its own right needs no word about what rests on it.
      let isBelow = relevant.allSatisfy { $0.above == first.above && $0.link != first.above && !hasAddress($0.link) }
      return finding(at: links, obstacle, isOnly: candidates.count == 1, below: isBelow ? first.above : nil)
    }
  }

  /// The faults of links beside usable ones that no route leads over: those over which the traffic last left, or that
  /// have an address, then all that have no carrier.
  var lostFindings: [Finding] {
    let dead = candidates.filter { $0.obstacle == .noCarrier || $0.obstacle == .dormant }
    let lost = uplinks.lost
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
    guard depth < 8, uplinks.isStacked(link) || link.isRoutingDomain || link.isLine else { return [link] }
    if link.obstacle == .administrativelyDown {
      // The kernel switches a VLAN off with the link below it, and does not switch it on before.
      guard let parent = link.parentIndex.flatMap({ state[$0]?.link }), parent.obstacle == .administrativelyDown else {
        return [link]
      }
      return culprits(at: parent, depth: depth + 1)
    }
    let below = uplinks.lowerLinks(of: link)
    guard !below.isEmpty, below.allSatisfy({ $0.obstacle != nil || !uplinks.deadEnds(below: $0).isEmpty }) else {
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
    case .dormant:
      return Finding(
        .waitsForAuthentication, subject, "\(names) \(links.count == 1 ? "waits" : "wait") for authentication")
    case .noCarrier:
      if links.count == 1, let bond = links.first, isEmptyBond(bond) {
        return Finding(.bondWithoutPorts, subject, "\(names)\(only) is a \(bond.kind ?? "bond") without ports")
      }
      let types = Set(links.map { type(of: $0) })
      if types == [.wifi] {
        return Finding(.notAssociated, subject, "\(names) \(isVerb) not associated with an access point")
      }
      if types == [.cellular] {
        return Finding(.noCarrier, subject, "\(names) \(has) no connection to the mobile network")
      }
      return Finding(
        .noCarrier, subject,
        "\(names)\(place)\(only) \(has) no carrier: a cable is out, or the port at the other end is off")
    }
  }

  private func isEmptyBond(_ link: LinkFacts) -> Bool {
    (link.kind == "bond" || link.kind == "team")
      && !state.interfaces.contains { $0.link.masterIndex == link.index }
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
