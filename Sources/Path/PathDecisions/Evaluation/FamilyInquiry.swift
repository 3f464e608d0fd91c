internal import PathModel

/// The inquiries about the probes of an address family, and the verdict of most of them.
struct FamilyInquiry {
  /// The family.
  let family: IPAddress.Family
  private let destinations: [IPAddress]
  private let user: UInt32?
  /// The inquiries so far: as many as can decide, and all of them if those do not agree.
  private var probes: [ProbeInquiry]

  init(_ family: IPAddress.Family, _ destinations: [IPAddress], user: UInt32?) {
    self.family = family
    self.destinations = destinations
    self.user = user
    probes = destinations.prefix(destinations.count / 2 + 1).map { ProbeInquiry($0, user: user) }
  }

  /// Adds the next questions; none when the verdict is known.
  func appendQuestions(to questions: inout [RouteQuery]) {
    for probe in probes { probe.appendQuestions(to: &questions) }
  }

  /// Receives the answers to the questions, in their order.
  ///
  /// - Parameter position: The position of the first answer; afterwards, the position after the last one.
  mutating func receive(_ answers: [RouteAnswer], from position: inout Int, _ judge: ProbeJudge) {
    for index in probes.indices { probes[index].receive(answers, from: &position, judge) }
    // If these agree, the others cannot change the verdict. But that a tunnel carries everything is a promise, and one
    // probe can break it.
    if probes.count < destinations.count, probes.allSatisfy({ $0.outcome != nil }),
      probes.contains(where: { $0.outcome != probes[0].outcome }) || judge.leadsIntoTunnel(probes[0].outcome)
    {
      probes += destinations[probes.count...].map { ProbeInquiry($0, user: user) }
    }
  }

  /// The verdict, when no question is left.
  var verdict: PathEvaluation.FamilyVerdict {
    var verdicts: [PathEvaluation.ProbeVerdict] = []
    verdicts.reserveCapacity(probes.count)
    for index in probes.indices {
      guard let outcome = outcome(of: probes[index]) else { continue }
      verdicts.append(
        PathEvaluation.ProbeVerdict(
          destination: probes[index].destination, outcome: outcome, source: probes[index].source,
          waitingLegs: probes[index].waitingLegs))
    }
    let isUsable = 2 * verdicts.count { $0.outcome.isUsable } > destinations.count
    var verdict = PathEvaluation.FamilyVerdict(
      family: family, probes: verdicts, unaskedProbes: destinations.count - verdicts.count, isUsable: isUsable,
      primaryLegs: [], obstacle: nil, alternates: probes.contains { $0.alternates })
    let best = Self.mostFrequent(verdicts, areUsable: isUsable)
    switch best?.outcome {
    case .usable(let legs): (verdict.primaryLegs, verdict.source) = (legs, best?.source)
    case .unusable(let obstacle): verdict.obstacle = obstacle
    case nil: break
    }
    return verdict
  }

  /// The outcome of a probe. If its lookups found one of the default routes between which the kernel alternates, it is
  /// that of a probe whose lookups found more of them.
  private func outcome(of probe: ProbeInquiry) -> ProbeOutcome? {
    guard probe.foundOneDefaultRoute, case .usable(let legs)? = probe.outcome else { return probe.outcome }
    let wider = probes.first { other in
      guard other.alternates, case .usable(let all)? = other.outcome else { return false }
      return legs.allSatisfy { leg in all.contains { $0.leads(where: leg) } }
    }
    return wider?.outcome ?? probe.outcome
  }

  /// The first probe with the most frequent of the outcomes that are usable, or of those that are not. There are a
  /// handful, so hashing would not pay.
  private static func mostFrequent(
    _ verdicts: [PathEvaluation.ProbeVerdict], areUsable: Bool
  ) -> PathEvaluation.ProbeVerdict? {
    var (best, bestCount): (Int?, Int) = (nil, 0)
    for index in verdicts.indices where verdicts[index].outcome.isUsable == areUsable {
      let count = verdicts.count { $0.outcome.leadsTheSameWay(as: verdicts[index].outcome) }
      if count > bestCount { (best, bestCount) = (index, count) }
    }
    return best.map { verdicts[$0] }
  }
}

extension ProbeOutcome {
  fileprivate var isUsable: Bool {
    if case .usable = self { true } else { false }
  }

  /// Whether both have the same obstacle, or next hops over the same interfaces.
  fileprivate func leadsTheSameWay(as other: ProbeOutcome) -> Bool {
    switch (self, other) {
    case (.usable(let left), .usable(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.interfaceIndex == $1.interfaceIndex }
    case (.unusable(let left), .unusable(let right)): left == right
    default: false
    }
  }
}
