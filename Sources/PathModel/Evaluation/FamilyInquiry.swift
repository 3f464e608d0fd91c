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

  /// The next questions; empty when the verdict is known.
  var questions: [RouteQuery] { probes.flatMap(\.questions) }

  /// Whether no question is left.
  var isDone: Bool { probes.allSatisfy { $0.outcome != nil } }

  /// Takes the answers to ``questions``, and removes them from the front.
  mutating func take(_ answers: inout ArraySlice<RouteAnswer>, _ judge: ProbeJudge) {
    for index in probes.indices {
      let count = probes[index].questions.count
      if count == 0 { continue }
      probes[index].take(answers.prefix(count), judge)
      answers = answers.dropFirst(count)
    }
    // If these agree, the others cannot change the verdict.
    if isDone, probes.count < destinations.count, probes.contains(where: { $0.outcome != probes[0].outcome }) {
      probes += destinations[probes.count...].map { ProbeInquiry($0, user: user) }
    }
  }

  /// The verdict, when no question is left.
  var verdict: PathEvaluation.FamilyVerdict {
    var verdicts: [PathEvaluation.ProbeVerdict] = []
    var routes: [[RouteLeg]] = []
    var obstacles: [ProbeObstacle] = []
    for probe in probes {
      guard let outcome = probe.outcome else { continue }
      verdicts.append(.init(destination: probe.destination, outcome: outcome))
      switch outcome {
      case .usable(let legs): routes.append(legs)
      case .unusable(let obstacle): obstacles.append(obstacle)
      }
    }
    let isUsable = 2 * routes.count > destinations.count
    return PathEvaluation.FamilyVerdict(
      family: family, probes: verdicts, unaskedProbes: destinations.count - verdicts.count, isUsable: isUsable,
      primaryLegs: isUsable ? Self.mostFrequent(routes) { Self.leadTheSameWay($0, $1) } ?? [] : [],
      obstacle: isUsable ? nil : Self.mostFrequent(obstacles) { $0 == $1 },
      alternates: probes.contains(where: \.alternates))
  }

  private static func leadTheSameWay(_ left: [RouteLeg], _ right: [RouteLeg]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.interfaceIndex == $1.interfaceIndex }
  }

  /// The first of the most frequent elements. There are a handful, so hashing would not pay.
  private static func mostFrequent<Element>(
    _ elements: [Element], _ areEqual: (Element, Element) -> Bool
  ) -> Element? {
    var best: (count: Int, index: Int)?
    for index in elements.indices {
      let count = elements.count { areEqual($0, elements[index]) }
      if count > best?.count ?? 0 { best = (count, index) }
    }
    return best.map { elements[$0.index] }
  }
}
