internal import PathModel

/// Judges whether the Internet answers, by observations that need no packet, and by the validator's report. Pure.
///
/// - If all routers of the path have stopped answering, nobody answers, whatever was found out before. Below a tunnel
///   those are the routers on the way to its servers.
/// - A report on the network of the path decides, because it rests on several hosts. One without a verdict says why.
/// - NetworkManager asks one host. Its right answer validates the family, because only the host gives it. Other content
///   in its place is a portal, unless the right answer came by the other family: then a part of the Internet answers.
///   If the host is silent, that decides nothing, because it may be down, blocked, or without an address of the family.
/// - If some routers of the path have stopped answering, a part of the Internet answers.
/// - An announced address for the sign-in decides nothing: the network may want none now.
struct ValidationRules {
  private let ways: WaysOut
  private let state: KernelState
  private let networks: NetworkFactsTable
  private var found: [PathValidation.Observation] = []
  private var announced: String?

  /// The validation of a path over the next hops of these families.
  static func validation(
    of families: [PathEvaluation.FamilyVerdict], _ ways: WaysOut, _ state: KernelState, _ networks: NetworkFactsTable
  ) -> PathValidation {
    guard networks.hasObservations else { return .unknown }
    var rules = ValidationRules(ways, state, networks)
    return rules.judge(families.flatMap { family in family.primaryLegs.map { (family.family, $0) } })
  }

  private init(_ ways: WaysOut, _ state: KernelState, _ networks: NetworkFactsTable) {
    (self.ways, self.state, self.networks) = (ways, state, networks)
  }

  private mutating func judge(_ legs: [(IPAddress.Family, RouteLeg)]) -> PathValidation {
    var cut = 0
    for (family, leg) in legs where areRoutersSilent(family, leg) { cut += 1 }
    let failed = found.count
    var asked: [(IPAddress.Family, Int32)] = []
    for (family, leg) in legs where !asked.contains(where: { $0 == (family, leg.interfaceIndex) }) {
      asked.append((family, leg.interfaceIndex))
      askNetworkManager(family, leg.interfaceIndex)
    }
    for index in Set(legs.map { $0.1.interfaceIndex }).sorted() { askLease(index) }
    let report = networks.report.flatMap { report in
      let isAbout = report.isAbout(legs.first?.1.interfaceIndex, legs.compactMap(\.1.gateway))
      return isAbout && networks.networkNames[report.interfaceIndex] == report.wireless ? report : nil
    }
    let isVerdict = report?.validation.state != .unknown
    found += (report?.validation.evidence ?? []).map { observation in
      var observation = observation
      if !isVerdict { observation.verdict = .unknown }
      return observation
    }
    let isCut = cut > 0 && cut == legs.count
    var reported = isCut || !isVerdict ? nil : report?.validation
    if failed > 0, reported?.state == .validated {
      reported?.state = .partial
      reported?.since = nil
    }
    return conclude(failedAll: isCut, reported)
  }

  private func conclude(failedAll: Bool, _ reported: PathValidation?) -> PathValidation {
    let verdicts = Set(found.map(\.verdict))
    var validation = PathValidation(portal: reported?.portal ?? announced, announced: announced)
    validation.state =
      if let reported {
        reported.state
      } else if failedAll {
        .unanswered
      } else if verdicts.contains(.portal) {
        verdicts.contains(.validated) ? .partial : .portal
      } else if verdicts.contains(.unanswered) {
        .partial
      } else {
        verdicts.contains(.validated) ? .validated : .unknown
      }
    let deciding = found.filter(validation.isDeciding)
    validation.evidence = deciding + found.filter { !validation.isDeciding($0) }
    let times = deciding.map(\.when)
    // One observation is enough for these two.
    let isAny = validation.state == .validated || validation.state == .portal
    validation.since = reported?.since ?? (isAny ? times.min() : times.max())
    return validation
  }

  // MARK: Observations

  /// Whether nobody on a next hop answers: neither its router nor, for a tunnel, those on the way to its servers.
  private mutating func areRoutersSilent(_ family: IPAddress.Family, _ leg: RouteLeg) -> Bool {
    if isSilent(family, leg) { return true }
    let hops = ways.underlays[leg.interfaceIndex] ?? []
    return !hops.isEmpty && hops.filter { isSilent(family, $0) }.count == hops.count
  }

  private mutating func isSilent(_ family: IPAddress.Family, _ leg: RouteLeg) -> Bool {
    guard let neighbour = leg.neighbour, let since = networks.routers[neighbour]?.failed else { return false }
    found.append(
      .init(
        source: .router, verdict: .unanswered, family: family, when: since,
        text: "the router \(neighbour.words(state)) does not answer any more"))
    return true
  }

  private mutating func askNetworkManager(_ family: IPAddress.Family, _ index: Int32) {
    guard let link = state[index]?.link, let verdicts = networks.connectivityByName[link.exactName] else { return }
    func observe(_ verdict: PathValidation.State, _ text: String) -> PathValidation.Observation {
      .init(source: .networkManager, verdict: verdict, family: family, when: verdicts.when, text: text)
    }
    let way = "over \(link.name) by \(family.name)"
    switch verdicts[family] {
    case .unknown, .none: break
    case .full: found.append(observe(.validated, "NetworkManager's host answers \(way)"))
    case .portal: found.append(observe(.portal, "NetworkManager sees other content in its host's place \(way)"))
    case .limited:
      found.append(observe(.unknown, "NetworkManager's host does not answer \(way), which decides nothing"))
    }
  }

  private mutating func askLease(_ index: Int32) {
    guard let interface = state[index] else { return }
    let addresses = interface.addresses.map(\.address)
    for lease in networks[interface.link].leases where addresses.contains(lease.address) {
      guard let address = lease.portal else { continue }
      announced = announced ?? address
      found.append(
        .init(
          source: .lease, verdict: .unknown, family: .ipv4, when: networks.leasesChanged,
          text: "the DHCP lease of \(interface.link.name) names an address for the sign-in: \(address)"))
    }
  }
}

extension RoutingFacts.Neighbour {
  /// The address, that of a link with the name of its interface.
  func words(_ state: KernelState) -> String {
    let name = state[interfaceIndex]?.link.name ?? "\(interfaceIndex)"
    return "\(address.isLinkLocal ? address.scoped(to: name) : address)"
  }
}

extension NetworkFactsTable {
  /// Whether anything has been observed of any network, so that most paths cost nothing here.
  fileprivate var hasObservations: Bool {
    hasPortals || report != nil || !connectivityByName.isEmpty || !routers.failed.isEmpty
  }
}
