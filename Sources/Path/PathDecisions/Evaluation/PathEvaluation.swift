package import PathModel

/// An evaluated path with everything that led to it, so that any verdict can be explained.
package struct PathEvaluation: Sendable {
  /// One question and the kernel's answer.
  package struct Lookup: Hashable, Sendable {
    /// The question to the kernel.
    package var query: RouteQuery
    /// The kernel's answer.
    package var answer: RouteAnswer
  }

  /// Questions that were sent to the kernel at once, with its answers.
  package struct Batch: Hashable, Sendable {
    /// The questions to the kernel.
    package var queries: [RouteQuery]
    /// The kernel's answers, in the same order.
    package var answers: [RouteAnswer]
  }

  /// The verdict on one probe address.
  package struct ProbeVerdict: Hashable, Sendable {
    /// The probe address.
    package var destination: IPAddress
    /// The usable next hops, or why there are none.
    package var outcome: ProbeOutcome
    /// The source address of packets over the first of these next hops; `nil` without one.
    package var source: IPAddress?
    /// The next hops over links without a carrier, usable ones beside them or not. Packets leave there as soon as the
    /// carrier is back.
    package var waitingLegs: [RouteLeg] = []
  }

  /// A name server that cannot be reached.
  package struct NameServerFault: Hashable, Sendable {
    /// Its address.
    package var server: IPAddress
    /// The obstacle on the way to it.
    package var obstacle: ProbeObstacle
    /// Whether the address is one of this machine, so that a program of its own has to serve names.
    package var isOfThisMachine = false
    /// Whether no lookup can tell more about it.
    package var isFinal: Bool { isOfThisMachine || server.isLinkLocal }
  }

  /// The verdict on one address family.
  package struct FamilyVerdict: Hashable, Sendable {
    /// The family.
    package var family: IPAddress.Family
    /// One verdict for each probe that was looked up, in their order. If these probes agree, the others cannot change
    /// the verdict on the family and are left out.
    package var probes: [ProbeVerdict]
    /// The number of probes that were left out.
    package var unaskedProbes: Int
    /// Whether most probes are usable.
    package var isUsable: Bool
    /// The next hops that most usable probes take; empty unless usable.
    package var primaryLegs: [RouteLeg]
    /// Why most probes are not usable; `nil` when they are or there is no probe.
    package var obstacle: ProbeObstacle?
    /// Whether the kernel alternates between routes of equal metric. It does so while the router of the first one is
    /// not confirmed to be reachable.
    package var alternates = false
    /// The source address of packets over the first of the primary legs; `nil` without one.
    package var source: IPAddress?

    /// Whether the primary legs leave by the interface.
    func leads(over index: Int32) -> Bool { primaryLegs.contains { $0.interfaceIndex == index } }
  }

  /// An interface that is usable by sockets bound to it.
  package struct Availability: Hashable, Sendable {
    /// The interface.
    package var interfaceIndex: Int32
    /// The family of the route that was found.
    package var family: IPAddress.Family
    /// The metric of that route: the preference among available interfaces.
    package var metric: UInt32
    /// The table of that route.
    package var table: UInt32
    /// The length of the prefix that matched, in bits.
    package var prefixLength: UInt8
    /// The next hop.
    package var leg: RouteLeg
    /// The source address of packets over it; `nil` when the lookups have shown none.
    package var source: IPAddress?
  }

  /// The findings about one interface, for explanations.
  package struct InterfaceFindings: Sendable {
    /// The interface.
    package var interfaceIndex: Int32
    /// The row of the table that classified it.
    package var classificationRule: String
    /// Its cost, with that of the interfaces below it.
    package var cost: Cost
    /// The administrator's ruling on it.
    package var ruling: InterfaceRuling
  }

  /// The links that decide the path: those that carry the traffic, those that would, and those that are usable beside
  /// them.
  package var links: [Int32] {
    var links: [Int32] = []
    for family in families {
      links += family.primaryLegs.map { $0.interfaceIndex }
      if let index = family.obstacle?.interfaceIndex { links.append(index) }
    }
    return links + available.map { $0.interfaceIndex }
  }
  /// The interface that carries the traffic; `nil` when there is none.
  package var primaryInterface: Int32? {
    for family in families {
      if let leg = family.primaryLegs.first { return leg.interfaceIndex }
    }
    return nil
  }
  /// The links over which the traffic leaves: the interface that carries it and, where that is a tunnel, the links that
  /// carry the tunnel. Empty when there are none.
  package var carriers: [Int32] { findings.carriers }

  /// The path. Its sequence is 0 and its time unset: the stream that publishes it numbers it.
  package var path: NetworkPath
  /// The time after which the path may change without any event: a route expires, or routers may change places.
  package var reevaluateAfter: Duration? { findings.silentChanges.reevaluateAfter }
  /// The routers whose reachability decides which routes the kernel takes.
  package var routers: RouterWatch { findings.silentChanges.routers }
  /// The routers of the next hops that carry the traffic, also below a tunnel.
  package var neighbours: [RoutingFacts.Neighbour] {
    let legs = families.flatMap(\.primaryLegs)
    return (legs + ways.carryingLegs).compactMap(\.neighbour)
  }
  /// The questions and the answers, batch by batch.
  package var batches: [Batch] { findings.batches }
  /// All lookups in the order they were made.
  package var lookups: [Lookup] {
    batches.flatMap { batch in zip(batch.queries, batch.answers).map { Lookup(query: $0, answer: $1) } }
  }
  /// The lookups of the entries that match the destinations of unbound sockets, in the order they were made.
  package var unboundMatches: [Lookup] {
    var matches: [Lookup] = []
    for batch in batches {
      for index in batch.queries.indices where batch.queries[index].isUnboundMatch {
        matches.append(Lookup(query: batch.queries[index], answer: batch.answers[index]))
      }
    }
    return matches
  }
  /// The verdict of each family that has probes.
  package var families: [FamilyVerdict] { findings.families }
  /// The interfaces that the bound lookups found usable, best first.
  package var available: [Availability] { findings.available }
  /// The name servers that cannot be reached, if those are all that names are asked of; empty otherwise.
  package var nameServerFaults: [NameServerFault] { findings.nameServerFaults }
  /// The findings about the ways out of the machine.
  package var ways: WaysOut { findings.ways }
  /// Whether the evaluation rests on readings whose changes no answer shows: the routes in the tables, the servers of
  /// WireGuard, or the programs that serve names.
  package var restsOnReadings: Bool {
    ways.routesToRouters != nil || ways.dead.values.contains(.noPeer)
      || nameServerFaults.contains(where: \.isOfThisMachine)
      || batches.contains { $0.queries.contains { $0.mark != nil } }
  }
  /// The findings about the interfaces that were described: those of the path, and those below them.
  package var interfaceFindings: [InterfaceFindings] { findings.interfaces }
  /// The row of the table that classified each interface, by interface index.
  package var classificationRules: [Int32: String] { byIndex { $0.classificationRule } }
  /// The cost of each interface, with that of the interfaces below it, by interface index. Interfaces without evidence
  /// are left out.
  package var costs: [Int32: Cost] { byIndex { $0.cost.evidence.isEmpty ? nil : $0.cost } }
  /// The administrator's rulings on the interfaces, by interface index; silent ones are left out.
  package var rulings: [Int32: InterfaceRuling] { byIndex { $0.ruling == .silent ? nil : $0.ruling } }

  private func byIndex<Finding>(_ finding: (InterfaceFindings) -> Finding?) -> [Int32: Finding] {
    var found: [Int32: Finding] = [:]
    for findings in interfaceFindings { found[findings.interfaceIndex] = finding(findings) }
    return found
  }

  /// All copies share the findings: an evaluation is stored and passed on far more often than it is explained.
  private let findings: Findings

  private final class Findings: Sendable {
    let batches: [Batch]
    let families: [FamilyVerdict]
    let available: [Availability]
    let interfaces: [InterfaceFindings]
    let nameServerFaults: [NameServerFault]
    let silentChanges: SilentChanges
    let ways: WaysOut
    let carriers: [Int32]

    init(
      _ batches: [Batch], _ families: [FamilyVerdict], _ available: [Availability], _ interfaces: [InterfaceFindings],
      _ nameServerFaults: [NameServerFault], _ silentChanges: SilentChanges, _ ways: WaysOut, _ carriers: [Int32]
    ) {
      (self.batches, self.families, self.available, self.interfaces) = (batches, families, available, interfaces)
      (self.silentChanges, self.ways, self.carriers) = (silentChanges, ways, carriers)
      self.nameServerFaults = nameServerFaults
    }
  }

  init(
    path: NetworkPath, batches: [Batch], families: [FamilyVerdict], available: [Availability],
    interfaces: [InterfaceFindings], nameServerFaults: [NameServerFault], silentChanges: SilentChanges, ways: WaysOut,
    carriers: [Int32]
  ) {
    self.path = path
    findings = Findings(batches, families, available, interfaces, nameServerFaults, silentChanges, ways, carriers)
  }
}

