internal import KernelPath
internal import PathModel
internal import SystemIO

/// The path as one class of users has it: policy rules can send users different ways.
final class UserClassPath {
  /// The user who is asked for; `nil` for our own.
  let user: UInt32?
  /// The latest path, with its time and how far it can be trusted.
  private(set) var path: NetworkPath
  private var latest: EvaluationMemory.Remembered
  private var memory = EvaluationMemory()
  private var isStale = false

  /// The latest evaluation.
  var evaluation: PathEvaluation { latest.evaluation }

  /// Evaluates for the first time.
  init(
    of user: UInt32?, _ kernel: Kernel, _ probes: ProbeAddresses
  ) throws(KernelPathError) {
    self.user = user
    latest = try memory.evaluate(kernel, probes, user: user, formerInterface: nil)
    path = latest.evaluation.path
    path.boottimeMicroseconds = boottimeMicroseconds()
  }

  /// Evaluates again.
  ///
  /// - Returns: Whether the path may be another than it was.
  func evaluate(_ kernel: Kernel, _ probes: ProbeAddresses) throws(KernelPathError) -> Bool {
    let found = try memory.evaluate(kernel, probes, user: user, formerInterface: latest.primaryInterface)
    // Mostly it is looked once more to be sure, and nothing has changed.
    let isChange = isStale || found !== latest
    if isChange { (latest, path) = (found, found.evaluation.path) }
    path.boottimeMicroseconds = boottimeMicroseconds()
    isStale = false
    return isChange
  }

  /// Takes note that the kernel could not be asked: what is known was true.
  func becomeStale() {
    path.knowledge = .stale
    isStale = true
  }
}
