internal import KernelPath
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The path of one class of users. Policy rules can route users differently.
///
/// The latest evaluation is the only memory of the kernel's answers. It holds as long as the facts that it rests on
/// stay the same and the kernel gives the same answers again. Everything else is evaluated anew.
final class UserClassPath {
  /// The facts of an evaluation besides the kernel's answers.
  private struct Basis: Equatable {
    var situation: Situation
    /// The links over which the traffic left before.
    var formerCarriers: [Int32]
  }

  /// The user whom lookups name; `nil` for our own.
  let user: UInt32?
  /// The latest path, with its cause, its time and its knowledge.
  private(set) var path: NetworkPath
  /// The latest evaluation.
  private(set) var evaluation: PathEvaluation
  /// The links over which the traffic last left; see ``PathDecisions/PathEvaluation/carriers``.
  private(set) var formerCarriers: [Int32] = []
  /// The facts of the latest evaluation; `nil` when it must not be used again.
  private var basis: Basis?

  /// Evaluates for the first time.
  init(of user: UInt32?, _ kernel: Kernel, _ probes: ProbeAddresses) throws(KernelPathError) {
    self.user = user
    try kernel.readRules()
    let basis = Basis(situation: kernel.situation, formerCarriers: [])
    var view = kernel
    evaluation = try PathEvaluator.evaluate(&view, probes: probes, user: user)
    path = evaluation.path
    keep(evaluation, of: kernel, basis)
  }

  /// Evaluates again, unless the kernel confirms the latest evaluation.
  ///
  /// - Parameter family: The only family whose routes may have changed; `nil` if anything may have.
  /// - Returns: Whether the path may have changed.
  func evaluate(
    _ kernel: Kernel, _ probes: ProbeAddresses, of family: IPAddress.Family? = nil
  ) throws(KernelPathError) -> Bool {
    try kernel.readRules()
    let present = Basis(situation: kernel.situation, formerCarriers: formerCarriers)
    var view = kernel
    var asked: [PathEvaluation.Batch] = []
    if basis == present {
      guard let batches = try evaluation.batchesUpToChange(in: &view, of: family) else {
        path.boottimeMicroseconds = boottimeMicroseconds()
        return false
      }
      asked = batches
    }
    let next = try PathEvaluator.evaluate(
      &view, probes: probes, user: user, formerCarriers: formerCarriers, asked: asked)
    keep(next, of: kernel, present)
    return true
  }

  /// Keeps an evaluation as the latest one, with the cause of its path.
  private func keep(_ evaluation: PathEvaluation, of kernel: Kernel, _ basis: Basis) {
    let routing = evaluation.needsRules ? kernel.briefRoutingFacts(for: evaluation, user: user) : RoutingFacts()
    self.evaluation = evaluation
    // No message and no answer announces a change of sysctls, tables and other readings.
    self.basis = evaluation.restsOnReadings || routing.restsOnTables ? nil : basis
    path = evaluation.path.caused(by: kernel.cause(of: evaluation, path: evaluation.path, routing: routing))
    path.boottimeMicroseconds = boottimeMicroseconds()
    if !evaluation.carriers.isEmpty { formerCarriers = evaluation.carriers }
  }

  /// Marks the path as stale, because the kernel could not be asked.
  func becomeStale() {
    path.knowledge = .stale
    basis = nil
  }
}
