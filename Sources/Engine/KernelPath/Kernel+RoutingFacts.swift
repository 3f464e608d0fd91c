internal import CNetlink
package import PathDecisions
internal import PathModel
internal import SystemIO

/// Readings for explanations. None of them happens when the path changes, apart from the few that name the cause of a
/// lost path. The kernel is asked for the entries of a few neighbours. If a lookup was refused, the beginning of a few
/// tables is read.
extension Kernel {
  /// The most pieces of a table that are read, of 32 KiB each: about 4,500 routes. A table can be as long as that of
  /// the Internet, and any user may ask for explanations.
  private static let piecesOfTable = 8
  /// The most tables that are read.
  private static let tableLimit = 16
  /// The most interfaces whose settings are read.
  private static let interfaceLimit = 64

  /// The facts that explain an evaluation. A fact that cannot be read is absent, which makes an explanation less exact.
  ///
  /// - Parameter user: The user whose path was evaluated; `nil` for our own.
  package func routingFacts(for evaluation: PathEvaluation, user: UInt32?) -> RoutingFacts {
    var facts = RoutingFacts()
    facts.user = user ?? ProcessIdentity.user
    facts.boottimeMicroseconds = boottimeMicroseconds()
    facts.rules = (try? rules())?.rules
    if namesTables(evaluation, facts) { facts.tableNames = tableNames() }
    facts.routers = situation.networks.routers
    facts.portalAdvice = state.interfaces.map(\.link)
      .filter { link in evaluation.path.interfaces.contains { $0.index == Int(link.index) } }
      .compactMap(situation.networks.portalAdvice)
    facts.neighbours = (try? neighbours(evaluation.neighbours)) ?? []
    facts.refusingRoutes = refusingRoutes(evaluation, facts)
    for lookup in evaluation.unboundMatches where lookup.isUnreachable {
      findDefaultOfMain(lookup, into: &facts)
      findDefaultsOfRules(lookup, into: &facts)
      facts.unroutedAddresses.formUnion(unroutedAddresses(lookup.query.destination.family))
    }
    if evaluation.lookups.contains(where: { $0.isUnreachable && $0.query.destination.family == .ipv6 }) {
      facts.ignoringAdvertisements = interfacesIgnoringAdvertisements()
    }
    return facts
  }

  /// The facts that name the cause of a path that routes or rules take away: the policy rules, and whether table main
  /// has a default route that no rule leads to. Of that table, no more than the first piece is read, and so the reading
  /// takes equally long whatever the tables hold.
  package func briefRoutingFacts(for evaluation: PathEvaluation, user: UInt32?) -> RoutingFacts {
    var facts = RoutingFacts()
    facts.user = user ?? ProcessIdentity.user
    facts.boottimeMicroseconds = boottimeMicroseconds()
    // If they have changed meanwhile, their message brings another evaluation.
    facts.rules = (try? rules())?.rules
    for lookup in evaluation.unboundMatches where lookup.isUnreachable {
      findDefaultOfMain(lookup, into: &facts)
      facts.unroutedAddresses.formUnion(unroutedAddresses(lookup.query.destination.family))
    }
    return facts
  }

  /// The routes that may have refused lookups, from the beginnings of the tables that the rules lead these to.
  private func refusingRoutes(_ evaluation: PathEvaluation, _ facts: RoutingFacts) -> [RoutingFacts.TableRoute] {
    var questions: [TableQuestion] = []
    for lookup in evaluation.unboundMatches {
      guard let type = lookup.refusingType else { continue }
      for table in facts.rules(askedBy: Self.flow(of: lookup, facts)).compactMap(\.table) {
        let question = TableQuestion(table: .init(lookup.query.destination.family, table), type: type)
        if !questions.contains(question) { questions.append(question) }
      }
    }
    return questions.prefix(Self.tableLimit).flatMap { question in
      // The kernel finds no routes by type in constant time: it walks through the table. And a route by a next-hop
      // object that is a blackhole is unicast to its filter (fib_dump_info in Linux's net/ipv4/fib_semantics.c,
      // rt6_fill_node in net/ipv6/route.c). So the pieces have routes of all types.
      ((try? readRoutes(of: question.table, listing: 0, pieces: Self.piecesOfTable)) ?? [])
        .filter { $0.type == question.type }
    }
  }

  /// Reads the first piece of table main, where the default route is, if no rule leads there.
  private func findDefaultOfMain(_ lookup: PathEvaluation.Lookup, into facts: inout RoutingFacts) {
    let family = lookup.query.destination.family
    guard facts.rules != nil, !facts.defaultsOfMain.contains(family), !facts.leadsToMain(Self.flow(of: lookup, facts))
    else { return }
    facts.restsOnTables = true
    if hasDefault(.init(family, RouteTableNames.main)) { facts.defaultsOfMain.insert(family) }
  }

  /// Reads the first piece of the tables of those rules that do not apply to the lookup.
  private func findDefaultsOfRules(_ lookup: PathEvaluation.Lookup, into facts: inout RoutingFacts) {
    let family = lookup.query.destination.family
    let asked = facts.rules(askedBy: Self.flow(of: lookup, facts)).compactMap(\.table) + [RouteTableNames.local]
    var tables: [UInt32] = []
    for table in (facts.rules ?? []).filter({ $0.family == family }).compactMap(\.table)
    where table != RouteTableNames.main && !asked.contains(table) && !tables.contains(table) { tables.append(table) }
    for table in tables.prefix(Self.tableLimit) where hasDefault(.init(family, table)) {
      facts.defaultsOfRules.insert(.init(family, table))
    }
  }

