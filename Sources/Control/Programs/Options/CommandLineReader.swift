internal import PathModel

/// Reads the arguments of a command line: operands, and options with their values.
///
/// The caller asks for one argument at a time, because an operand, such as a verb, can decide which options may follow.
/// This order also reports the first mistake in the line first.
package struct CommandLineReader<Effect: Sendable>: Sendable {
  /// An operand, or an option with its value.
  package enum Argument: Sendable {
    /// An argument that is not an option, or that stands behind `--`.
    case operand(String)
    /// An option and its value; the value is empty when the option takes none.
    case option(CommandLineOption<Effect>, value: String)
  }

  /// The arguments that are still to be read, in reverse order.
  private var rest: [String]
  private var acceptsOptions = true

  /// Whether the latest argument stands behind `--`.
  package var isBehindDashes: Bool { !acceptsOptions }

  /// A reader of the arguments after the program's name.
  package init(_ arguments: [String]) {
    rest = arguments.reversed()
  }

  /// The next argument; `nil` at the end.
  ///
  /// A value stands in the next argument or behind an equals sign: `--name value`, `--name=value`. Behind `--` there
  /// are only operands.
  ///
  /// - Parameters:
  ///   - options: The options that are known at this point.
  ///   - usage: A correct use, for the message about an unknown option.
  /// - Throws: ``UsageError`` that names the mistake and shows a correct use.
  package mutating func next(
    options: [CommandLineOption<Effect>], usage: @autoclosure () -> String
  ) throws(UsageError) -> Argument? {
    guard let argument = rest.popLast() else { return nil }
    guard acceptsOptions, argument.utf8.first == UInt8(ascii: "-"), argument != "-" else { return .operand(argument) }
    if argument == "--" {
      acceptsOptions = false
      return rest.popLast().map(Argument.operand)
    }
    let parts = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let option = Self.option(parts[0], among: options) else {
      let suggestion = Suggestion.text(for: parts[0], among: options.map(\.name))
      throw UsageError("there is no option '\(parts[0])'\(suggestion). Correct use: \(usage())")
    }
    return .option(option, value: try readValue(of: option, behindEqualsSign: parts.count == 2 ? parts[1] : nil))
  }

  private static func option(
    _ name: String, among options: [CommandLineOption<Effect>]
  ) -> CommandLineOption<Effect>? {
    // A loop in place of `first(where:)`: with a generic `Effect`, the lookup of that method at run time takes longer
    // than all of the parsing.
    for option in options where option.name == name || option.short == name || option.formerName == name {
      return option
    }
    return nil
  }

  private mutating func readValue(
    of option: CommandLineOption<Effect>, behindEqualsSign given: String?
  ) throws(UsageError) -> String {
    if option.value == nil {
      guard let given else { return "" }
      throw UsageError("\(option.name) takes no value, but got '\(given)'. Write just \(option.name).")
    }
    guard let value = given ?? rest.popLast() else {
      throw UsageError("\(option.usage) lacks its value. Write for example \(option.exampleOfUse).")
    }
    return value
  }
}

extension CommandLineReader.Argument: Equatable where Effect: Equatable {}
