/// A command line that was not understood.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong and how it is right, in one sentence or two.
  package var description: String

  /// An error with its text.
  package init(_ description: String) {
    self.description = description
  }

  /// The error for operands that are too few or too many; `nil` when their number is right.
  ///
  /// - Parameters:
  ///   - operands: What was given.
  ///   - names: What the operands are called in the usage line; those in brackets may be left out.
  ///   - taker: Who takes them, such as the name of the program.
  ///   - usage: A correct use.
  package init?(operands: [String], for names: [String], of taker: String, usage: @autoclosure () -> String) {
    if operands.count > names.count {
      self.init("'\(operands[names.count])' is one argument too many for '\(taker)'. Correct use: \(usage())")
    } else if let missing = names.dropFirst(operands.count).first(where: { !$0.hasPrefix("[") }) {
      self.init("\(missing) is missing. Correct use: \(usage())")
    } else {
      return nil
    }
  }
}