  /// Whether a default route is in the first piece of a table.
  private func hasDefault(_ table: RoutingFacts.Table) -> Bool {
    ((try? readRoutes(of: table, listing: RouteType.unicast, pieces: 1)) ?? []).contains { route in
      route.type == RouteType.unicast && route.destination.length == 0
    }
  }

  /// The addresses of a family for whose networks nobody has made a route.
  private func unroutedAddresses(_ family: IPAddress.Family) -> Set<IPAddress> {
    var unrouted: Set<IPAddress> = []
    for address in state.interfaces.prefix(Self.interfaceLimit).flatMap(\.addresses)
    where address.flags.contains(.noPrefixRoute) && address.address.family == family && address.isUsable {
      // A neighbour, but not the first address of the network, which is none of a host.
      let neighbour = address.address.neighbour
      let query = RouteQuery(destination: neighbour, kind: .match, interfaceIndex: address.interfaceIndex)
      guard let answer = try? answers(to: [query]).first else { continue }
      if case .route(let route) = answer, route.prefixLength >= address.prefixLength { continue }
      unrouted.insert(address.address)
    }
    return unrouted
  }

  /// The interfaces at which the kernel ignores router advertisements because they forward packets. An interface that
  /// takes none at all leaves them to a program, or to nobody.
  private func interfacesIgnoringAdvertisements() -> Set<Int32> {
    var ignoring: Set<Int32> = []
    for link in state.interfaces.map(\.link).prefix(Self.interfaceLimit) where !link.isLoopback && !link.isSink {
      func setting(_ name: String) -> Int? {
        let bytes = try? Files.read("\(ipv6SettingsPath)/\(link.name)/\(name)")
        return bytes.flatMap { Int(String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) }
      }
      if setting("accept_ra") == 1, setting("forwarding").map({ $0 != 0 }) == true { ignoring.insert(link.index) }
    }
    return ignoring
  }

  private static func flow(of lookup: PathEvaluation.Lookup, _ facts: RoutingFacts) -> PolicyRule.Flow {
    PolicyRule.Flow(
      to: lookup.query.destination, from: lookup.query.source, user: lookup.query.user ?? facts.user)
  }

  /// Reads the beginning of a table over a socket of its own, because reading may end before the table does.
  ///
  /// - Parameter type: The type of the routes that the kernel lists; 0 for all.
  private func readRoutes(
    of table: RoutingFacts.Table, listing type: UInt8, pieces: Int
  ) throws(KernelPathError) -> [RoutingFacts.TableRoute] {
    var routes: [RoutingFacts.TableRoute] = []
    let request = NetlinkRequest.routes(of: table.family, table: table.number, type: type)
    let socket = try QuerySocket()
    _ = try socket.dump(request, of: "routes", isOptional: true, limit: pieces) {
      (message) throws(NetlinkDecodingError) in
      guard message.type == RTM_NEWROUTE else { return }
      let route = try RouteFacts(message)
      // A kernel without strict checks lists all routes of all tables.
      guard route.table == table.number, !route.isCloned else { return }
      let destination = try RouteFacts.destination(of: message, table.family)
      routes.append(RoutingFacts.TableRoute(type: route.type, table: table.number, destination: destination))
    }
    return routes
  }

  /// Whether a rule or a route is of a table of the administrator's, whose name an explanation needs.
  private func namesTables(_ evaluation: PathEvaluation, _ facts: RoutingFacts) -> Bool {
    let ofRules = (facts.rules ?? []).compactMap(\.table)
    let ofRoutes = evaluation.lookups.compactMap { lookup in
      if case .route(let route) = lookup.answer { facts.table(of: route) } else { nil }
    }
    return (ofRules + ofRoutes).contains { RouteTableNames.commonName(of: $0) == nil }
  }

  /// The names of route tables, as far as their files can be read.
  private func tableNames() -> RouteTableNames {
    var names = RouteTableNames()
    for path in tableNamePaths {
      if let bytes = try? Files.read(path) { names.add(String(decoding: bytes, as: UTF8.self)) }
      let directory = "\(path).d"
      for name in ((try? Files.entries(of: directory)) ?? []).sorted() where name.hasSuffix(".conf") {
        if let bytes = try? Files.read("\(directory)/\(name)") { names.add(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    return names
  }
}

extension IPAddress {
  /// Another address of the same network.
  fileprivate var neighbour: IPAddress {
    let other = low & 3 == 1 ? low ^ 3 : low ^ 1
    return family == .ipv4 ? IPAddress(ipv4: UInt32(truncatingIfNeeded: other)) : IPAddress(ipv6: high, other)
  }
}

/// The routes of one type in a table.
private struct TableQuestion: Equatable {
  var table: RoutingFacts.Table
  var type: UInt8
}

extension PathEvaluation.Lookup {
  /// The type of the route that may have refused the lookup; `nil` when it was not refused by one.
  fileprivate var refusingType: UInt8? {
    switch answer {
    case .refused(let errorNumber): LookupRefusal(rawValue: errorNumber)?.routeType
    case .route(let route): LookupRefusal(routeType: route.type)?.routeType
    }
  }

  /// Whether the answer is that there is no route.
  fileprivate var isUnreachable: Bool {
    if case .refused(LookupRefusal.noRoute.rawValue) = answer { true } else { false }
  }
}
