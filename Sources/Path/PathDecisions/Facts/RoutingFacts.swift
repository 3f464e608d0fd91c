package import PathModel

/// Facts about routing that no evaluation needs. They are read when somebody asks for an explanation. A part of them is
/// also read to name the cause when routes or rules take the path away.
package struct RoutingFacts: Hashable, Sendable {
  /// The state of a neighbour entry.
  package enum NeighbourState: String, Hashable, Sendable {
    /// The kernel has asked for the hardware address and given up (`NUD_FAILED`).
    case failed = "FAILED"
    /// The kernel has asked for the hardware address, and there is no answer yet (`NUD_INCOMPLETE`).
    case incomplete = "INCOMPLETE"
    /// The neighbour has answered (`NUD_REACHABLE`).
    case reachable = "REACHABLE"
    /// The hardware address is known, and was not confirmed recently (`NUD_STALE` and the states that follow it), or
    /// somebody has set it.
    case stale = "STALE"
  }

  /// A next hop: a router on the link of an interface.
  package struct Neighbour: Hashable, Sendable {
    /// The address of the router.
    package var address: IPAddress
    /// The interface.
    package var interfaceIndex: Int32

    /// A router on the link of an interface.
    package init(_ address: IPAddress, on interfaceIndex: Int32) {
      (self.address, self.interfaceIndex) = (address, interfaceIndex)
    }
  }

  /// A route table of a family.
  package struct Table: Hashable, Sendable {
    /// The family of its routes.
    package var family: IPAddress.Family
    /// Its number.
    package var number: UInt32

    /// A table.
    package init(_ family: IPAddress.Family, _ number: UInt32) {
      (self.family, self.number) = (family, number)
    }
  }

  /// A name server that cannot be reached.
  package struct NameServerFault: Hashable, Sendable {
    /// Its address.
    package var server: IPAddress
    /// The reason as a clause, such as `no route leads to 192.0.2.53`.
    package var reason: String

    /// A server with the reason why it cannot be reached.
    package init(_ server: IPAddress, _ reason: String) {
      (self.server, self.reason) = (server, reason)
    }
  }

  /// A route of a table, as far as an explanation shows it.
  package struct TableRoute: Hashable, Sendable {
    /// Its type, one of ``RouteType``.
    package var type: UInt8
    /// Its table.
    package var table: UInt32
    /// Its destinations.
    package var destination: PolicyRule.Prefix

    /// A route.
    package init(type: UInt8, table: UInt32, destination: PolicyRule.Prefix) {
      (self.type, self.table, self.destination) = (type, table, destination)
    }
  }

  /// The kernel's present entries for the routers that carry the traffic.
  package var neighbours: [NeighbourFacts] = []
  /// The routers of the paths since they are watched.
  package var routers = RouterRecords()
  /// The ways to learn the address for the sign-in, as sentences for administrators.
  package var portalAdvice: [String] = []
  /// The policy rules of both families; `nil` when they were not read.
  package var rules: [PolicyRule]?
  /// The families with a default route in table main. It is known only where no rule leads there.
  package var defaultsOfMain: Set<IPAddress.Family> = []
  /// Whether table main was read although no lookup reaches it, so that no answer shows its changes.
  package var restsOnTables = false
  /// The tables with a default route to which rules lead that do not apply to an unbound socket. They are known only
  /// where there is no route.
  package var defaultsOfRules: Set<Table> = []
  /// The interfaces that ignore router advertisements because they forward packets: the kernel then heeds them only
  /// with `accept_ra=2` (Linux's Documentation/networking/ip-sysctl.rst). They are known only where there
  /// is no route of IPv6.
  package var ignoringAdvertisements: Set<Int32> = []
  /// The addresses to whose networks no route leads, so that the kernel takes no router of theirs for a neighbour. They
  /// are known only where there is no route.
  package var unroutedAddresses: Set<IPAddress> = []
  /// The routes that refuse packets (`unreachable`, `prohibit` or `blackhole`), of the tables that rules lead to. They
  /// are known only where a lookup was refused.
  package var refusingRoutes: [TableRoute] = []
  /// The name servers that cannot be reached, with the reasons, if that is all of them; `nil` when they were not
  /// examined, so that the lookups of the evaluation decide.
  package var nameServerFaults: [NameServerFault]?
  /// The names of tables. Their files are read only if a rule or a route is of a table without a common name.
  package var tableNames = RouteTableNames()
  /// The user whose path it is when a lookup names none.
  package var user: UInt32 = 0
  /// The microseconds since boot (`CLOCK_BOOTTIME`); 0 when unknown.
  package var boottimeMicroseconds = 0

  /// No facts.
  package init() {}

  /// The reason to doubt a router; `nil` when there is none.
  package func doubt(of neighbour: Neighbour) -> NeighbourState? {
    if routers[neighbour]?.failed != nil { return .failed }
    let state = neighbours.first { $0.neighbour == neighbour }?.state
    return state == .failed || state == .incomplete ? state : nil
  }

  /// The rules of a family that are asked about packets, in order; empty when the rules were not read.
  package func rules(askedBy flow: PolicyRule.Flow) -> [PolicyRule] {
    PolicyRule.asked(by: flow, among: rules ?? [])
  }

  /// The table of an answer.
  ///
  /// The kernel keeps the routes of table local with those of table main until the first policy rule is added, and then
  /// names table main for both (`fib_trie_unmerge` in Linux's `net/ipv4/fib_trie.c`).
  package func table(of route: RouteFacts) -> UInt32 {
    route.type == RouteType.local && route.table == RouteTableNames.main ? RouteTableNames.local : route.table
  }

  /// The rule by which a lookup reaches a route; `nil` when it is unknown.
  package func rule(leadingTo route: RouteFacts, for flow: PolicyRule.Flow) -> PolicyRule? {
    let table = table(of: route)
    return rules(askedBy: flow).first { rule in
      rule.table == table && rule.suppressedPrefixLength.map { Int(route.prefixLength) > $0 } ?? true
    }
  }

  /// Whether rules lead to the default routes of table main.
  package func leadsToMain(_ flow: PolicyRule.Flow) -> Bool {
    let rules = rules ?? []
    let index = PolicyRule.firstIndex(askedBy: flow, among: rules) { index in
      rules[index].table == RouteTableNames.main && rules[index].suppressedPrefixLength == nil
    }
    return index != nil
  }
}

