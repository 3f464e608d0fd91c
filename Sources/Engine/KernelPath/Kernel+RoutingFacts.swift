package import PathDecisions
internal import PathModel
internal import SystemIO

/// Readings for explanations. Apart from the few that the journal needs when the path is lost, none of them happens
/// when the path changes. The kernel is asked for the entries of a few neighbours. If a lookup was refused, the
/// beginning of a few tables is read.
extension Kernel {
  /// The most pieces of a table that are read, of 32 KiB each.
  private static let piecesOfTable = 64
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
    facts.rules = try? policyRules()
    if namesTables(evaluation, facts) { facts.tableNames = tableNames() }
    facts.doubtfulNeighbours = (try? doubtfulNeighbours(of: evaluation.families.flatMap(\.primaryLegs))) ?? []
    for lookup in evaluation.lookups where lookup.query.kind == .match && lookup.query.interfaceIndex == 0 {
      readTables(about: lookup, into: &facts)
      if lookup.isUnreachable, lookup.query.destination.family == .ipv6, facts.ignoringAdvertisements.isEmpty {
        facts.ignoringAdvertisements = interfacesIgnoringAdvertisements()
      }
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
    // The answers may rest on a change of the rules whose message has not been read yet.
    facts.rules = try? readRules().rules
    for lookup in evaluation.lookups
    where lookup.query.kind == .match && lookup.query.interfaceIndex == 0 && lookup.isUnreachable {
      findDefaultOfMain(lookup, into: &facts)
    }
    return facts
  }

  /// Reads the tables that explain a refusal: those whose routes may refuse, or table main if no rule leads there.
  private func readTables(about lookup: PathEvaluation.Lookup, into facts: inout RoutingFacts) {
    if let type = lookup.refusingType {
      let flow = Self.flow(of: lookup, facts)
      let family = lookup.query.destination.family
      for table in facts.rules(askedBy: flow).compactMap(\.table).prefix(Self.tableLimit)
      where !facts.refusingRoutes.contains(where: { $0.table == table && $0.type == type }) {
        facts.refusingRoutes += routes(TableQuestion(family: family, table: table, type: type))
      }
    } else if lookup.isUnreachable {
      findDefaultOfMain(lookup, into: &facts)
      findDefaultsOfRules(lookup, into: &facts)
    }
  }

  /// Reads the first piece of table main, where the default route is, if no rule leads there.
  private func findDefaultOfMain(_ lookup: PathEvaluation.Lookup, into facts: inout RoutingFacts) {
    let family = lookup.query.destination.family
    guard facts.rules != nil, !facts.leadsToMain(Self.flow(of: lookup, facts)), !facts.defaultsOfMain.contains(family)
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
    let question = TableQuestion(family: table.family, table: table.number, type: RouteType.unicast)
    return ((try? readRoutes(question, pieces: 1)) ?? []).contains { $0.destination.length == 0 }
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

  /// The routers of next hops whose entries are a reason to doubt them. Nothing is sent to the routers.
  private func doubtfulNeighbours(
    of legs: [RouteLeg]
  ) throws(KernelPathError) -> [RoutingFacts.DoubtfulNeighbour] {
    var doubtful: [RoutingFacts.DoubtfulNeighbour] = []
    for leg in legs {
      guard let gateway = leg.gateway else { continue }
      let neighbour = RoutingFacts.Neighbour(gateway, on: leg.interfaceIndex)
      // A router without an entry has an error as its answer.
      try queries.ask([NetlinkRequest.neighbour(neighbour)]) { (message, datagram) throws(NetlinkDecodingError) in
        guard message.type == MessageType.newNeighbour else { return }
        try message.require(12, "ndmsg")
        let state = datagram.uint16(at: message.payload.lowerBound + 8)
        if state & NeighbourState.failed != 0 { doubtful.append(.init(neighbour, .failed)) }
        if state & NeighbourState.incomplete != 0 { doubtful.append(.init(neighbour, .incomplete)) }
      }
    }
    return doubtful
  }

  /// The routes at the beginning of a table: read now, or as they were read last if readings have taken too long. None
  /// if they cannot be read.
  private func routes(_ question: TableQuestion) -> [RoutingFacts.TableRoute] {
    let start = MonotonicInstant.now
    guard tableReadings.mayRead(at: start) else { return tableReadings.latest(question) ?? [] }
    var routes = (try? readRoutes(question, pieces: Self.piecesOfTable)) ?? []
    if question.type == RouteType.blackhole, question.table != RouteTableNames.local {
      // A route by a next-hop object that is a blackhole is unicast to the filter, and a blackhole in the answer
      // (fib_dump_info in Linux's net/ipv4/fib_semantics.c, rt6_fill_node in net/ipv6/route.c).
      routes += (try? readRoutes(question, listing: RouteType.unicast, pieces: Self.piecesOfTable)) ?? []
    }
    tableReadings.record(routes, to: question, taking: start.duration(to: .now))
    return routes
  }

  /// Reads the routes over a socket of their own, because reading may end before the table does.
  ///
  /// - Parameter listing: The type by which the kernel chooses the routes that it lists; `nil` for that of the
  ///   question.
  private func readRoutes(
    _ question: TableQuestion, listing: UInt8? = nil, pieces: Int
  ) throws(KernelPathError) -> [RoutingFacts.TableRoute] {
    let (family, table, type) = (question.family, question.table, question.type)
    var routes: [RoutingFacts.TableRoute] = []
    let unspecified = family == .ipv4 ? IPAddress(ipv4: 0) : IPAddress(ipv6: 0, 0)
    let request = NetlinkRequest.routes(of: family, table: table, type: listing ?? type)
    let socket = try QuerySocket()
    _ = try socket.dump(request, of: "routes", isOptional: true, limit: pieces) {
      (message, datagram) throws(NetlinkDecodingError) in
      guard message.type == MessageType.newRoute else { return }
      let route = try RouteFacts(message, in: datagram)
      // A kernel without strict checks lists all routes of all tables.
      guard route.table == table, route.type == type, !route.isCloned else { return }
      var address = unspecified
      try NetlinkAttribute.forEach(in: datagram, message.attributes(after: 12), of: "rtmsg") {
        (attribute) throws(NetlinkDecodingError) in
        if attribute.type == RouteAttribute.destination { address = try attribute.address(in: datagram, "RTA_DST") }
      }
      let destination = PolicyRule.Prefix(address, length: Int(route.prefixLength))
      routes.append(RoutingFacts.TableRoute(type: type, table: table, destination: destination))
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

/// The routes of one type in a table.
private typealias TableQuestion = TableReadings.Question

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
    answer == .refused(errorNumber: LookupRefusal.noRoute.rawValue)
  }
}
