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

    fileprivate init(_ evaluation: PathEvaluation) {
      self.evaluation = evaluation
      batches = evaluation.batches
      primaryInterface = evaluation.primaryInterface
      dependsOnFormerInterface = evaluation.dependsOnFormerInterface
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
    let evaluation = Remembered(
      try PathEvaluator.evaluate(&view, probes: probes, user: user, formerInterface: formerInterface))
    if evaluations.count == Self.limit { evaluations.removeFirst() }
    evaluations.append(evaluation)
    return evaluation
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
  private mutating func recall(
    _ kernel: Kernel, _ formerInterface: Int32?
  ) throws(KernelPathError) -> Remembered? {
    var candidates = evaluations.filter { $0.canFollow(formerInterface) }
    var depth = 0
    while let candidate = candidates.last {
      guard depth < candidate.batches.count else {
        evaluations.removeAll { $0 === candidate }
        evaluations.append(candidate)
        return candidate
      }
      // Evaluations with equal answers so far ask the same next.
      let queries = candidate.batches[depth].queries
      let answers = try kernel.answers(to: queries)
      candidates.removeAll { $0.batches.count <= depth || $0.batches[depth].answers != answers }
      depth += 1
    }
    return nil
  }
}