/// The names of route tables (`/etc/iproute2/rt_tables`).
package struct RouteTableNames: Hashable, Sendable {
  /// `RT_TABLE_MAIN`.
  package static let main: UInt32 = 254

  /// `RT_TABLE_LOCAL`.
  package static let local: UInt32 = 255

  private var names: [UInt32: String] = [:]

  /// The names that the kernel's users agree upon, of three tables.
  package init() {}

  /// The name of a table, or its number where it has none.
  package subscript(table: UInt32) -> String { names[table] ?? Self.commonName(of: table) ?? String(table) }

  /// The name of a table that the kernel's users agree upon; `nil` for a table of the administrator's.
  package static func commonName(of table: UInt32) -> String? {
    switch table {
    case 253: "default"
    case main: "main"
    case local: "local"
    default: nil
    }
  }

  /// Adds the names in the text of a file: lines with a number, which may be hexadecimal, and a name.
  package mutating func add(_ text: some StringProtocol) {
    for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let words = line.prefix { $0 != UInt8(ascii: "#") }
        .split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        .map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2, let table = Self.number(words[0]), table > 0 else { continue }
      names[table] = words[1]
    }
  }

  private static func number(_ word: String) -> UInt32? {
    word.hasPrefix("0x") || word.hasPrefix("0X") ? UInt32(word.dropFirst(2), radix: 16) : UInt32(word)
  }
}
