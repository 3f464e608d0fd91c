package import PathModel

/// Finds the causes of a path's state. The decision is pure: values in, values out.
///
/// Causes are ordered by their distance from the machine: overrides and rules of the administrator, links, addresses,
/// policy rules and routes, routers, name servers. The nearest one has to be repaired first. A cause that follows from
/// a nearer one, such as the missing default route of a link that is switched off, is left out.
package final class PathDiagnosis {
  /// The evaluation of the kernel's answers.
  let evaluation: PathEvaluation
  /// The path with the overrides.
  let path: NetworkPath
  /// The links and addresses of the evaluation.
  let state: KernelState
  /// All interfaces but loopback with their types, including those that no path can use. Only the words about some
  /// faults of links need them.
  private(set) lazy var interfaces = describeInterfaces()
  private let describeInterfaces: () -> [NetworkInterface]
  /// The resolver configuration.
  let resolver: ResolverFacts
  /// The facts that only explanations need.
  let routing: RoutingFacts
  /// The overrides in force.
  let overrides: OverrideTable
  /// Whether this is the path to one host and not to the Internet.
  let isToHost: Bool
  let walk: CarrierWalk
  /// The links that could lead out of the machine.
  var candidates: [LinkFacts] { walk.uplinks }
  /// The links over which packets could leave.
  lazy var usableLinks = candidates.filter { $0.obstacle == nil && walk.deadEnds(below: $0).isEmpty }

  /// Everything that a diagnosis depends on.
  package init(
    _ evaluation: PathEvaluation, path: NetworkPath, state: KernelState,
    interfaces: @escaping @autoclosure () -> [NetworkInterface] = [], resolver: ResolverFacts,
    routing: RoutingFacts = RoutingFacts(), overrides: OverrideTable = OverrideTable(),
    isToHost: Bool = false
  ) {
    (self.evaluation, self.path, self.state, describeInterfaces) = (evaluation, path, state, interfaces)
    (self.resolver, self.routing, self.overrides, self.isToHost) = (resolver, routing, overrides, isToHost)
    walk = CarrierWalk(state, evaluation.ways)
  }

  /// A cause before it is a sentence: the first cause of a path that works is a doubt about it.
  struct Finding: Equatable {
    var code: Diagnosis.Code
    var subject: String?
    var clause: String
    var circumstances: [Diagnosis.Circumstance]

    init(
      _ code: Diagnosis.Code, _ subject: String?, _ clause: String, _ circumstances: [Diagnosis.Circumstance] = []
    ) {
      (self.code, self.subject, self.clause, self.circumstances) = (code, subject, clause, circumstances)
    }
  }

  /// The causes, the nearest one first. Empty when nothing is known of the path; otherwise there is at least one.
  package var causes: [Diagnosis] {
    let faults = faults
    guard faults.isEmpty, path.knowledge != .unknown else { return faults }
    return [Diagnosis(code: .connected, subject: path.interfaces.first?.name, sentence: path.description)]
  }

  /// The causes that speak against the path, the nearest one first. Empty for a path without a doubt, and when nothing
  /// is known of it.
  package var faults: [Diagnosis] {
    guard path.knowledge != .unknown else { return [] }
    return path.status == .satisfied ? doubts() : reasons()
  }

  /// The doubts about a path that is satisfied.
  private func doubts() -> [Diagnosis] {
    let findings = doubtFindings
    guard let first = findings.first else { return [] }
    let connected = path.interfaces.first.map { "connected over \($0.name)" } ?? "connected"
    return [diagnosis(first, "\(connected), but \(first.clause)")]
      + findings.dropFirst().map { diagnosis($0, $0.clause) }
  }

  /// The reasons why a path is not satisfied.
  private func reasons() -> [Diagnosis] {
    var findings = administratorFindings
    if findings.isEmpty, let group = groupFinding { return [diagnosis(group, group.clause)] }
    if evaluation.families.contains(where: \.isUsable) {
      // The kernel has a path: only the administrator speaks against it.
      findings += doubtFindings
    } else {
      findings += kernelFindings
    }
    if findings.isEmpty {
      findings = [Finding(.noDefaultRoute, nil, (path.unsatisfiedReason ?? .noRoute).words)]
    }
    return findings.map { diagnosis($0, $0.clause) }
  }

  private func diagnosis(_ finding: Finding, _ sentence: String) -> Diagnosis {
    var diagnosis = Diagnosis(code: finding.code, subject: finding.subject, sentence: sentence.inOneLine)
    diagnosis.circumstances = finding.circumstances
    return diagnosis
  }

  /// The reasons that the kernel's answers give, by how far the packets get: the links, if none is usable, then their
  /// addresses, then rules and routes. Links that carry nothing beside usable ones come last, whatever was in use
  /// before: the state decides, so that all who ask get one answer.
  private var kernelFindings: [Finding] {
    let links = linkFindings
    let addresses = links.isEmpty ? addressFindings : []
    let idle = links.isEmpty ? idleFinding : nil
    // A link that has an address and is switched off is nearer than one that has none.
    let idleFirst = addresses.isEmpty ? [] : [idle].compactMap(\.self).filter { !addresses.contains($0) }
    var findings = links + idleFirst + addresses
    if let decision = decisionFinding(isLinkDead: !links.isEmpty, lacksAddress: !addresses.isEmpty),
      !findings.contains(decision)
    {
      // The same fault, with the route that leads to it.
      findings.removeAll { $0.code == decision.code && $0.subject == decision.subject }
      // The link of the preferred route is nearer than the address of another one.
      let isOfLink = Self.linkFaults.contains(decision.code)
      let place = isOfLink ? min(links.count, findings.count) : isDecidedByRule(decision) ? 0 : findings.count
      findings.insert(decision, at: place)
      if decision.code == .noDefaultRoute {
        if decision.circumstances.contains(.servesOthers) { findings += waitingForAddress.map(addressFinding) }
        if let idle { findings.append(idle) }
      }
    }
    if links.isEmpty, !evaluation.families.contains(where: Self.leadsSomewhere) {
      findings += lostFindings.filter { !findings.contains($0) }
    }
    if !isToHost, let names = nameServerFinding { findings.append(names) }
    return findings
  }

  /// Whether a policy rule refuses packets that a live link with an address could carry.
  private func isDecidedByRule(_ finding: Finding) -> Bool {
    finding.code == .refusedByRule
      && state.interfaces.contains { interface in
        !interface.link.isLoopback && interface.link.obstacle == nil && !interface.link.isSink
          && (interface.hasUsableIPv4Address || interface.hasUsableIPv6Address)
      }
  }

  /// Whether a route leads to an interface, so that other links than that one have no part in the fault.
  private static func leadsSomewhere(_ verdict: PathEvaluation.FamilyVerdict) -> Bool {
    verdict.obstacle?.interfaceIndex != nil || verdict.obstacle?.reason == .prohibited
  }

  private static let linkFaults: [Diagnosis.Code] = [
    .switchedOff, .noCarrier, .bondWithoutPorts, .notAssociated, .waitsForAuthentication,
  ]

  // MARK: The administrator

  private var administratorFindings: [Finding] {
    guard path.unsatisfiedReason == .overridden else { return [] }
    var findings: [Finding] = []
    for override in overrides.overrides where override.field == .status {
      let words = "\(author(of: override))\(term(of: override))"
      if let interface = override.interface {
        guard concerns(override, evaluation) else { continue }
        findings.append(Finding(.overridden, interface, "an override takes \(interface) out of use, \(words)"))
      } else {
        findings.append(Finding(.overridden, nil, "an override says that there is no path, \(words)"))
      }
    }
    if let index = evaluation.primaryInterface, let ignored = evaluation.rulings[index]?.isIgnored, ignored.value {
      findings.append(
        Finding(
          .ignored, ignored.origin, "\(name(index)) carries the traffic, but a rule in \(ignored.origin) leaves it out")
      )
    }
    if findings.isEmpty { findings.append(Finding(.overridden, nil, UnsatisfiedReason.overridden.words)) }
    return findings
  }

  /// Whether the override of an interface takes away the one that carries the traffic, or the one below that.
  private func concerns(_ override: PathOverride, _ evaluation: PathEvaluation) -> Bool {
    evaluation.path.interfaces.contains { interface in
      interface.exactName == override.exactInterface
        || interface.exactUnderlying.contains { $0 == override.exactInterface }
    }
  }

  private func author(of override: PathOverride) -> String {
    let user = override.user == 0 ? "root" : "user \(override.user)"
    return "set by \(user)\(override.why.map { " (\"\($0)\")" } ?? "")"
  }

  private func term(of override: PathOverride) -> String {
    guard let expires = override.expires else { return ", until it is cleared or the machine reboots" }
    guard routing.boottimeMicroseconds > 0 else { return "" }
    let seconds = max((expires - routing.boottimeMicroseconds + 999_999) / 1_000_000, 1)
    return ", for another \(Self.words(seconds: seconds))"
  }

  /// A time in the largest units that lose less than a tenth of it.
  static func words(seconds: Int) -> String {
    // Rounding may reach the next unit: 7,199 s are 2 h, not 120 min.
    let (minutes, hours) = ((seconds + 30) / 60, (seconds + 1_800) / 3_600)
    if seconds < 120 { return "\(seconds) s" }
    if minutes < 120 { return "\(minutes) min" }
    return hours < 48 ? "\(hours) h" : "\((seconds + 43_200) / 86_400) days"
  }

  // MARK: Words

  func name(_ index: Int32) -> String { state[index]?.link.name ?? "interface \(index)" }

  func type(of link: LinkFacts) -> InterfaceType {
    interfaces.first { $0.index == Int(link.index) }?.type
      ?? InterfaceClassification.classify(link).type
  }

  /// Names in a sentence: `eth0`, `eth0 and eth1`, `eth0, eth1, eth2 and 3 others`.
  static func list(_ names: [String]) -> String {
    var words = names
    if words.count > 4 { words = words.prefix(3) + ["\(names.count - 3) others"] }
    guard let last = words.popLast(), !words.isEmpty else { return names.first ?? "" }
    return "\(words.joined(separator: ", ")) and \(last)"
  }
}
