internal import PathModel

/// Assembles the path from the verdicts: interfaces in order, types, cost, and the reason when there is no path.
struct PathAssembly {
  private let state: KernelState
  private let walk: CarrierWalk
  /// The verdicts on the families. A family whose packets get no farther than a tunnel or a bridge is not usable.
  private(set) var families: [PathEvaluation.FamilyVerdict]
  /// The interfaces that are usable by sockets bound to them, best first.
  private(set) var available: [PathEvaluation.Availability]
  private let networks: NetworkFactsTable
  /// Whether a policy rule answers as a missing route does.
  private let isRefusedByRule: Bool
  /// The administrator's rules, with the cached rulings and costs.
  private let judgements: JudgementMemory
  /// The indices of ``known``, in the same order. Mostly there are a handful, which a search finds sooner than a hash.
  private var knownIndices: [Int32] = []
  private var known: [Description] = []

  /// The findings about the described interfaces.
  var findings: [PathEvaluation.InterfaceFindings] { known.map(\.findings) }

  /// An interface, including the properties that it takes from the interfaces below it.
  private final class Description {
    private(set) var interface: NetworkInterface
    /// Whether it hides the traffic from the networks below, as a VPN does.
    let isTunnel: Bool
    /// Whether it only translates between IPv4 and IPv6, so that its type is that of the links below it.
    let isTranslation: Bool
    /// Why nothing gets out over it although routes lead there: the links below it carry no packets.
    let obstacle: ProbeObstacle?
    /// The findings. Their cost is its own and that of the interfaces below it.
    private(set) var findings: PathEvaluation.InterfaceFindings

    init(
      _ interface: NetworkInterface, isTunnel: Bool, isTranslation: Bool, _ obstacle: ProbeObstacle?,
      _ findings: PathEvaluation.InterfaceFindings, below: [Description]
    ) {
      (self.interface, self.isTunnel, self.isTranslation) = (interface, isTunnel, isTranslation)
      (self.obstacle, self.findings) = (obstacle, findings)
      rest(on: below)
    }

    /// Adopts the names, types and costs of the interfaces below.
    private func rest(on below: [Description]) {
      interface.underlying = below.map(\.interface.name)
      interface.underlyingTypes = unique(below.flatMap { [$0.interface.type] + $0.interface.underlyingTypes })
      if !below.isEmpty { findings.cost = CostRules.inheriting(own: findings.cost, below: below.map(\.findings.cost)) }
      if isTranslation, let type = below.first?.interface.type { interface.type = type }
      interface.isExpensive = findings.cost.isExpensive
      interface.isExpenseUndetermined = findings.cost.isUndetermined
      interface.isConstrained = findings.cost.isConstrained
    }
  }

  init(
    state: KernelState, families: [PathEvaluation.FamilyVerdict], available: [PathEvaluation.Availability],
    ways: WaysOut, networks: NetworkFactsTable, judgements: JudgementMemory, isRefusedByRule: Bool = false
  ) {
    self.isRefusedByRule = isRefusedByRule
    self.networks = networks
    self.judgements = judgements
    self.state = state
    walk = CarrierWalk(state, ways)
    self.families = families
    self.available = available
  }

