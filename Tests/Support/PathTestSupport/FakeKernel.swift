package import PathDecisions
package import PathModel

/// A small kernel in memory: links, addresses, routes and rules, with the answers of the real one.
///
/// It models only the parts on which a path depends. The scenarios run against it and against the real kernel, so that
/// the two cannot drift apart.
package struct FakeKernel {
  /// The failure of a view that cannot ask the kernel.
  package struct Failure: Error, Hashable, Sendable {
    package init() {}
  }

  struct Route: Hashable {
    var spec: RouteSpec
    var legs: [Leg]
  }

  struct Leg: Hashable {
    var interfaceIndex: Int32
    var gateway: IPAddress?
    var isDead = false
  }

  package internal(set) var state = KernelState()
  package var resolver = ResolverFacts.servers(["192.0.2.53"])
  /// The facts about networks from sources other than the kernel.
  package var networkFacts = NetworkFactsTable()
  package var judgements = JudgementMemory(InterfaceRules())
  /// The values in sysfs, by interface index.
  package var devices: [Int32: DeviceFacts] = [:] {
    didSet { for interface in state.interfaces { state.update(withDevice(interface.link)) } }
  }
  /// The addresses of this machine at which a program serves names; `nil` if that cannot be read.
  package var servedAddresses: [IPAddress]?
  /// Answers that are given instead of those of the tables.
  package var scriptedAnswers: [RouteQuery: RouteAnswer] = [:]
  /// The lookups of the servers that the kernel tells to root alone, by the index of the tunnel.
  package var serverQueries: [Int32: [RouteQuery]] = [:]
  /// The tunnels whose servers were read.
  package private(set) var tunnelsRead: [Int32] = []
  /// The number of batches of questions that are answered before all others fail; `nil` for no limit.
  package var batchesBeforeFailure: Int?
  /// The questions that were put, by batch.
  package private(set) var batches: [[RouteQuery]] = []
  /// The interface that a hash chooses for an unbound socket, by destination, for a route with several usable legs.
  /// Without an entry it is that of the first leg. The real kernel's hash depends on a number that each boot draws.
  package var hashedInterfaces: [IPAddress: Int32] = [:]
  /// `net.ipv4.conf.all.ignore_routes_with_linkdown` and the same for IPv6.
  package var ignoresRoutesWithLinkDown = false
  /// The interfaces whose IPv6 routers do not answer.
  package var interfacesWithFailedRouter: Set<Int32> = []

  var routes: [Route] = []
  var rules: [RuleSpec] = [
    RuleSpec(32_766, .lookup(table: 254)), RuleSpec(32_767, .lookup(table: 253)),
    RuleSpec(32_766, .lookup(table: 254), family: .ipv6),
  ]
  /// Whether the medium of a link has a signal, by interface index; without an entry it has one.
  var signals: [Int32: Bool] = [:]

  /// A namespace with nothing but the loopback device, which is up.
  package init() {
    state.update(
      LinkFacts(
        index: 1, name: "lo", flags: [.up, .lowerUp, .running, .loopback], hasCarrier: true,
        hardwareType: HardwareType.loopback))
    state.update(
      AddressFacts(interfaceIndex: 1, address: .literal("127.0.0.1"), prefixLength: 8, scope: 254))
    state.update(AddressFacts(interfaceIndex: 1, address: .literal("::1"), prefixLength: 128, scope: 254))
  }
}

extension FakeKernel: KernelView {
  package mutating func routesToRouters(over links: [Int32]) throws(Failure) -> [RouteLeg] {
    routes.filter { $0.spec.type == RouteType.unicast }.flatMap(\.legs)
      .filter { links.contains($0.interfaceIndex) && !$0.isDead && $0.gateway != nil }
      .map { RouteLeg(interfaceIndex: $0.interfaceIndex, gateway: $0.gateway) }
  }

  package mutating func serverQueries(of tunnel: LinkFacts, for destinations: [IPAddress]) -> [RouteQuery]? {
    tunnelsRead.append(tunnel.index)
    return serverQueries[tunnel.index]
  }

  package func servesNames(at address: IPAddress) -> Bool? { servedAddresses?.contains(address) }

  /// The link with the values in sysfs of the device behind it.
  func withDevice(_ link: LinkFacts) -> LinkFacts {
    var link = link
    if link.needsDevice { link.device = devices[link.index] }
    return link
  }

  package var situation: Situation {
    Situation(state: state, rules: PolicyRules(rules), resolver: resolver, networks: networkFacts)
  }

  package func readRules() {}

  /// Answers from the script, else from the tables.
  package mutating func answers(to queries: [RouteQuery]) throws(Failure) -> [RouteAnswer] {
    if let batchesBeforeFailure, batches.count >= batchesBeforeFailure { throw Failure() }
    batches.append(queries)
    return queries.map { scriptedAnswers[$0] ?? answer(to: $0) }
  }
}
