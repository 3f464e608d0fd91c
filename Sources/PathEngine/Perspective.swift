internal import KernelPath
internal import PathModel
internal import SystemIO

/// The path as one class of users has it: policy rules can send users different ways.
final class Perspective {
  /// The user who is asked for; `nil` for our own.
  let user: UInt32?
  /// The latest path, with its time and how far it can be trusted.
  private(set) var path: NetworkPath
  private var latest: EvaluationMemory.Remembered
  private var memory = EvaluationMemory()
  private var isStale = false
  /// Whether the evaluation is the latest one in the memory; the very first is not.
  private var isRemembered = false

  /// The latest evaluation.
  var evaluation: PathEvaluation { latest.evaluation }

  /// Evaluates for the first time.
  init(
    of user: UInt32?, _ kernel: Kernel, _ probes: ProbeAddresses
  ) throws(KernelPathError) {
    var kernel = kernel
    self.user = user
    latest = .init(try PathEvaluator.evaluate(&kernel, probes: probes, user: user))
    path = latest.evaluation.path
    path.boottimeMicroseconds = boottimeMicroseconds()
  }

  /// Evaluates again.
  ///
  /// - Returns: Whether the path may be another than it was.
  func evaluate(_ kernel: Kernel, _ probes: ProbeAddresses) throws(KernelPathError) -> Bool {
    let formerInterface = latest.primaryInterface
    switch try memory.recall(kernel, formerInterface: formerInterface) {
    // Mostly it is looked once more to be sure, and nothing has changed.
    case .latest where isRemembered && !isStale: return finish(isChange: false)
    case .latest, .earlier: break
    case .none:
      var view = kernel
      memory.remember(
        try PathEvaluator.evaluate(&view, probes: probes, user: user, formerInterface: formerInterface))
    }
    latest = memory.latest
    path = latest.evaluation.path
    return finish(isChange: true)
  }

  private func finish(isChange: Bool) -> Bool {
    path.boottimeMicroseconds = boottimeMicroseconds()
    (isStale, isRemembered) = (false, true)
    return isChange
  }

  /// Takes note that the kernel could not be asked: what is known was true.
  func becomeStale() {
    path.knowledge = .stale
    isStale = true
  }
}
