/// Puts the path together from the verdicts: interfaces in order, types, cost, the reason when there is none.
struct PathAssembly {
  private let state: KernelState
  private let families: [PathEvaluation.FamilyVerdict]
  private let available: [PathEvaluation.Availability]
  private let networks: NetworkFactsTable
  /// The administrator's rules, with what was concluded of the interfaces before.
  private(set) var judgements: JudgementMemory
  private var known: [Int32: Description] = [:]
  /// The rule that classified each interface that was looked at, by interface index.
  private(set) var classificationRules: [Int32: String] = [:]
  /// What the interfaces that were looked at cost, as far as anything is known of it, by interface index.
  private(set) var costs: [Int32: Cost] = [:]
  /// What the rules say of the interfaces that were looked at, as far as they say anything, by interface index.
  private(set) var spoken: [Int32: InterfaceRuling] = [:]

  /// What an interface is, with what it rests on.
  private struct Description {
    var interface: NetworkInterface
    var isTunnel: Bool
    /// Its own cost and that of the interfaces below it.
    var cost: Cost

    mutating func rest(on below: [Cost]) {
      cost = CostRules.inheriting(own: cost, below: below)
      interface.isExpensive = cost.isExpensive
      interface.isConstrained = cost.isConstrained
    }
  }

  init(
    state: KernelState, families: [PathEvaluation.FamilyVerdict], available: [PathEvaluation.Availability],
    networks: NetworkFactsTable, judgements: JudgementMemory
  ) {
    self.networks = networks
    self.judgements = judgements
    self.state = state
    self.families = families
    self.available = available
  }

