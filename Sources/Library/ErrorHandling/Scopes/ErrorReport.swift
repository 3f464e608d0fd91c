/// An error that a scope reports to a log.
public struct ErrorReport: Sendable, CustomStringConvertible {
  /// The reason for a report.
  public enum Kind: Hashable, Sendable {
    /// No handler stopped the error, and no presenter showed it.
    case unhandled
    /// Neither the error nor a cause of it has a category, so it counts as ``ErrorCategory/nonRetryable``. Debug builds
    /// report this once for each type. Conform the type to ``CategorizedError``.
    case unclassified
  }

  /// The reason for the report.
  public let kind: Kind
  /// The error, without attached options.
  public let error: any Error
  /// The category of the error.
  public let category: ErrorCategory
  /// The names of the scopes, from the one that was given the error to the outermost.
  public let scopes: [String]

  /// One line with the scopes, the error, its category and all causes, without control characters.
  public var description: String {
    let place = scopes.isEmpty ? "" : " in \(scopes.joined(separator: " < "))"
    let chain = ErrorCauses(of: error).map { String(describing: $0) }.joined(separator: "; caused by: ")
    let text =
      switch kind {
      case .unhandled: "unhandled error\(place) (\(category)): \(chain)"
      case .unclassified: "error without a category\(place): \(type(of: error)), treated as \(category): \(chain)"
      }
    return text.inOneLine
  }
}

/// The place where a scope writes what nobody handles.
public struct ErrorLog: Sendable {
  private let write: @Sendable (ErrorReport) -> Void

  /// A log that calls the closure, on any thread.
  public init(write: @escaping @Sendable (_ report: ErrorReport) -> Void) {
    self.write = write
  }

  /// Writes each report to standard error, in a line.
  public static let standardError = ErrorLog { report in
    StandardError.write(line: report.description)
  }

  /// The log of programs that entered no scope with a log. A debug build stops at an unhandled error.
  static let program = ErrorLog { report in
    standardError(report)
    if report.kind == .unhandled {
      assertionFailure("no scope handles this error; enter one with withErrorScope and a presenter or a log: \(report)")
    }
  }

  func callAsFunction(_ report: ErrorReport) {
    write(report)
  }
}
