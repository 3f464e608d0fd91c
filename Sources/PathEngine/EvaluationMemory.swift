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
    let evaluation = try PathEvaluator.evaluate(&view, probes: probes, user: user, formerInterface: formerInterface)
    if evaluations.count == Self.limit { evaluations.removeFirst() }
    // Equal questions are one array in all evaluations, so that the kernel finds its answers without a comparison.
    let batches = evaluation.batches.map { batch in
      let known = evaluations.lazy.flatMap { $0.batches }.first { $0.queries == batch.queries }
      return PathEvaluation.Batch(queries: known?.queries ?? batch.queries, answers: batch.answers)
    }
    let remembered = Remembered(evaluation, batches: batches)
    evaluations.append(remembered)
    return remembered
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
    // Evaluations with equal answers so far ask the same next, so each batch is asked once for all of them.
    var asked: [PathEvaluation.Batch] = []
    for position in evaluations.indices.reversed() where evaluations[position].canFollow(formerInterface) {
      guard try holds(evaluations[position], kernel, &asked) else { continue }
      let found = evaluations.remove(at: position)
      evaluations.append(found)
      return found
    }
    return nil
  }

  /// Whether the kernel answers all questions of an evaluation as it did then.
  ///
  /// - Parameter asked: The batches that have been asked; those that are asked here are added.
  private func holds(
    _ remembered: Remembered, _ kernel: Kernel, _ asked: inout [PathEvaluation.Batch]
  ) throws(KernelPathError) -> Bool {
    for (depth, batch) in remembered.batches.enumerated() {
      if depth == asked.count {
        asked.append(PathEvaluation.Batch(queries: batch.queries, answers: try kernel.answers(to: batch.queries)))
      }
      if asked[depth] != batch { return false }
    }
    return true
  }
}
