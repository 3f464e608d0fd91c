internal import PathModel

/// The latest different evaluations. An evaluation is a pure function: the same links, addresses, network facts and
/// answers lead to the same path. Networks go to and fro between few states, so most evaluations have been made before, and
/// comparing answers is quicker than concluding anew.
struct EvaluationMemory {
  private static let limit = 4

  private var state = KernelState()
  private var resolver = ResolverFacts.unknown("")
  private var networkFacts = NetworkFactsTable()
  /// The one that was right last comes last.
  private var evaluations: [PathEvaluation] = []

  /// Goes through the questions of the remembered evaluations as long as the kernel answers as it did then.
  ///
  /// - Returns: The evaluation that has all its answers confirmed, and whether it is the one that was right last; `nil`
  ///   when there is none. What the kernel has answered meanwhile it need not be asked again.
  mutating func recall<View: KernelView>(
    _ view: inout View
  ) throws(View.Failure) -> (evaluation: PathEvaluation, isLatest: Bool)? {
    if view.state != state || view.resolver != resolver || view.networkFacts != networkFacts {
      evaluations = []
      (state, resolver, networkFacts) = (view.state, view.resolver, view.networkFacts)
      return nil
    }
    var candidates = Array(evaluations.indices)
    var batch = 0
    while let first = candidates.first {
      // They agree in all answers so far, so they ask the same next.
      let answers = try view.answers(to: evaluations[first].batches[batch].queries)
      candidates.removeAll { evaluations[$0].batches[batch].answers != answers }
      batch += 1
      guard let first = candidates.first, evaluations[first].batches.count == batch else { continue }
      if first == evaluations.count - 1 { return (evaluations[first], true) }
      evaluations.append(evaluations.remove(at: first))
      return (evaluations[evaluations.count - 1], false)
    }
    return nil
  }

  /// Remembers an evaluation that was made by what `recall` has looked at.
  mutating func remember(_ evaluation: PathEvaluation) {
    if evaluations.count == Self.limit { evaluations.removeFirst() }
    evaluations.append(evaluation)
  }
}
