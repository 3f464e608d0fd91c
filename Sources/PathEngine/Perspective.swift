internal import KernelPath
internal import PathModel
internal import SystemIO

/// The path as one class of users has it: policy rules can send users different ways.
final class Perspective {
  /// The user who is asked for; `nil` for our own.
  let user: UInt32?
  /// The latest evaluation; its path says how far it can be trusted.
  private(set) var evaluation: PathEvaluation
  private var memory = EvaluationMemory()
  private var isStale = false
  /// Whether the evaluation is the latest one in the memory; the very first is not.
  private var isRemembered = false

  /// The latest path.
  var path: NetworkPath { evaluation.path }

  /// Evaluates for the first time.
  init(
    of user: UInt32?, _ kernel: inout Kernel, _ probes: ProbeAddresses
  ) throws(KernelPathError) {
    self.user = user
    evaluation = try PathEvaluator.evaluate(&kernel, probes: probes, user: user)
    evaluation.path.boottimeMicroseconds = boottimeMicroseconds()
  }

  /// Evaluates again.
  ///
  /// - Returns: Whether the path may be another than it was.
  func evaluate(_ kernel: inout Kernel, _ probes: ProbeAddresses) throws(KernelPathError) -> Bool {
    switch try memory.recall(&kernel) {
    // Mostly it is looked once more to be sure, and nothing has changed.
    case .latest where isRemembered && !isStale: return finish(isChange: false)
    case .latest, .earlier: break
    case .none: memory.remember(try PathEvaluator.evaluate(&kernel, probes: probes, user: user))
    }
    evaluation = memory.latest
    return finish(isChange: true)
  }

  private func finish(isChange: Bool) -> Bool {
    evaluation.path.boottimeMicroseconds = boottimeMicroseconds()
    (isStale, isRemembered) = (false, true)
    return isChange
  }

  /// Takes note that the kernel could not be asked: what is known was true.
  func becomeStale() {
    evaluation.path.knowledge = .stale
    isStale = true
  }
}
