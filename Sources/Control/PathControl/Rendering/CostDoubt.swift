internal import PathModel

/// The words about a path whose cost is undetermined because evidence could not be read.
enum CostDoubt {
  /// The reason why nobody can say whether the path is metered, and the next step; `nil` when the cost is determined.
  static func sentence(_ path: NetworkPath) -> String? {
    guard path.knowledge == .known, path.isExpenseUndetermined, let name = path.interfaces.first?.name.inOneLine else {
      return nil
    }
    let text = path.cost?.evidence.first { $0.verdict == .undetermined }?.text.inOneLine
    return (text ?? "whether \(name) is metered is not known: 'pathctl health' has the reason") + ". " + advice(name)
  }

  /// The next step for an administrator.
  static func advice(_ name: String) -> String {
    "Let the service read the file, or say Expensive=yes or Expensive=no for \(name): pathmonitor.conf(5)."
  }
}
