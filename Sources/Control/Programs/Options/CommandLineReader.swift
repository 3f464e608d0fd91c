internal import PathModel

/// Reads the arguments of a command line: operands, and options with their values.
///
/// The caller asks for one operand at a time, because an operand, such as a verb, can decide which options may follow.
/// This order also reports the first mistake in the line first.
package struct CommandLineReader: Sendable {
  /// The arguments that are still to be read, in reverse order.
  private var arguments: [String]
  private var acceptsOptions = true

  /// The arguments that are still to be read.
  package var rest: [String] { arguments.reversed() }
  /// Whether the latest argument stands behind `--`.
  package var isBehindDashes: Bool { !acceptsOptions }

  /// A reader of the arguments after the program's name.
  package init(_ arguments: [String]) {
    self.arguments = arguments.reversed()
  }

  /// Applies the options before the next operand, and returns that operand; `nil` at the end.
  ///
  /// A value stands in the next argument or behind an equals sign: `--name value`, `--name=value`. Behind `--` there
  /// are only operands.
  ///
  /// - Parameters:
  ///   - target: The result of the command line, to which the options are applied.
  ///   - options: The options that are known at this point.
  ///   - usage: A correct use, for the message about an unknown option.
  /// - Throws: ``UsageError`` that names the mistake and shows a correct use.
  package mutating func nextOperand<Target>(
    into target: inout Target, _ options: [Option<Target>], usage: @autoclosure () -> String
  ) throws(UsageError) -> String? {
    while let argument = arguments.popLast() {
      guard acceptsOptions, argument.utf8.first == UInt8(ascii: "-"), argument != "-" else { return argument }
      if argument == "--" {
        acceptsOptions = false
        continue
      }
      let parts = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
      guard let position = options.indices.first(where: { options[$0].isCalled(parts[0]) }) else {
        let suggestion = Suggestion.text(for: parts[0], among: options.map(\.name))
        throw UsageError("there is no option '\(parts[0])'\(suggestion). Correct use: \(usage())")
      }
      let option = options[position]
      let value = try readValue(of: option, behindEqualsSign: parts.count == 2 ? parts[1] : nil)
      try option.apply(&target, OptionValue(value, of: option))
    }
    return nil
  }

  /// Applies all options of the rest of the line, and returns its operands.
  package mutating func operands<Target>(
    into target: inout Target, _ options: [Option<Target>], usage: @autoclosure () -> String
  ) throws(UsageError) -> [String] {
    var operands: [String] = []
    while let operand = try nextOperand(into: &target, options, usage: usage()) { operands.append(operand) }
    return operands
  }

  private mutating func readValue<Target>(
    of option: Option<Target>, behindEqualsSign given: String?
  ) throws(UsageError) -> String {
    if option.placeholder == nil {
      guard let given else { return "" }
      throw UsageError("\(option.name) takes no value, but got '\(given)'. Write just \(option.name).")
    }
    guard let value = given ?? arguments.popLast() else {
      throw UsageError("\(option.usage) lacks its value. Write for example \(option.exampleOfUse).")
    }
    return value
  }
}
