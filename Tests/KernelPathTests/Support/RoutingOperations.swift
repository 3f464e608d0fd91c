internal import PathTestSupport

/// A command of ip(8) and where it runs, or a kernel parameter.
package struct RoutingCommand: Hashable, Sendable, CustomStringConvertible {
  /// The namespace and the family of a command.
  package enum Scope: Hashable, Sendable {
    /// The near namespace, and IPv4 where the command does not say.
    case near
    /// The near namespace, IPv6.
    case nearIPv6
    /// The far namespace: the other ends of the cables.
    case far
    /// The near namespace; an assignment of sysctl(8).
    case parameter
  }

  package var scope: Scope
  package var text: String

  package init(_ scope: Scope, _ text: String) { (self.scope, self.text) = (scope, text) }

  package var description: String {
    switch scope {
    case .near: "ip \(text)"
    case .nearIPv6: "ip -6 \(text)"
    case .far: "ip -n far \(text)"
    case .parameter: "sysctl -w \(text)"
    }
  }
}

/// Random changes of everything that decides about routes: links, addresses, routes, next-hop objects and policy rules
/// of both families.
///
/// Many of them fail, as on a machine where several programs configure the network at once.
package struct RoutingOperations {
  /// The cables, which lead to links of the same names in the far namespace.
  package static let cables = ["c0", "c1", "c2"]
  /// The `mtu` of all routes: routes that the kernel invents for bound sockets of IPv4 have another.
  package static let routeMTU: Int32 = 1_400

  private var random: SeededGenerator

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// The hardware address of a cable's near end.
  package static func hardwareAddress(of cable: Int) -> [UInt8] { [2, 0, 0, 0, 1, UInt8(cable)] }

  /// The commands that lay the cables. Packets need no neighbours on them, so no program has to answer.
  ///
  /// The ends have different indexes: then the kernel announces changes of carrier at once.
  package static func preparation(far: String) -> [RoutingCommand] {
    cables.enumerated().map { number, name in
      let address = hardwareAddress(of: number).map { String($0, radix: 16) }.joined(separator: ":")
      return RoutingCommand(
        .near,
        "link add \(name) index \(10 + number) address \(address) type veth peer name \(name) netns \(far)"
          + " index \(110 + number)")
    } + cables.map { RoutingCommand(.near, "link set \($0) arp off addrgenmode none") }
  }

  /// The commands that lead from anywhere to cables that are plugged, without addresses, routes and rules.
  package static let reset: [RoutingCommand] =
    [
      "rule flush", "route flush table main", "route flush table 100", "route flush table 101",
      "rule add pref 32766 lookup main",
    ].flatMap { text in
      [RoutingCommand.Scope.near, .nearIPv6].map { RoutingCommand($0, text) }
    } + [RoutingCommand(.near, "nexthop flush")] + parameters(ignoreRoutesWithoutCarrier: false)
    + cables.flatMap { name in
      [
        RoutingCommand(.near, "address flush dev \(name)"),
        RoutingCommand(.near, "link set \(name) down"),
        RoutingCommand(.far, "link set \(name) up"),
        RoutingCommand(.near, "link set \(name) up"),
      ]
    }

  /// Whether lookups skip routes whose link has no carrier; by default the kernel does not skip them.
  private static func parameters(ignoreRoutesWithoutCarrier: Bool) -> [RoutingCommand] {
    ["ipv4", "ipv6"].map { family in
      RoutingCommand(
        .parameter, "net.\(family).conf.all.ignore_routes_with_linkdown=\(ignoreRoutesWithoutCarrier ? 1 : 0)")
    }
  }

  /// The commands that bring most machines up: an address of each family on some cables, and a default route.
  package mutating func beginning() -> [RoutingCommand] {
    var commands = random.chance(3) ? Self.parameters(ignoreRoutesWithoutCarrier: true) : []
    for number in Self.cables.indices where number == 0 || !random.chance(3) {
      commands.append(address(4, number, "add"))
      commands.append(address(6, number, "add"))
    }
    for number in Self.cables.indices where number == 0 || random.chance(3) {
      commands.append(RoutingCommand(.near, "route add default \(via4(number)) metric \(metric()) \(Self.mark)"))
      if !random.chance(3) {
        commands.append(
          RoutingCommand(.nearIPv6, "route add default \(via6(number)) metric \(1 + metric()) \(Self.mark)"))
      }
    }
    return commands
  }

  package mutating func next() -> RoutingCommand {
    switch random.next(below: 20) {
    case 0, 1: link()
    case 2, 3, 4: address(random.chance(2) ? 4 : 6, random.next(below: 3), random.chance(3) ? "delete" : "add")
    case 5...8: route4()
    case 9...12: route6()
    case 13...15: rule(4)
    case 16...18: rule(6)
    default: nextHop()
    }
  }

  private static let mark = "mtu \(routeMTU)"

  private mutating func link() -> RoutingCommand {
    let verb = random.chance(3) ? "down" : "up"
    return RoutingCommand(random.chance(2) ? .near : .far, "link set \(random.pick(Self.cables)) \(verb)")
  }

  private mutating func address(_ family: Int, _ cable: Int, _ verb: String) -> RoutingCommand {
    let device = "dev \(Self.cables[cable])"
    let isUsual = verb == "add" && !random.chance(4) || verb == "delete" && !random.chance(3)
    let usual = family == 4 ? "192.0.\(2 + cable).2/24 \(device)" : "2001:db8:\(cable)::2/64 \(device)"
    let others =
      family == 4
      ? [
        "192.0.\(2 + cable).3/24 \(device)", "169.254.\(cable).1/16 \(device) scope link",
        "203.0.113.\(cable)/32 \(device)",
      ]
      : ["2001:db8:\(cable)::3/64 \(device)", "fe80::\(cable + 2)/64 \(device)", "fd00:\(cable)::2/64 \(device)"]
    let text = isUsual ? usual : random.pick(others)
    let isDeprecated = family == 6 && verb == "add" && random.chance(8)
    let words = isDeprecated ? "change \(text) valid_lft 9000 preferred_lft 0" : "\(verb) \(text)"
    return RoutingCommand(family == 4 ? .near : .nearIPv6, "address \(words)")
  }

  // MARK: Routes

  private mutating func via4(_ cable: Int) -> String { "via 192.0.\(2 + cable).1 dev \(Self.cables[cable])" }
  private mutating func via6(_ cable: Int) -> String { "via 2001:db8:\(cable)::1 dev \(Self.cables[cable])" }
  private mutating func metric() -> Int { 10 * random.next(below: 3) }
  private mutating func table() -> String { random.chance(2) ? "" : " table \(random.pick(["100", "101"]))" }

  private mutating func routeVerb() -> String { random.pick(["add", "add", "append", "replace", "delete"]) }

  /// The way of a route: a router, the cable alone, a source address, a next-hop object, or nothing.
  private mutating func way(_ cable: Int, _ via: String, sources: [String], objects: [String]) -> String {
    switch random.next(below: 12) {
    case 0...5: via
    case 6: "dev \(Self.cables[cable])"
    case 7: "\(via) src \(random.pick(sources))"
    case 8: "nhid \(random.pick(objects))"
    default: ""
    }
  }

  private mutating func route4() -> RoutingCommand {
    let prefix =
      random.chance(3)
      ? random.pick(["0.0.0.0/1", "128.0.0.0/1", "193.0.14.0/24", "17.0.0.0/8", "202.12.27.33/32"]) : "default"
    let cable = random.next(below: 3)
    let verb = routeVerb()
    let way = way(
      cable, via4(cable), sources: ["192.0.\(2 + cable).2", "192.0.2.2", "169.254.\(cable).1"],
      objects: ["1", "2", "3", "9"])
    return route(.near, verb, prefix, way, random.chance(2) ? "multipath" : "type", { $0.via4($1) })
  }

  private mutating func route6() -> RoutingCommand {
    var prefix =
      random.chance(3)
      ? random.pick(["2000::/3", "2001:7fd::/32", "2001:dc3::/32", "2620::/16"]) : "default"
    if random.chance(4) { prefix += " from 2001:db8:\(random.next(below: 3))::\(random.pick(["/64", "2/128", "/48"]))" }
    let cable = random.next(below: 3)
    let verb = routeVerb()
    var way = way(
      cable, via6(cable), sources: (0..<3).map { "2001:db8:\($0)::2" }, objects: ["11", "12", "13", "19"])
    if random.chance(4), !way.isEmpty, !way.hasPrefix("nhid") { way += " pref \(random.pick(["low", "high"]))" }
    return route(.nearIPv6, verb, prefix, way, random.chance(2) ? "multipath" : "type", { $0.via6($1) })
  }

  private mutating func route(
    _ scope: RoutingCommand.Scope, _ verb: String, _ prefix: String, _ way: String, _ otherwise: String,
    _ via: (inout Self, Int) -> String
  ) -> RoutingCommand {
    let metric = scope == .near ? metric() : 1 + metric()
    let place = "metric \(metric)\(table())"
    if verb == "delete" { return RoutingCommand(scope, "route delete \(prefix) \(place)") }
    if !way.isEmpty {
      return RoutingCommand(scope, "route \(verb) \(prefix) \(way) \(place) \(Self.mark)")
    }
    if otherwise == "type" {
      let type = random.pick(["unreachable", "prohibit", "blackhole", "throw"])
      return RoutingCommand(scope, "route \(verb) \(type) \(prefix) \(place)")
    }
    let first = random.next(below: 3)
    let legs = (0...(1 + random.next(below: 2))).map { number in
      "nexthop \(via(&self, (first + number) % 3)) weight \(1 + random.next(below: 2))"
    }
    return RoutingCommand(scope, "route \(verb) \(prefix) \(place) \(Self.mark) \(legs.joined(separator: " "))")
  }

  private mutating func nextHop() -> RoutingCommand {
    let cable = random.next(below: 3)
    let isIPv4 = random.chance(2)
    let base = isIPv4 ? 0 : 10
    let scope = isIPv4 ? RoutingCommand.Scope.near : .nearIPv6
    switch random.next(below: 6) {
    case 0, 1, 2:
      let way = isIPv4 ? via4(cable) : via6(cable)
      return RoutingCommand(scope, "nexthop replace id \(base + 1 + random.next(below: 3)) \(way)")
    case 3: return RoutingCommand(scope, "nexthop delete id \(base + 1 + random.next(below: 3))")
    case 4: return RoutingCommand(scope, "nexthop replace id \(base + 3) blackhole")
    default: return RoutingCommand(scope, "nexthop replace id \(base + 9) group \(base + 1)/\(base + 2)")
    }
  }

  // MARK: Rules

  private mutating func rule(_ family: Int) -> RoutingCommand {
    let scope = family == 4 ? RoutingCommand.Scope.near : .nearIPv6
    let priority = "pref \(100 + random.next(below: 12))"
    if random.chance(2) { return RoutingCommand(scope, "rule delete \(priority)") }
    let cable = random.next(below: 3)
    let source =
      family == 4
      ? random.pick(["192.0.\(2 + cable).2", "192.0.\(2 + cable).0/24", "192.0.0.0/16"])
      : random.pick(["2001:db8:\(cable)::2", "2001:db8:\(cable)::/64", "2001:db8::/32"])
    let destination =
      family == 4
      ? random.pick(["193.0.14.0/24", "128.0.0.0/1", "17.253.0.1"])
      : random.pick(["2001:7fd::/32", "2001::/16", "2620:149::1"])
    let selector = random.pick([
      "from \(source)", "from \(source)", "from \(source)", "from \(source) to \(destination)", "to \(destination)",
      "not from \(source)", "oif \(Self.cables[cable])", "fwmark 1", "not fwmark 1", "uidrange 0-0",
      "uidrange 1000-2000",
      "ipproto tcp", "ipproto udp", "iif lo from \(source)", "from all", "iif \(Self.cables[cable])",
    ])
    let action = random.pick([
      "lookup 100", "lookup 101", "lookup 100", "lookup 101", "lookup main", "lookup main suppress_prefixlength 0",
      "prohibit",
      "unreachable", "blackhole",
    ])
    return RoutingCommand(scope, "rule add \(priority) \(selector) \(action)")
  }
}

extension TestNamespace {
  /// Runs commands in their order, as few programs as possible; those that fail are passed over.
  package func run(_ commands: [RoutingCommand]) throws {
    var rest = commands[...]
    while let scope = rest.first?.scope {
      let group = rest.prefix { $0.scope == scope }
      if scope == .parameter {
        try setParameters(group.map(\.text))
      } else {
        try batch(group.map(\.text), inFar: scope == .far, isIPv6: scope == .nearIPv6)
      }
      rest = rest.dropFirst(group.count)
    }
  }
}
