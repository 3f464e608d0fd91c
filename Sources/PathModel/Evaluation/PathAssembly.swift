/// Puts the path together from the verdicts: interfaces in order, types, cost, the reason when there is none.
struct PathAssembly {
  private let state: KernelState
  private let families: [PathEvaluation.FamilyVerdict]
  private let available: [PathEvaluation.Availability]
  private var known: [Int32: Description] = [:]
  /// The rule that classified each interface that was looked at, by interface index.
  private(set) var classificationRules: [Int32: String] = [:]

  /// What an interface is, with what it rests on.
  private struct Description {
    var interface: NetworkInterface
    var isTunnel: Bool
    var evidence: [Evidence]
  }

  init(
    state: KernelState, families: [PathEvaluation.FamilyVerdict], available: [PathEvaluation.Availability]
  ) {
    self.state = state
    self.families = families
    self.available = available
  }

  mutating func makePath(_ view: inout some KernelView) -> NetworkPath {
    let isSatisfied = families.contains { $0.isUsable }
    var path = NetworkPath(status: isSatisfied ? .satisfied : .unsatisfied, knowledge: .known)
    let primaries = unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) })
    let order = unique(primaries + available.map(\.interfaceIndex))
    let descriptions = describeWithUnderlying(order, &view)
    path.interfaces = descriptions.map(\.interface)
    path.gateways = unique(order.flatMap(gateways(over:)))
    guard isSatisfied, let first = descriptions.first else {
      path.unsatisfiedReason = reason()
      return path
    }
    path.interfaceType = first.interface.type
    path.usesTunnel = first.isTunnel
    path.supportsIPv4 = families.contains { $0.family == .ipv4 && $0.isUsable }
    path.supportsIPv6 = families.contains { $0.family == .ipv6 && $0.isUsable }
    path.supportsDNS = view.resolver.isConfigured
    let cost = CostRules.combine(unique(descriptions.prefix(primaries.count).flatMap(\.evidence)))
    path.cost = cost
    path.isExpensive = cost.isExpensive
    path.isConstrained = cost.isConstrained
    return path
  }

  /// The routers of an interface, IPv4 first.
  private func gateways(over index: Int32) -> [IPAddress] {
    let legs = families.flatMap(\.primaryLegs) + available.map(\.leg)
    return legs.filter { $0.interfaceIndex == index }.compactMap(\.gateway)
  }

  // MARK: Interfaces

  /// Describes the interfaces in order. A tunnel whose lower link the kernel does not tell rests on the
  /// best usable interface that is no tunnel: that is where its packets go.
  private mutating func describeWithUnderlying(_ order: [Int32], _ view: inout some KernelView) -> [Description] {
    var descriptions: [Description] = []
    for index in order {
      if let description = describe(index, &view, depth: 0) { descriptions.append(description) }
    }
    let carrier = descriptions.first { !$0.isTunnel }
    for position in descriptions.indices {
      guard descriptions[position].isTunnel, descriptions[position].interface.underlying.isEmpty, let carrier else {
        continue
      }
      descriptions[position].interface.underlying = [carrier.interface.name]
      descriptions[position].evidence += carrier.evidence
      let cost = CostRules.combine(descriptions[position].evidence)
      descriptions[position].interface.isExpensive = cost.isExpensive
      descriptions[position].interface.isConstrained = cost.isConstrained
    }
    return descriptions
  }

  private mutating func describe(_ index: Int32, _ view: inout some KernelView, depth: Int) -> Description? {
    if let description = known[index] { return description }
    guard let interface = state[index], depth < 8 else { return nil }
    let link = interface.link
    let device = InterfaceClassification.isDecidedByKind(link) ? nil : view.device(of: link)
    let classification = InterfaceClassification.classify(link, device: device)
    classificationRules[index] = classification.rule
    var below: [Description] = []
    if classification.inherits || classification.isTunnel {
      for lower in lowerLinks(of: link) {
        if let description = describe(lower, &view, depth: depth + 1) { below.append(description) }
      }
    }
    let type = classification.inherits ? inheritedType(of: link, from: below) : classification.type
    let candidate = CostRules.Candidate(
      name: link.name, type: type, addresses: interface.addresses, gateways: gateways(over: index))
    let evidence = unique(CostRules.evidence(for: candidate) + below.flatMap(\.evidence))
    let cost = CostRules.combine(evidence)
    let description = Description(
      interface: NetworkInterface(
        name: link.name, index: Int(index), type: type, isExpensive: cost.isExpensive,
        isConstrained: cost.isConstrained, underlying: below.map(\.interface.name), mtu: link.mtu.map(Int.init),
        hardwareAddress: Self.text(ofHardwareAddress: link.hardwareAddress),
        addresses: interface.addresses.filter(\.isUsable).map(\.text), driver: device?.driver),
      isTunnel: classification.isTunnel, evidence: evidence)
    known[index] = description
    return description
  }

  /// Describes every interface but loopback, by index.
  mutating func describeAll(_ view: inout some KernelView) -> [NetworkInterface] {
    // Those of the path first, as a tunnel among them inherits from the interface below it.
    let order = unique(families.flatMap { $0.primaryLegs.map(\.interfaceIndex) } + available.map(\.interfaceIndex))
    let inPath = describeWithUnderlying(order, &view).map(\.interface)
    var interfaces: [NetworkInterface] = []
    for link in state.interfaces.map(\.link) where !link.isLoopback {
      if let interface = inPath.first(where: { $0.index == Int(link.index) }) ?? describe(link.index, &view, depth: 0)?
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
    let uplinks = ports.filter { $0.kind != "veth" && $0.kind != "tun" && $0.kind != "netkit" }
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

  private static func text(ofHardwareAddress bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 3)
    for byte in bytes {
      if !text.isEmpty { text.append(UInt8(ascii: ":")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: The reason

  /// From the closest to working to the farthest: the first that any family reports is said.
  private static let closeness: [UnsatisfiedReason] = [
    .sinkInterface, .dormant, .noCarrier, .prohibited, .noAddress, .noRoute, .noInterface,
  ]

  private func reason() -> UnsatisfiedReason {
    let reasons = families.compactMap(\.obstacle?.reason)
    let closest = Self.closeness.first { reasons.contains($0) } ?? .noRoute
    if closest == .noCarrier, !available.isEmpty { return .linkDownRoute }
    return closest == .noRoute || closest == .noInterface ? reasonWithoutRoute() : closest
  }

  /// Why there is no route at all, judged by the links: the kernel drops routes with their link or address.
  private func reasonWithoutRoute() -> UnsatisfiedReason {
    let interfaces = state.interfaces.filter { !$0.link.isLoopback && !$0.link.isSink }
    let up = interfaces.filter { $0.link.obstacle != .administrativelyDown }
    if up.isEmpty { return .noInterface }
    let usable = up.filter { $0.link.obstacle == nil }
    if usable.isEmpty { return up.contains { $0.link.obstacle == .dormant } ? .dormant : .noCarrier }
    return usable.contains { $0.hasUsableIPv4Address || $0.hasUsableIPv6Address } ? .noRoute : .noAddress
  }
}

/// The elements without repetitions, in their order.
private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  if elements.count < 2 { return elements }
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
