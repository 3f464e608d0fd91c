internal import KernelPath
internal import PathDecisions
internal import PathModel

/// A cache of the last few different evaluations. An evaluation is a pure function: the same links, addresses, facts
/// and answers lead to the same path. A network mostly alternates between few states (a cable out and in, two networks
/// in turn), and a path that returns needs no evaluation.
struct EvaluationMemory {
  private static let limit = 4

  /// The kernel's `revision` when its facts were last compared.
  private var revision = -1
  private var rules: [PolicyRule] = []
  private var state = KernelState()
  private var resolver = ResolverFacts.unknown("")
  private var networkFacts = NetworkFactsTable()
  /// The cached evaluations; the one that was valid most recently is the last.
  private var evaluations: [Remembered] = []

  /// A cached evaluation. An object, so that it is passed on by reference. The values that every change needs lie side
  /// by side (row `route`); the evaluation has more for explanations.
  final class Remembered: Sendable {
    /// The batches of questions to the kernel, with its replies.
    fileprivate let exchanges: [KernelRecord.Exchange]
    /// The interface that carries the traffic; `nil` when there is none.
    let primaryInterface: Int32?
    private let dependsOnFormerInterface: Bool
    /// The links over which the traffic had left before. Where none does now, they decide which link is missing.
    private let formerCarriers: [Int32]
    /// Whether anything decided whose changes no reply shows.
    private let restsOnReadings: Bool
    /// The path of the evaluation, with its cause as far as the evaluation shows it.
    let path: NetworkPath
    /// The routers by which the kernel chooses the routes.
    let routers: RouterWatch
    /// The time after which the path may change without an event; `nil` when it may not.
    let reevaluateAfter: Duration?
    let evaluation: PathEvaluation

    fileprivate init(
      _ evaluation: PathEvaluation, cause: Diagnosis?, restsOnReadings: Bool, _ exchanges: [KernelRecord.Exchange],
      _ formerCarriers: [Int32]
    ) {
      self.formerCarriers = formerCarriers
      self.exchanges = exchanges
      primaryInterface = evaluation.primaryInterface
      dependsOnFormerInterface = evaluation.dependsOnFormerInterface
      self.restsOnReadings = restsOnReadings
      path = evaluation.path.caused(by: cause)
      routers = evaluation.routers
      reevaluateAfter = evaluation.reevaluateAfter
      self.evaluation = evaluation
    }

    /// Whether the batch at a depth has these questions and replies.
    fileprivate func has(_ exchange: KernelRecord.Exchange, at depth: Int) -> Bool {
      depth < exchanges.count && exchanges[depth] == exchange
    }

    /// Whether the evaluation can be valid after the traffic left over the links.
    fileprivate func canFollow(_ formerCarriers: [Int32]) -> Bool {
      if restsOnReadings { return false }
      if primaryInterface == nil || path.knownDiagnosis != nil { return self.formerCarriers == formerCarriers }
      return !dependsOnFormerInterface || primaryInterface == formerCarriers.first
    }
  }

  /// Evaluates, unless the kernel answers all questions of a cached evaluation as it did then.
  ///
  /// - Parameters:
  ///   - probes: The destinations that stand for the Internet; always the same.
  ///   - user: The user whose path it is; always the same.
  ///   - formerCarriers: The links over which the traffic last left; empty when it never did.
  mutating func evaluate(
    _ kernel: Kernel, _ probes: ProbeAddresses, user: UInt32?, formerCarriers: [Int32]
  ) throws(KernelPathError) -> Remembered {
    try forgetOutdated(kernel)
    if let found = try recall(kernel, formerCarriers) { return found }
    // The kernel caches its replies from above: nothing is asked twice.
    var record = KernelRecord(of: kernel)
    let evaluation = try PathEvaluator.evaluate(
      &record, probes: probes, user: user, formerCarriers: formerCarriers,
      firstQuestions: evaluations.last?.exchanges.first?.queries)
    forgetOld()
    let routing = evaluation.needsRules ? kernel.briefRoutingFacts(for: evaluation, user: user) : RoutingFacts()
    let remembered = Remembered(
      evaluation, cause: kernel.cause(of: evaluation, path: evaluation.path, routing: routing),
      restsOnReadings: evaluation.restsOnReadings || routing.restsOnTables, sharingQuestions(record.exchanges),
      formerCarriers)
    evaluations.append(remembered)
    return remembered
  }

