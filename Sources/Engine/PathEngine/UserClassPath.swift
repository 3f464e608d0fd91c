internal import KernelPath
internal import PathDecisions
internal import PathModel
internal import SystemIO

/// The path of one class of users. Policy rules can route users differently.
final class UserClassPath {
  /// The user whom lookups name; `nil` for our own.
  let user: UInt32?
  /// The latest path, with its time and its knowledge.
  private(set) var path: NetworkPath
  private var latest: EvaluationMemory.Remembered
  private var memory = EvaluationMemory()
  /// The links over which the traffic last left; see ``PathEvaluation/carriers``.
  private(set) var formerCarriers: [Int32]
  private var isStale = false

  /// The latest evaluation.
  var evaluation: PathEvaluation { latest.evaluation }
  /// The routers by which the kernel chooses the routes of the latest evaluation.
  var routers: RouterWatch { latest.routers }
  /// The time after which the path may change without an event; `nil` when it may not.
  var reevaluateAfter: Duration? { latest.reevaluateAfter }

  /// Evaluates for the first time.
  init(
    of user: UInt32?, _ kernel: Kernel, _ probes: ProbeAddresses
  ) throws(KernelPathError) {
    self.user = user
    latest = try memory.evaluate(kernel, probes, user: user, formerCarriers: [])
    formerCarriers = latest.evaluation.carriers
    path = latest.path
    path.boottimeMicroseconds = boottimeMicroseconds()
  }

  /// Evaluates again.
  ///
  /// - Returns: Whether the path may have changed.
  func evaluate(_ kernel: Kernel, _ probes: ProbeAddresses) throws(KernelPathError) -> Bool {
    let found = try memory.evaluate(kernel, probes, user: user, formerCarriers: formerCarriers)
    // Most evaluations only confirm the last one.
    let isOther = isStale || found !== latest
    if isOther {
      (latest, path) = (found, found.path)
      if !found.evaluation.carriers.isEmpty { formerCarriers = found.evaluation.carriers }
    }
    path.boottimeMicroseconds = boottimeMicroseconds()
    isStale = false
    return isOther
  }

  /// Forgets the oldest evaluations beyond the limit.
  func forgetOldEvaluations() { memory.forgetOld() }

  /// Marks the path as stale, because the kernel could not be asked.
  func becomeStale() {
    path.knowledge = .stale
    isStale = true
  }
}
