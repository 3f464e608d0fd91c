/// A mistake in a command line.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The mistake and a correct use, in one or two sentences.
  package var description: String

  /// An error with its text.
  package init(_ description: String) {
    self.description = description
  }

  /// The error for options of which a command line can have one.
  package init(exclusive options: [String]) {
    self.init("\(options.joined(separator: " and ")) exclude each other. Leave one of them out.")
  }

  /// The error for too few or too many operands; `nil` when their number is right.
  ///
  /// - Parameters:
  ///   - operands: The operands that were given.
  ///   - places: The operands of the usage line.
  ///   - taker: The taker of the operands, such as the name of the program.
  ///   - usage: A correct use.
  package init?(operands: [String], for places: [Placeholder], of taker: String, usage: @autoclosure () -> String) {
    if operands.count > places.count {
      self.init("'\(operands[places.count])' is one argument too many for '\(taker)'. Correct use: \(usage())")
    } else if let missing = places.dropFirst(operands.count).first(where: { !$0.isOptional }) {
      self.init("\(missing.name) is missing. Correct use: \(usage())")
    } else {
      return nil
    }
  }
}