  mutating func makePath(servesNames: Bool) -> NetworkPath {
    let described = leadingOut(describe(order))
    let isSatisfied = families.contains { $0.isUsable }
    let primaries = unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) })
    let descriptions = preferring(described, behind: primaries.count)
    let usesTunnel = isSatisfied && usesTunnelAlone()
    let traffic =
      isSatisfied ? traffic(over: descriptions, primaries: primaries.count, usesTunnel: usesTunnel, servesNames) : nil
    var path = NetworkPath.State(status: isSatisfied ? .satisfied : .unsatisfied, knowledge: .known)
    path.unsatisfiedReason = traffic == nil ? reason() : nil
    path.interfaces = descriptions.map(\.interface)
    path.traffic = traffic ?? NetworkPath.Traffic()
    path.gateways = unique(descriptions.flatMap { scopedGateways(over: $0.interface) })
    return withoutIgnored(NetworkPath(path))
  }

  /// The traffic over the first interface and the others that carry it; `nil` if there is none.
  private func traffic(
    over descriptions: [Description], primaries: Int, usesTunnel: Bool, _ servesNames: Bool
  ) -> NetworkPath.Traffic? {
    if descriptions.isEmpty { return nil }
    let cost = CostRules.union(descriptions.prefix(primaries).map(\.findings.cost))
    var traffic = NetworkPath.Traffic()
    traffic.interfaceType = descriptions[0].interface.type
    traffic.usesTunnel = usesTunnel
    (traffic.isExpensive, traffic.isConstrained, traffic.cost) = (cost.isExpensive, cost.isConstrained, cost)
    traffic.supportsIPv4 = families.contains { $0.family == .ipv4 && $0.isUsable }
    traffic.supportsIPv6 = families.contains { $0.family == .ipv6 && $0.isUsable }
    traffic.supportsDNS = servesNames
    traffic.sourceAddresses = families.compactMap { $0.isUsable ? $0.source : nil }
    traffic.validation = ValidationRules.validation(of: families, walk.ways, state, networks)
    return traffic
  }

  /// Whether every packet leaves over a tunnel. This is a promise to programs that must not be seen, so each family and
  /// each probe counts, while a majority is enough for a path. A probe that is led over a link without a carrier
  /// counts, too: its packets leave there as soon as the cable is back.
  private mutating func usesTunnelAlone() -> Bool {
    for family in families where family.isUsable {
      for leg in family.primaryLegs where describe(leg.interfaceIndex, depth: 0)?.isTunnel != true {
        return false
      }
    }
    for probe in families.flatMap(\.probes) {
      var legs = probe.waitingLegs
      if case .usable(let usable) = probe.outcome { legs += usable }
      for leg in legs where describe(leg.interfaceIndex, depth: 0)?.isTunnel != true { return false }
    }
    return true
  }

  /// The links over which the traffic leaves; see ``PathEvaluation/carriers``.
  var carriers: [Int32] {
    let primaries = unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) })
    let tunnels = primaries.compactMap { state[$0]?.link }.filter(walk.isTunnel)
    return tunnels.isEmpty ? primaries : unique(primaries + tunnels.flatMap(walk.livingCarriers).map(\.index))
  }

  /// The interfaces of the path, those that carry its traffic first.
  private var order: [Int32] {
    unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) } + available.map(\.interfaceIndex))
  }

  /// The interfaces over which packets get out of the machine. The others are removed from ``families`` and
  /// ``available``.
  private mutating func leadingOut(_ descriptions: [Description]) -> [Description] {
    guard descriptions.contains(where: { $0.obstacle != nil }) else { return descriptions }
    var obstacles: [Int32: ProbeObstacle] = [:]
    for (index, description) in zip(knownIndices, known) { obstacles[index] = description.obstacle }
    for position in families.indices where families[position].isUsable {
      let legs = families[position].primaryLegs
      families[position].primaryLegs = legs.filter { obstacles[$0.interfaceIndex] == nil }
      guard families[position].primaryLegs.isEmpty else { continue }
      families[position].isUsable = false
      families[position].obstacle = legs.compactMap { obstacles[$0.interfaceIndex] }.first
    }
    available.removeAll { obstacles[$0.interfaceIndex] != nil }
    return order.compactMap { description(of: $0) }
  }

  /// The interfaces in the administrator's order of preference. Those that carry the traffic stay first, as the kernel
  /// decides their order.
  private func preferring(_ descriptions: [Description], behind primaries: Int) -> [Description] {
    guard known.contains(where: { $0.findings.ruling.preference != nil }) else { return descriptions }
    func preference(of description: Description) -> Int { description.findings.ruling.preference?.value ?? 0 }
    let others = descriptions.dropFirst(primaries).enumerated().sorted { left, right in
      (-preference(of: left.element), left.offset) < (-preference(of: right.element), right.offset)
    }
    return Array(descriptions.prefix(primaries)) + others.map(\.element)
  }

  /// The path without the interfaces that the administrator ignores.
  private func withoutIgnored(_ path: NetworkPath) -> NetworkPath {
    guard known.contains(where: { $0.findings.ruling.isIgnored?.value == true }) else { return path }
    return path.without { description(of: Int32($0.index))?.findings.ruling.isIgnored?.value == true }
  }

  /// The routers of an interface, IPv4 first.
  private func gateways(over index: Int32) -> [IPAddress] {
    var gateways: [IPAddress] = []
    for family in families {
      for leg in family.primaryLegs where leg.interfaceIndex == index {
        if let gateway = leg.gateway { gateways.append(gateway) }
      }
    }
    for candidate in available where candidate.leg.interfaceIndex == index {
      if let gateway = candidate.leg.gateway { gateways.append(gateway) }
    }
    return gateways
  }

  /// The routers of an interface as a program can connect to them: link-local IPv6 addresses with their scope.
  private func scopedGateways(over interface: NetworkInterface) -> [IPAddress] {
    let gateways = gateways(over: Int32(interface.index))
    guard gateways.contains(where: { $0.family == .ipv6 && $0.isLinkLocal }) else { return gateways }
    // The kernel lets a name contain control characters and bytes that are not UTF-8. No reader of a path accepts such
    // a scope, so the index stands for it.
    let scope = InterfaceName.problem(with: interface.name) == nil ? interface.name : String(interface.index)
    return gateways.map { $0.isLinkLocal ? $0.scoped(to: scope) : $0 }
  }

  // MARK: Interfaces

  /// The links below one that its packets travel over, as far as they are known.
  ///
  /// If the kernel does not name the link below a tunnel, the tunnel rests on the best usable interface that is no
  /// tunnel: its packets go there. If the tunnel has replaced the default route, no other interface leads to the
  /// probes. Its packets then go over a living link with an address, and each such link may be the one.
  private func links(below link: LinkFacts, isTunnel: Bool) -> [LinkFacts] {
    if walk.ways.underlays[link.index] != nil || link.parentIndex != nil || !isTunnel {
      if case .links(let below) = walk.step(from: link) { return below }
      return []
    }
    let best = order.lazy.compactMap { state[$0]?.link }.first { $0.index != link.index && !walk.restsOnTunnel($0) }
    return best.map { [$0] }
      ?? walk.livingCarriers(of: link).filter { state[$0.index]?.usableAddresses.isEmpty == false }
  }

  private mutating func describe(_ indices: [Int32]) -> [Description] {
    indices.compactMap { describe($0, depth: 0) }
  }

  private mutating func describe(_ links: [LinkFacts], depth: Int) -> [Description] {
    links.compactMap { describe($0.index, depth: depth) }
  }

  private mutating func describe(_ index: Int32, depth: Int) -> Description? {
    if let description = description(of: index) { return description }
    guard let interface = state[index], depth < 8 else { return nil }
    let link = interface.link
    let classification = InterfaceClassification.classify(
      link, isCable: link.isTap && !walk.isTunnel(link), isStacked: walk.isStacked(link))
    // The way of a tunnel that carries nothing is not looked for.
    let isInUse = depth > 0 || order.contains(index) || !classification.isTunnel
    let below = describe(isInUse ? links(below: link, isTunnel: classification.isTunnel) : [], depth: depth + 1)
    let shaping = describe(classification.inherits ? walk.typeLinks(of: link) : [], depth: depth + 1)
    let isTranslation = classification.isTunnel && interface.isTranslator
    let found = classification.inherits ? inheritedType(of: link, from: shaping) : classification.type
    let gateways = gateways(over: index)
    // The router that carries a tunnel tells what the link below costs, although no probe leaves by it.
    let routers = unique(gateways + walk.ways.routers(over: index))
    let network = networks[link]
    let ruling = ruling(on: interface, found, network, routers)
    let type = ruling.type?.value ?? found
    let candidate = CostCandidate(
      name: link.name, type: type, device: link.device, addresses: interface.addresses, gateways: routers,
      network: network,
      ruling: ruling)
    var described = NetworkInterface(
      name: link.name, index: Int(index), type: type, mtu: link.mtu.map(Int.init),
      hardwareAddress: interface.hardwareAddressText,
      addresses: gateways.isEmpty && !link.flags.contains(.pointToPoint)
        ? interface.usableAddresses : interface.addressesBehindRouter,
      driver: link.device?.driver, alternativeNames: link.alternativeNames, networkName: network.networkName?.text)
    described.deprecatedPrefixes = interface.deprecatedPrefixes
    let description = Description(
      described,
      // A bridge of tunnels and other ports hides nothing for certain.
      isTunnel: classification.isTunnel && !isTranslation
        || !shaping.isEmpty && shaping.allSatisfy(\.isTunnel),
      isTranslation: isTranslation,
      // An administrator who names the type knows where the interface leads.
      ruling.type == nil ? obstacle(below: link) : nil,
      PathEvaluation.InterfaceFindings(
        interfaceIndex: index, classificationRule: classification.rule,
        cost: judgements.cost(of: candidate, at: index), ruling: ruling),
      below: below)
    knownIndices.append(index)
    known.append(description)
    return description
  }

  /// The description of an interface; `nil` when it has not been described.
  private func description(of index: Int32) -> Description? {
    knownIndices.firstIndex(of: index).map { known[$0] }
  }

  /// The administrator's ruling on an interface.
  private func ruling(
    on interface: KernelState.Interface, _ type: InterfaceType, _ network: NetworkFacts, _ gateways: [IPAddress]
  ) -> InterfaceRuling {
    if judgements.rules.isEmpty { return .silent }
    let index = interface.link.index
    let traits = InterfaceTraits(
      index: index, name: interface.link.name, alternativeNames: interface.link.alternativeNames, type: type,
      driver: interface.link.device?.driver, networkName: network.networkName,
      hardwareAddress: interface.hardwareAddressText, gateways: gateways)
    return judgements.ruling(on: traits)
  }

  /// Describes every interface but loopback, by index.
  mutating func describeAll() -> [NetworkInterface] {
    // Those of the path come first, because a tunnel among them inherits from the interface below it.
    let inPath = describe(order).map(\.interface)
    var interfaces: [NetworkInterface] = []
    for link in state.interfaces.map(\.link) where !link.isLoopback {
      if let interface = inPath.first(where: { $0.index == Int(link.index) })
        ?? describe(link.index, depth: 0)?.interface
      {
        interfaces.append(interface)
      }
    }
    return interfaces
  }

  /// The reason why nothing gets out over a link that rests on others; `nil` when packets get out.
  private func obstacle(below link: LinkFacts) -> ProbeObstacle? {
    let ends = walk.deadEnds(below: link)
    guard let first = ends.first else { return nil }
    // A tunnel without a route to its server, or in a loop; a routing domain without a route; or a mesh without ports.
    if let end = ends.first(where: { $0.obstacle == nil && !$0.isSink }), end == first || end == link {
      return ProbeObstacle(end.isRoutingDomain || walk.isTunnel(end) ? .noRoute : .noCarrier, at: end.index)
    }
    if ends.allSatisfy(\.isSink) { return ProbeObstacle(.sinkInterface, at: first.index) }
    if let waiting = ends.first(where: { $0.obstacle == .dormant }) {
      return ProbeObstacle(.dormant, at: waiting.index)
    }
    if let silent = ends.first(where: { $0.obstacle != .administrativelyDown }) {
      return ProbeObstacle(.noCarrier, at: silent.index)
    }
    return ProbeObstacle(walk.isTunnel(link) ? .noInterface : .noCarrier, at: first.index)
  }

  private func inheritedType(of link: LinkFacts, from below: [Description]) -> InterfaceType {
    let types = Set(below.map(\.interface.type))
    if types.count == 1, let type = types.first { return type }
    // An empty bridge has no medium. The parent of a macvlan in a container is not visible: it is taken for a cable,
    // like the pair that containers usually get.
    if below.isEmpty, link.kind == "bridge" || link.kind == "openvswitch" { return .other }
    let isCard = link.hardwareType == HardwareType.ethernet || link.hardwareType == HardwareType.infiniband
    return isCard || !below.isEmpty ? .wiredEthernet : .other
  }

  // MARK: The reason

  /// The reasons from the closest to a working path to the farthest. The first one that any family has is reported.
  static let closeness: [UnsatisfiedReason] = [
    .dormant, .noCarrier, .sinkInterface, .prohibited, .noAddress, .noRoute, .noInterface,
  ]

  private func reason() -> UnsatisfiedReason {
    let reasons = families.compactMap(\.obstacle?.reason)
    let closest = Self.closeness.first { reasons.contains($0) } ?? .noRoute
    if closest == .noCarrier, !available.isEmpty { return .linkDownRoute }
    if isRefusedByRule { return closest }
    return closest == .noRoute || closest == .noInterface ? reasonWithoutRoute() : closest
  }

  /// The reason when there is no route at all. The links decide, because the kernel drops routes with their link or
  /// address.
  private func reasonWithoutRoute() -> UnsatisfiedReason {
    let up = walk.uplinks.filter { $0.obstacle != .administrativelyDown }
    if up.isEmpty { return .noInterface }
    let usable = up.filter { $0.obstacle == nil && walk.deadEnds(below: $0).isEmpty }.compactMap { state[$0.index] }
    if usable.isEmpty { return up.contains { $0.obstacle == .dormant } ? .dormant : .noCarrier }
    return usable.contains { $0.hasUsableIPv4Address || $0.hasUsableIPv6Address } ? .noRoute : .noAddress
  }
}