  mutating func makePath(resolver: ResolverFacts, _ device: (LinkFacts) -> DeviceFacts?) -> NetworkPath {
    let isSatisfied = families.contains { $0.isUsable }
    var path = NetworkPath.State(status: isSatisfied ? .satisfied : .unsatisfied, knowledge: .known)
    let primaries = unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) })
    let order = unique(primaries + available.map(\.interfaceIndex))
    let described = describeWithUnderlying(order, device)
    let descriptions = preferring(described, behind: primaries.count)
    path.interfaces = descriptions.map(\.interface)
    path.gateways = unique(descriptions.flatMap { gateways(over: Int32($0.interface.index)) })
    guard isSatisfied, let first = descriptions.first else {
      path.unsatisfiedReason = reason()
      return withoutIgnored(NetworkPath(path))
    }
    path.interfaceType = first.interface.type
    path.usesTunnel = first.isTunnel
    path.supportsIPv4 = families.contains { $0.family == .ipv4 && $0.isUsable }
    path.supportsIPv6 = families.contains { $0.family == .ipv6 && $0.isUsable }
    path.supportsDNS = resolver.isConfigured
    let cost = CostRules.union(descriptions.prefix(primaries.count).map(\.cost))
    path.cost = cost
    path.isExpensive = cost.isExpensive
    path.isConstrained = cost.isConstrained
    return withoutIgnored(NetworkPath(path))
  }

  /// The interfaces in the order that the administrator prefers, as far as the kernel leaves a choice: not of those
  /// that carry the traffic.
  private func preferring(_ descriptions: [Description], behind primaries: Int) -> [Description] {
    guard spoken.values.contains(where: { $0.preference != nil }) else { return descriptions }
    func preference(of description: Description) -> Int {
      spoken[Int32(description.interface.index)]?.preference?.value ?? 0
    }
    let others = descriptions.dropFirst(primaries).enumerated().sorted { left, right in
      (-preference(of: left.element), left.offset) < (-preference(of: right.element), right.offset)
    }
    return Array(descriptions.prefix(primaries)) + others.map(\.element)
  }

  /// The path without the interfaces that the administrator does not want to count.
  private func withoutIgnored(_ path: NetworkPath) -> NetworkPath {
    guard spoken.values.contains(where: { $0.isIgnored?.value == true }) else { return path }
    return path.without { spoken[Int32($0.index)]?.isIgnored?.value == true }
  }

  /// The routers of an interface, IPv4 first.
  private func gateways(over index: Int32) -> [IPAddress] {
    let legs = families.flatMap(\.primaryLegs) + available.map(\.leg)
    return legs.filter { $0.interfaceIndex == index }.compactMap(\.gateway)
  }

  // MARK: Interfaces

  /// Describes the interfaces in order. A tunnel whose lower link the kernel does not tell rests on the
  /// best usable interface that is no tunnel: that is where its packets go.
  private mutating func describeWithUnderlying(_ order: [Int32], _ device: (LinkFacts) -> DeviceFacts?) -> [Description]
  {
    var descriptions: [Description] = []
    for index in order {
      if let description = describe(index, device, depth: 0) { descriptions.append(description) }
    }
    let carrier = descriptions.first { !$0.isTunnel }
    for position in descriptions.indices {
      guard descriptions[position].isTunnel, descriptions[position].interface.underlying.isEmpty, let carrier else {
        continue
      }
      descriptions[position].interface.underlying = [carrier.interface.name]
      descriptions[position].rest(on: [carrier.cost])
      note(descriptions[position])
    }
    return descriptions
  }

  private mutating func describe(_ index: Int32, _ device: (LinkFacts) -> DeviceFacts?, depth: Int) -> Description? {
    if let description = known[index] { return description }
    guard let interface = state[index], depth < 8 else { return nil }
    let link = interface.link
    let facts = InterfaceClassification.isDecidedByKind(link) ? nil : device(link)
    let classification = InterfaceClassification.classify(link, device: facts)
    classificationRules[index] = classification.rule
    var below: [Description] = []
    if classification.inherits || classification.isTunnel {
      for lower in lowerLinks(of: link) {
        if let description = describe(lower, device, depth: depth + 1) { below.append(description) }
      }
    }
    let found = classification.inherits ? inheritedType(of: link, from: below) : classification.type
    let gateways = gateways(over: index)
    let network = networks[link]
    let ruling = ruling(on: interface, found, facts, network, gateways)
    let type = ruling.type?.value ?? found
    let candidate = CostCandidate(
      name: link.name, type: type, device: facts, addresses: interface.addresses, gateways: gateways, network: network,
      ruling: ruling)
    var description = Description(
      interface: NetworkInterface(
        name: link.name, index: Int(index), type: type, underlying: below.map(\.interface.name),
        mtu: link.mtu.map(Int.init), hardwareAddress: interface.hardwareAddressText,
        addresses: interface.usableAddressTexts, driver: facts?.driver),
      isTunnel: classification.isTunnel || classification.inherits && below.contains(where: \.isTunnel),
      cost: judgements.cost(of: candidate, at: index))
    description.rest(on: below.map(\.cost))
    note(description)
    return description
  }

  private mutating func note(_ description: Description) {
    let index = Int32(description.interface.index)
    known[index] = description
    if !description.cost.evidence.isEmpty { costs[index] = description.cost }
  }

  /// What the administrator's rules say of an interface.
  private mutating func ruling(
    on interface: KernelState.Interface, _ type: InterfaceType, _ device: DeviceFacts?, _ network: NetworkFacts,
    _ gateways: [IPAddress]
  ) -> InterfaceRuling {
    if judgements.rules.isEmpty { return .silent }
    let index = interface.link.index
    let traits = InterfaceTraits(
      index: index, name: interface.link.name, alternativeNames: interface.link.alternativeNames, type: type,
      driver: device?.driver, networkName: network.networkName,
      hardwareAddress: interface.hardwareAddressText, gateways: gateways)
    let ruling = judgements.ruling(on: traits)
    if ruling != .silent { spoken[index] = ruling }
    return ruling
  }

  /// Describes every interface but loopback, by index.
  mutating func describeAll(_ device: (LinkFacts) -> DeviceFacts?) -> [NetworkInterface] {
    // Those of the path first, as a tunnel among them inherits from the interface below it.
    let order = unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) } + available.map(\.interfaceIndex))
    let inPath = describeWithUnderlying(order, device).map(\.interface)
    var interfaces: [NetworkInterface] = []
    for link in state.interfaces.map(\.link) where !link.isLoopback {
      if let interface = inPath.first(where: { $0.index == Int(link.index) })
        ?? describe(link.index, device, depth: 0)?
        .interface
      {
        interfaces.append(interface)
      }
    }
    return interfaces
  }

  /// The links that carry this one's packets.
  private func lowerLinks(of link: LinkFacts) -> [Int32] {
    if let active = link.activePortIndex, state[active] != nil { return [active] }
    let ports = state.interfaces.map(\.link).filter { $0.masterIndex == link.index }
    // The ports of virtual machines and containers come and go; they do not carry a bridge's uplink
    // as long as there is any other port.
    let uplinks = ports.filter { isUplinkPort($0) }
    if !ports.isEmpty { return (uplinks.isEmpty ? ports : uplinks).map(\.index) }
    return link.parentIndex.map { [$0] } ?? []
  }

  private func inheritedType(of link: LinkFacts, from below: [Description]) -> InterfaceType {
    let types = Set(below.map(\.interface.type))
    if types.count == 1, let type = types.first { return type }
    // An empty bridge has no medium. The parent of a macvlan in a container is out of sight: a cable,
    // as for the pair that containers get otherwise.
    if below.isEmpty, link.kind == "bridge" { return .other }
    return link.hardwareType == HardwareType.ethernet || !below.isEmpty ? .wiredEthernet : .other
  }

  // MARK: The reason

  /// From the closest to working to the farthest: the first that any family reports is said.
  private static let closeness: [UnsatisfiedReason] = [
    .dormant, .noCarrier, .sinkInterface, .prohibited, .noAddress, .noRoute, .noInterface,
  ]

  private func reason() -> UnsatisfiedReason {
    let reasons = families.compactMap(\.obstacle?.reason)
    let closest = Self.closeness.first { reasons.contains($0) } ?? .noRoute
    if closest == .noCarrier, !available.isEmpty { return .linkDownRoute }
    return closest == .noRoute || closest == .noInterface ? reasonWithoutRoute() : closest
  }

  /// Why there is no route at all, judged by the links: the kernel drops routes with their link or address.
  private func reasonWithoutRoute() -> UnsatisfiedReason {
    let all = state.interfaces.filter { !$0.link.isLoopback && !$0.link.isSink }
    let uplinks = all.filter { isUplink($0.link) }
    let interfaces = uplinks.isEmpty ? all : uplinks
    let up = interfaces.filter { $0.link.obstacle != .administrativelyDown }
    if up.isEmpty { return .noInterface }
    let usable = up.filter { $0.link.obstacle == nil }
    if usable.isEmpty { return up.contains { $0.link.obstacle == .dormant } ? .dormant : .noCarrier }
    return usable.contains { $0.hasUsableIPv4Address || $0.hasUsableIPv6Address } ? .noRoute : .noAddress
  }

  /// Whether a link could lead out of the machine: not the bridges of containers, nor the ports of any bridge.
  private func isUplink(_ link: LinkFacts) -> Bool {
    guard link.masterIndex == nil else { return false }
    return link.kind != "bridge" || lowerLinks(of: link).contains { isUplinkPort(state[$0]?.link) }
  }

  /// Whether a port of a bridge is more than a virtual machine or container, which come and go.
  private func isUplinkPort(_ port: LinkFacts?) -> Bool {
    guard let port else { return false }
    return port.kind != "veth" && port.kind != "tun" && port.kind != "netkit"
  }
}

/// The elements without repetitions, in their order.
private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  if elements.count < 2 { return elements }
  if elements.count <= 8 {
    var kept: [Element] = []
    for element in elements where !kept.contains(element) { kept.append(element) }
    return kept
  }
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
