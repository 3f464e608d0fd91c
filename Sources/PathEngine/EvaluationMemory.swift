internal import KernelPath
internal import PathModel

/// A cache of the last few different evaluations. An evaluation is a pure function: the same links, addresses, facts
/// and answers lead to the same path. A network mostly alternates between few states (a cable out and in, two networks
/// in turn), and a path that returns needs no evaluation.
struct EvaluationMemory {
  private static let limit = 4

  /// The kernel's `revision` when its facts were last compared.
  private var revision = -1
  private var policy = PolicyFacts()
  private var state = KernelState()
  private var resolver = ResolverFacts.unknown("")
  private var networkFacts = NetworkFactsTable()
  /// The cached evaluations; the one that was valid most recently is the last.
  private var evaluations: [Remembered] = []

  /// A cached evaluation. An object, so that it is passed on by reference.
  final class Remembered: Sendable {
    let evaluation: PathEvaluation
    /// The interface that carries the traffic; `nil` when there is none.
    let primaryInterface: Int32?
    fileprivate let batches: [PathEvaluation.Batch]
    private let dependsOnFormerInterface: Bool

    fileprivate init(_ evaluation: PathEvaluation, batches: [PathEvaluation.Batch]) {
      self.evaluation = evaluation
      self.batches = batches
      primaryInterface = evaluation.primaryInterface
      dependsOnFormerInterface = evaluation.dependsOnFormerInterface
    }

    /// Whether the batch at a depth has these questions and answers.
    fileprivate func asked(_ batch: PathEvaluation.Batch, at depth: Int) -> Bool {
      depth < batches.count && batches[depth] == batch
    }

    /// Whether the evaluation can be valid after the interface carried the traffic.
    fileprivate func canFollow(_ formerInterface: Int32?) -> Bool {
      !dependsOnFormerInterface || primaryInterface == formerInterface
    }
  }

  /// Evaluates, unless the kernel answers all questions of a cached evaluation as it did then.
  ///
  /// - Parameters:
  ///   - probes: The destinations that stand for the Internet; always the same.
  ///   - user: The user whose path it is; always the same.
  ///   - formerInterface: The interface that carried the traffic before.
  mutating func evaluate(
    _ kernel: Kernel, _ probes: ProbeAddresses, user: UInt32?, formerInterface: Int32?
  ) throws(KernelPathError) -> Remembered {
    forgetOutdated(kernel, try kernel.policy())
    if let found = try recall(kernel, formerInterface) { return found }
    // The kernel caches its answers from above: nothing is asked twice.
    var view = kernel
    let evaluation = try PathEvaluator.evaluate(
      &view, probes: probes, user: user, formerInterface: formerInterface,
      firstQuestions: evaluations.last?.batches.first?.queries)
    if evaluations.count == Self.limit { evaluations.removeFirst() }
    let remembered = Remembered(evaluation, batches: sharingQuestions(evaluation.batches))
    evaluations.append(remembered)
    return remembered
  }

  /// The batches, with equal questions as one array in all evaluations: the kernel finds the answers to them without a
  /// comparison. The first questions of all evaluations are one array already.
  private func sharingQuestions(_ batches: [PathEvaluation.Batch]) -> [PathEvaluation.Batch] {
    if batches.count < 2 { return batches }
    var batches = batches
    for depth in 1..<batches.count {
      let known = evaluations.first { $0.batches.count > depth && $0.batches[depth].queries == batches[depth].queries }
      if let known { batches[depth].queries = known.batches[depth].queries }
    }
    return batches
  }

  /// Forgets all evaluations when the facts that they rest on have changed.
  private mutating func forgetOutdated(_ kernel: Kernel, _ policy: PolicyFacts) {
    if kernel.revision == revision, policy == self.policy { return }
    revision = kernel.revision
    if policy == self.policy, kernel.state == state, kernel.resolver == resolver, kernel.networkFacts == networkFacts {
      return
    }
    evaluations = []
    self.policy = policy
    (state, resolver, networkFacts) = (kernel.state, kernel.resolver, kernel.networkFacts)
  }

  /// Returns the cached evaluation all of whose questions the kernel answers as it did then, and moves it to the end.
  ///
  /// Evaluations with equal answers so far ask the same next, so each batch is asked once for all of them.
  private mutating func recall(_ kernel: Kernel, _ formerInterface: Int32?) throws(KernelPathError) -> Remembered? {
    // A bit for each cached evaluation.
    var candidates: UInt8 = 0
    for position in evaluations.indices where evaluations[position].canFollow(formerInterface) {
      candidates |= 1 << UInt8(position)
    }
    var depth = 0
    while candidates != 0 {
      let latest = UInt8.bitWidth - 1 - candidates.leadingZeroBitCount
      let found = evaluations[latest]
      if depth == found.batches.count {
        if found !== evaluations.last { evaluations.append(evaluations.remove(at: latest)) }
        return found
      }
      let queries = found.batches[depth].queries
      let asked = PathEvaluation.Batch(queries: queries, answers: try kernel.answers(to: queries))
      for position in evaluations.indices where !evaluations[position].asked(asked, at: depth) {
        candidates &= ~(1 << UInt8(position))
      }
      depth += 1
    }
    return nil
  }
}
