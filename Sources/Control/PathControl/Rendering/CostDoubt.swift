internal import PathModel

/// The words about a path that may or may not be as required. Its cost is undetermined because evidence could not be
/// read, or nobody knows whether the Internet answers.
enum CostDoubt {
  /// The reason why nobody can say whether the path is metered, and the next step; `nil` when the cost is determined.
  static func sentence(_ path: NetworkPath) -> String? {
    guard path.knowledge == .known, path.isExpenseUndetermined, let name = path.interfaces.first?.name.inOneLine else {
      return nil
    }
    let piece = path.cost?.evidence.first { $0.verdict == .undetermined }
    let text = piece?.text.inOneLine ?? "whether \(name) is metered is not known: 'pathctl health' has the reason"
    return text + ". "
      + (piece?.source == .configuration
        ? "Correct the file, which 'pathmonitord --check-config' checks, then 'systemctl reload pathmonitord'."
        : "Let the service read the file, or say Expensive=yes or Expensive=no for \(name): pathmonitor.conf(5).")
  }

  /// The reason why a requirement has no verdict on a path, with the next step; `nil` when the path is not known.
  static func reasonWithoutVerdict(_ path: NetworkPath) -> String? {
    if let doubt = sentence(path) { return doubt }
    guard path.knowledge == .known else { return nil }
    return "whether the Internet answers is not known. 'pathctl explain' shows what is, and 'pathctl validate' asks."
  }
}