extension PathEvaluation {
  /// Puts the questions of the evaluation again, batch by batch, up to the first batch that the kernel answers
  /// otherwise.
  ///
  /// An evaluation is a pure function: if the other facts have stayed the same too, it holds if all answers have.
  ///
  /// - Parameter family: The only family whose answers may have changed; `nil` if all may (row `fresh`).
  /// - Returns: The batches with the answers of this moment; `nil` if all answers are as before.
  package func batchesUpToChange<View: KernelView>(
    in view: inout View, of family: IPAddress.Family? = nil
  ) throws(View.Failure) -> [Batch]? {
    var asked: [Batch] = []
    for batch in batches {
      var next = batch
      if let family {
        let places = batch.queries.indices.filter { batch.queries[$0].destination.family == family }
        let answers = places.isEmpty ? [] : try view.answers(to: places.map { batch.queries[$0] })
        for (place, answer) in zip(places, answers) { next.answers[place] = answer }
      } else {
        next.answers = try view.answers(to: batch.queries)
      }
      asked.append(next)
      if next.answers != batch.answers { return asked }
    }
    return nil
  }
}

/// The outcome of the lookups for one probe address.
package enum ProbeOutcome: Hashable, Sendable {
  /// The address can be reached over these next hops.
  case usable([RouteLeg])
  /// The address cannot be reached.
  case unusable(ProbeObstacle)
}

/// Why a probe address cannot be reached.
package struct ProbeObstacle: Hashable, Sendable {
  /// The reason.
  package var reason: UnsatisfiedReason
  /// The interface it was found at; `nil` when there is none.
  package var interfaceIndex: Int32?

  /// An obstacle, at an interface where there is one.
  package init(_ reason: UnsatisfiedReason, at interfaceIndex: Int32? = nil) {
    self.reason = reason
    self.interfaceIndex = interfaceIndex
  }
}

extension [PathEvaluation.Batch] {
  /// Passes each route that matches a destination of an unbound socket to `body`, with its family.
  func forEachUnboundMatch(_ body: (IPAddress.Family, RouteFacts) -> Void) {
    for batch in self {
      let (queries, answers) = (batch.queries, batch.answers)
      for index in queries.indices where queries[index].isUnboundMatch {
        if case .route(let route) = answers[index] { body(queries[index].destination.family, route) }
      }
    }
  }
}
