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
  var latest: PathEvaluation { evaluations[evaluations.count - 1] }

  /// Goes through the questions of the remembered evaluations as long as the kernel answers as it did then.
  ///
  /// - Returns: Which evaluation has all its answers confirmed; it is ``latest`` then. What the kernel has answered
  ///   meanwhile it need not be asked again.
  mutating func recall<View: KernelView>(
    _ view: inout View
  ) throws(View.Failure) -> Recollection {
    if view.state != state || view.resolver != resolver || view.networkFacts != networkFacts {
      evaluations = []
      (state, resolver, networkFacts) = (view.state, view.resolver, view.networkFacts)
      return .none
    }
    // The one that was right last is the most likely one. Those that agree in the first answers ask the same next, and what
    // has been answered for one of them is not asked again for the others.
    for position in evaluations.indices.reversed() where try holds(position, &view) {
      if position == evaluations.count - 1 { return .latest }
      evaluations.append(evaluations.remove(at: position))
      return .earlier
    }
    return .none
  }

  /// Whether the kernel answers as it did in an evaluation.
  private func holds<View: KernelView>(_ position: Int, _ view: inout View) throws(View.Failure) -> Bool {
    for batch in evaluations[position].batches.indices {
      let answers = try view.answers(to: evaluations[position].batches[batch].queries)
      if answers != evaluations[position].batches[batch].answers { return false }
    }
    return true
  }

  /// Remembers an evaluation that was made by what `recall` has looked at.
  mutating func remember(_ evaluation: PathEvaluation) {
    if evaluations.count == Self.limit { evaluations.removeFirst() }
    evaluations.append(evaluation)
  }
}
