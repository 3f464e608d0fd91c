internal import KernelPath
internal import PathModel

/// The latest different evaluations. An evaluation is a pure function: the same links, addresses, network facts and
/// answers lead to the same path. Networks go to and fro between few states, so most evaluations have been made before, and
/// comparing answers is quicker than concluding anew.
struct EvaluationMemory {
  private static let limit = 4

  /// That of the kernel when it was looked at last.
  private var revision = -1
  private var policy = PolicyFacts()
  private var state = KernelState()
  private var resolver = ResolverFacts.unknown("")
  private var networkFacts = NetworkFactsTable()
  /// The one that was right last comes last.
  private var evaluations: [Remembered] = []

  /// An evaluation that is kept. An object, for it is handed on with every change.
  final class Remembered: Sendable {
    let evaluation: PathEvaluation
    /// Those of the evaluation. Equal questions are one array in all that is remembered: whoever is asked them knows
    /// them without looking.
    fileprivate let batches: [PathEvaluation.Batch]
    /// The interface that carries the traffic; `nil` when there is none.
    let primaryInterface: Int32?
    /// Whether the order of the interfaces depends on which one carried the traffic before.
    fileprivate let dependsOnFormerInterface: Bool

    /// An evaluation that is in no memory.
    convenience init(_ evaluation: PathEvaluation) {
      self.init(evaluation, evaluation.batches)
    }

    fileprivate init(_ evaluation: PathEvaluation, _ batches: [PathEvaluation.Batch]) {
      self.evaluation = evaluation
      self.batches = batches
      primaryInterface = evaluation.primaryInterface
      dependsOnFormerInterface = evaluation.dependsOnFormerInterface
    }
  }

  /// Which of the remembered evaluations is right.
  enum Recollection {
    /// None.
    case none
    /// The one that was right last.
    case latest
    /// One that was right before.
    case earlier
  }

  /// The one that was right last; there is one after something was remembered or recalled.
  var latest: Remembered { evaluations[evaluations.count - 1] }

  /// Goes through the questions of the remembered evaluations as long as the kernel answers as it did then.
  ///
  /// - Parameter formerInterface: The interface that carried the traffic before.
  /// - Returns: Which evaluation has all its answers confirmed; it is ``latest`` then. What the kernel has answered
  ///   meanwhile it need not be asked again.
  mutating func recall(_ kernel: Kernel, formerInterface: Int32?) throws(KernelPathError) -> Recollection {
    let policy = try kernel.policy()
    if kernel.revision != revision || policy != self.policy, takesNews(from: kernel, policy) { return .none }
    // The one that was right last is the most likely one. Those that agree in the first answers ask the same next, and what
    // has been answered for one of them is not asked again for the others.
    for position in evaluations.indices.reversed() where try holds(position, kernel, formerInterface) {
      if position == evaluations.count - 1 { return .latest }
      for later in position..<evaluations.count - 1 { evaluations.swapAt(later, later + 1) }
      return .earlier
    }
    return .none
  }

  /// Takes over what is other than it was, which makes all evaluations void. Returns whether anything is.
  private mutating func takesNews(from kernel: Kernel, _ policy: PolicyFacts) -> Bool {
    revision = kernel.revision
    if kernel.state == state, kernel.resolver == resolver, kernel.networkFacts == networkFacts, policy == self.policy {
      return false
    }
    evaluations = []
    self.policy = policy
    (state, resolver, networkFacts) = (kernel.state, kernel.resolver, kernel.networkFacts)
    return true
  }

  /// Whether the kernel answers as it did in an evaluation.
  private func holds(
    _ position: Int, _ kernel: Kernel, _ formerInterface: Int32?
  ) throws(KernelPathError) -> Bool {
    let remembered = evaluations[position]
    if remembered.dependsOnFormerInterface, remembered.primaryInterface != formerInterface { return false }
    for batch in remembered.batches where try kernel.answers(to: batch.queries) != batch.answers {
      return false
    }
    return true
  }

  /// Remembers an evaluation that was made by what `recall` has looked at.
  mutating func remember(_ evaluation: PathEvaluation) {
    if evaluations.count == Self.limit { evaluations.removeFirst() }
    let batches = evaluation.batches.map { batch in
      let known = evaluations.lazy.flatMap(\.batches).first { $0.queries == batch.queries }
      return PathEvaluation.Batch(queries: known?.queries ?? batch.queries, answers: batch.answers)
    }
    evaluations.append(Remembered(evaluation, batches))
  }
}
