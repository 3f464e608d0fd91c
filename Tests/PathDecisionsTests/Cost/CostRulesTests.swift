import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("How evidence is combined")
struct CostRulesTests {
  private static func piece(
    _ verdict: Evidence.Verdict, _ confidence: Evidence.Confidence, source: Evidence.Source = .driver
  ) -> Evidence {
    Evidence(source: source, verdict: verdict, confidence: confidence, text: "\(verdict), \(confidence)")
  }

  /// A cost by pieces such as `+likely` (expensive) and `-guess` (not expensive).
  private static func cost(_ words: String...) -> Cost { CostRules.combine(pieces(words)) }

  private static func pieces(_ words: [String]) -> [Evidence] {
    words.map { piece($0.hasPrefix("+") ? .expensive : .notExpensive, .init(rawValue: String($0.dropFirst()))) }
  }

  /// A piece about evidence that could not be read.
  private static let unread = piece(.undetermined, .unknown, source: .lease)

  @Test(arguments: [
    ([], true), (["-guess"], true), (["-likely"], true), (["-certain"], true), (["-explicit"], false),
    (["-user"], false), (["-guess", "-explicit"], false), (["+guess"], false), (["+likely", "-guess"], false),
  ])
  func `evidence that could not be read leaves the cost undetermined unless it would have been weaker`(
    words: [String], isUndetermined: Bool
  ) {
    let others = Self.pieces(words)
    let (cost, without) = (CostRules.combine(others + [Self.unread]), CostRules.combine(others))
    #expect(cost.isUndetermined == isUndetermined)
    #expect(cost.isExpensive == without.isExpensive)
    #expect(cost.confidence == (isUndetermined ? .unknown : without.confidence))
    #expect(cost.decidingPieces.map { cost.evidence[$0].verdict.isCostly } == [cost.isExpensive])
    #expect(cost.decidingPieces.contains { cost.evidence[$0] == Self.unread } == isUndetermined)
  }

  @Test func `an undetermined cost is inherited, and decides beside interfaces that cost nothing`() {
    let undetermined = CostRules.combine([Self.unread])
    #expect(CostRules.inheriting(own: .unknown, below: [undetermined]).isUndetermined)
    #expect(!CostRules.inheriting(own: Self.cost("-user"), below: [undetermined]).isUndetermined)
    #expect(CostRules.inheriting(own: undetermined, below: [Self.cost("-explicit")]).isUndetermined)
    #expect(CostRules.inheriting(own: undetermined, below: [Self.cost("+likely")]).isExpensive)
    for other in [Self.cost("-user"), Self.cost("-guess"), .unknown] {
      #expect(CostRules.union([other, undetermined]).isUndetermined)
      #expect(CostRules.union([undetermined, other]).isUndetermined)
    }
    #expect(!CostRules.union([undetermined, Self.cost("+guess")]).isUndetermined)
  }

  private static let order: [Evidence.Confidence] = [.user, .explicit, .certain, .likely, .guess, .unknown]

  @Test(arguments: order.indices.flatMap { strong in order.indices.map { (strong, $0) } })
  func `the stronger piece wins and comes first, whatever its verdict and its place`(strong: Int, weak: Int) {
    guard strong < weak else { return }
    for (winner, loser) in [(Evidence.Verdict.expensive, Evidence.Verdict.notExpensive), (.notExpensive, .expensive)] {
      let pieces = [Self.piece(winner, Self.order[strong]), Self.piece(loser, Self.order[weak])]
      for evidence in [pieces, pieces.reversed()] {
        let cost = CostRules.combine(evidence)
        #expect(cost.isExpensive == (winner == .expensive))
        #expect(cost.confidence == Self.order[strong])
        #expect(cost.evidence == pieces)
        #expect(cost.decidingPieces == [0])
      }
    }
  }

  @Test(arguments: order)
  func `of equally strong pieces the one that spares money wins`(confidence: Evidence.Confidence) {
    let pieces = [Self.piece(.notExpensive, confidence), Self.piece(.expensive, confidence)]
    #expect(CostRules.combine(pieces).isExpensive)
    #expect(CostRules.combine(pieces.reversed()).isExpensive)
    let wishes = [Self.piece(.notConstrained, confidence), Self.piece(.constrained, confidence)]
    #expect(CostRules.combine(wishes).isConstrained)
  }