  /// The exchanges, with equal questions as one array in all evaluations: the kernel finds the replies to them without
  /// a comparison. The first questions of all evaluations are one array already.
  private func sharingQuestions(_ exchanges: [KernelRecord.Exchange]) -> [KernelRecord.Exchange] {
    if exchanges.count < 2 { return exchanges }
    var exchanges = exchanges
    for depth in 1..<exchanges.count {
      let known = evaluations.first {
        $0.exchanges.count > depth && $0.exchanges[depth].queries == exchanges[depth].queries
      }
      if let known { exchanges[depth].queries = known.exchanges[depth].queries }
    }
    return exchanges
  }

  /// Forgets the oldest evaluations beyond the limit. The end of an evaluation takes as long as a tenth of a new one,
  /// so subscribers get the path before (row `fresh`).
  mutating func forgetOld() {
    if evaluations.count > Self.limit { evaluations.removeFirst(evaluations.count - Self.limit) }
  }

  /// Forgets all evaluations when the facts that they rest on have changed.
  private mutating func forgetOutdated(_ kernel: Kernel) throws(KernelPathError) {
    if kernel.revision == revision { return }
    // Rules that keep changing while they are read count as changed again.
    let revision = kernel.revision
    let rules = try kernel.policyRules()
    self.revision = revision
    if rules == self.rules, kernel.state == state, kernel.resolver == resolver, kernel.networkFacts == networkFacts {
      return
    }
    evaluations = []
    self.rules = rules
    (state, resolver, networkFacts) = (kernel.state, kernel.resolver, kernel.networkFacts)
  }

  /// Returns the cached evaluation all of whose questions the kernel answers as it did then, and moves it to the end.
  ///
  /// Evaluations with equal replies so far ask the same next, so each batch is asked once for all of them.
  private mutating func recall(_ kernel: Kernel, _ formerCarriers: [Int32]) throws(KernelPathError) -> Remembered? {
    // A bit for each cached evaluation.
    var candidates: UInt8 = 0
    for position in evaluations.indices where evaluations[position].canFollow(formerCarriers) {
      candidates |= 1 << UInt8(position)
    }
    var depth = 0
    while candidates != 0 {
      let latest = UInt8.bitWidth - 1 - candidates.leadingZeroBitCount
      let found = evaluations[latest]
      if depth == found.exchanges.count {
        if found !== evaluations.last { evaluations.append(evaluations.remove(at: latest)) }
        return found
      }
      let queries = found.exchanges[depth].queries
      let exchange = KernelRecord.Exchange(queries: queries, replies: try kernel.replies(to: queries))
      for position in evaluations.indices where !evaluations[position].has(exchange, at: depth) {
        candidates &= ~(1 << UInt8(position))
      }
      depth += 1
    }
    return nil
  }
}

/// The kernel, with a record of the questions that were put to it and its replies.
private struct KernelRecord: KernelView {
  /// The questions of a batch and the kernel's replies.
  struct Exchange: Equatable {
    var queries: [RouteQuery]
    let replies: RouteReplies
  }

  private let kernel: Kernel
  /// The batches so far.
  private(set) var exchanges: [Exchange] = []

  init(of kernel: Kernel) { self.kernel = kernel }

  var state: KernelState { kernel.state }
  var resolver: ResolverFacts { kernel.resolver }
  var networkFacts: NetworkFactsTable { kernel.networkFacts }
  var judgements: JudgementMemory { kernel.judgements }
  var spacing: UInt16 { kernel.spacing }

  func device(of link: LinkFacts) -> DeviceFacts? { kernel.device(of: link) }

  func policy() throws(KernelPathError) -> PolicyFacts { try kernel.policy() }

  func linksWithRouters(among links: [Int32]) throws(KernelPathError) -> [Int32] {
    try kernel.linksWithRouters(among: links)
  }

  func serverQueries(of tunnel: LinkFacts) -> [RouteQuery] { kernel.serverQueries(of: tunnel) }

  mutating func answers(to queries: [RouteQuery]) throws(KernelPathError) -> [RouteAnswer] {
    let replies = try kernel.replies(to: queries)
    exchanges.append(Exchange(queries: queries, replies: replies))
    return try kernel.answers(in: replies, to: queries)
  }
}
