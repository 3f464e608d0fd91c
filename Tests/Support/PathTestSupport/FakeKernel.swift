package import PathModel

/// A small kernel in memory: links, addresses, routes and rules, with the answers the real one gives.
///
/// It models what a path depends on and nothing else. The scenarios run against it and against the real
/// kernel, so that it cannot drift from what it stands for.
package struct FakeKernel {
  /// The failure of a view that cannot ask.
  package struct Failure: Error, Hashable, Sendable {
    /// A failure.
    package init() {}
  }

  /// A route in a table.
  struct Route: Hashable {
    var spec: RouteSpec
    var legs: [Leg]
  }

  /// A next hop of a route in a table.
  struct Leg: Hashable {
    var interfaceIndex: Int32
    var gateway: IPAddress?
    var isDead = false
  }

  /// The links and addresses.
  package internal(set) var state = KernelState() { didSet { revision += 1 } }
  /// What the resolver configuration says.
  package var resolver = ResolverFacts.servers(["192.0.2.53"]) { didSet { revision += 1 } }
  /// What others than the kernel say of the networks.
  package var networkFacts = NetworkFactsTable() { didSet { revision += 1 } }
  /// How often any of these may have changed.
  package private(set) var revision = 0
  /// The administrator's rules.
  package var judgements = JudgementMemory(InterfaceRules())
  /// What sysfs says, by interface index.
  package var devices: [Int32: DeviceFacts] = [:]
  /// Answers that are given instead of those of the tables.
  package var scriptedAnswers: [RouteQuery: RouteAnswer] = [:]
  /// How many batches of questions are answered before all others fail; `nil` for no limit.
  package var batchesBeforeFailure: Int?
  /// The questions that were put, by batch.
  package private(set) var batches: [[RouteQuery]] = []
  /// Links whose `device` was asked for.
  package private(set) var devicesRead: [String] = []
  /// The interface that a hash leads an unbound socket over, by destination, where a route has several usable legs;
  /// where none is named here, it is that of the first leg. The real kernel's hash depends on a number that each boot
  /// draws.
  package var hashedInterfaces: [IPAddress: Int32] = [:]
  /// `net.ipv4.conf.all.ignore_routes_with_linkdown` and the same for IPv6.
  package var ignoresRoutesWithLinkDown = false

  var routes: [Route] = []
  var rules: [RuleSpec] = [
    RuleSpec(32_766, .lookup(table: 254)), RuleSpec(32_767, .lookup(table: 253)),
    RuleSpec(32_766, .lookup(table: 254), family: .ipv6),
  ]
  /// Whether the medium of a link has a signal, by interface index; it has unless told otherwise.
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
  /// What sysfs says of the device behind a link.
  package mutating func device(of link: LinkFacts) -> DeviceFacts? {
    devicesRead.append(link.name)
    return devices[link.index]
  }

  /// Whether any of the rules looks at the source address.
  package func policy() -> PolicyFacts {
    PolicyFacts(ipv4RulesNameSources: rules.contains { $0.family == .ipv4 && $0.source != nil })
  }

  /// Answers from the script, else from the tables.
  package mutating func answers(to queries: [RouteQuery]) throws(Failure) -> [RouteAnswer] {
    if let batchesBeforeFailure, batches.count >= batchesBeforeFailure { throw Failure() }
    batches.append(queries)
    return queries.map { scriptedAnswers[$0] ?? answer(to: $0) }
  }
}