  @Test func `expense and constraint are decided separately`() {
    let cost = CostRules.combine([
      Self.piece(.notExpensive, .certain), Self.piece(.constrained, .guess), Self.piece(.notConstrained, .likely),
    ])
    #expect(!cost.isExpensive)
    #expect(!cost.isConstrained)
    #expect(cost.decidingPieces == [0, 1])
    #expect(CostRules.combine([Self.piece(.constrained, .guess), Self.piece(.expensive, .guess)]).isConstrained)
    let constrained = CostRules.combine([Self.piece(.constrained, .user)])
    #expect(!constrained.isExpensive)
    #expect(constrained.confidence == .unknown, "nothing was said of the expense")
  }

  @Test func `confidences compare, and an unknown one is the least`() {
    #expect(Self.order.reversed() == Self.order.sorted())
    let (rumour, vision) = (Evidence.Confidence(rawValue: "rumour"), Evidence.Confidence(rawValue: "vision"))
    #expect(rumour < .guess && vision < .guess)
    #expect((rumour < vision) != (vision < rumour))
    let cost = CostRules.combine([Self.piece(.expensive, rumour), Self.piece(.notExpensive, .guess)])
    #expect(!cost.isExpensive && cost.confidence == .guess)
    #expect(!rumour.isKnown && !Evidence.Confidence.guess.isKnown && Evidence.Confidence.likely.isKnown)
  }

  @Test func `an unknown verdict is no evidence`() {
    let cost = CostRules.combine([Self.piece(.init(rawValue: "free"), .user), Self.piece(.expensive, .guess)])
    #expect(cost.isExpensive && !cost.isConstrained)
    #expect(cost.confidence == .guess)
  }

  @Test(
    arguments: [
      // Side by side: expensive if any is, known to be free only if all are.
      ([cost("+certain"), cost("-user")], true, .certain), ([cost("+guess"), cost("+certain")], true, .certain),
      ([cost("-explicit"), cost()], false, .unknown), ([cost("-explicit"), cost("-guess")], false, .guess),
      ([cost("-explicit"), cost("-user")], false, .explicit), ([cost(), cost()], false, .unknown),
      ([cost("-explicit")], false, .explicit), ([], false, .unknown),
    ] as [([Cost], Bool, Evidence.Confidence)])
  func `a path over several interfaces has the cost of the most expensive one`(
    costs: [Cost], isExpensive: Bool, confidence: Evidence.Confidence
  ) {
    for order in [costs, costs.reversed()] {
      let union = CostRules.union(order)
      #expect(union.isExpensive == isExpensive)
      #expect(union.confidence == confidence)
      #expect(Set(union.evidence) == Set(costs.flatMap(\.evidence)))
      if isExpensive { #expect(union.decidingPieces.map { union.evidence[$0].verdict } == [.expensive]) }
    }
  }

  @Test(
    arguments: [
      // A tunnel without evidence has the cost of the link below it, with the same confidence.
      (cost(), [cost("-explicit")], false, .explicit), (cost(), [cost("+likely")], true, .likely),
      (cost(), [cost("-explicit"), cost()], false, .unknown), (cost("-certain"), [], false, .certain),
      // Its own cost comes on top.
      (cost("+guess"), [cost("-explicit")], true, .guess), (cost("-explicit"), [cost("+guess")], true, .guess),
      (cost("-certain"), [cost("-guess")], false, .guess),
      // But an override of the tunnel itself applies.
      (cost("-user"), [cost("+certain")], false, .user), (cost("+user"), [cost("-explicit")], true, .user),
      // An override of the link below does not cancel the tunnel's own cost.
      (cost("+explicit"), [cost("-user")], true, .explicit),
    ] as [(Cost, [Cost], Bool, Evidence.Confidence)])
  func `a tunnel has the cost of the link below it, unless the user overrides the tunnel`(
    own: Cost, below: [Cost], isExpensive: Bool, confidence: Evidence.Confidence
  ) {
    let cost = CostRules.inheriting(own: own, below: below)
    #expect(cost.isExpensive == isExpensive)
    #expect(cost.confidence == confidence)
    #expect(Set(cost.evidence) == Set(own.evidence + below.flatMap(\.evidence)))
  }

  @Test func `a user who constrains a tunnel has not made it free`() {
    let own = CostRules.combine([Self.piece(.constrained, .user)])
    let cost = CostRules.inheriting(own: own, below: [Self.cost("+certain")])
    #expect(cost.isExpensive)
    #expect(cost.isConstrained)
    #expect(cost.confidence == .certain)
    #expect(Set(cost.decidingPieces.map { cost.evidence[$0].verdict }) == [.expensive, .constrained])
  }
}
