internal import KernelPath
internal import PathModel
internal import SystemIO

/// The path as one class of users has it: policy rules can send users different ways.
struct Perspective {
  /// The user who is asked for; `nil` for our own.
  let user: UInt32?
  /// The latest evaluation; its path says how far it can be trusted.
  private(set) var evaluation: PathEvaluation
  private var memory = EvaluationMemory()
  private var isStale = false
  /// Whether the evaluation is the latest one in the memory; the very first is not.
  private var isRemembered = false

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
  mutating func evaluate(_ kernel: inout Kernel, _ probes: ProbeAddresses) throws(KernelPathError) -> Bool {
    if let (known, isLatest) = try memory.recall(&kernel) {
      // Mostly it is looked once more to be sure, and nothing has changed.
      let isSame = isLatest && isRemembered && !isStale
      if !isSame { evaluation = known }
      return finish(isChange: !isSame)
    }
    let fresh = try PathEvaluator.evaluate(&kernel, probes: probes, user: user)
    memory.remember(fresh)
    evaluation = fresh
    return finish(isChange: true)
  }

  private mutating func finish(isChange: Bool) -> Bool {
    evaluation.path.boottimeMicroseconds = boottimeMicroseconds()
    (isStale, isRemembered) = (false, true)
    return isChange
  }

  /// Takes note that the kernel could not be asked: what is known was true.
  mutating func becomeStale() {
    evaluation.path.knowledge = .stale
    isStale = true
  }
}
