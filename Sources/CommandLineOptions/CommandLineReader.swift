internal import PathModel

/// Goes through the arguments of a command line: operands, and options with their values.
///
/// It is asked for one argument at a time, because what options there are may depend on an operand that stands before
/// them, and so that the first mistake in the line is the one that is told.
package struct CommandLineReader<Effect: Sendable>: Sendable {
  /// An argument, or two that belong together.
  package enum Argument: Sendable {
    /// What is no option, or stands behind `--`.
    case operand(String)
    /// An option and its value; the value is empty when the option takes none.
    case option(CommandLineOption<Effect>, value: String)
  }

  /// The last comes first.
  private var rest: [String]
  private var acceptsOptions = true

  /// Whether the argument that came last stands behind `--`.
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
  /// - Throws: ``UsageError`` with what was wrong and a correct use.
  package mutating func next(
    options: [CommandLineOption<Effect>], usage: @autoclosure () -> String
  ) throws(UsageError) -> Argument? {
    guard let argument = rest.popLast() else { return nil }
    guard acceptsOptions, argument.hasPrefix("-"), argument != "-" else { return .operand(argument) }
    if argument == "--" {
      acceptsOptions = false
      return rest.popLast().map(Argument.operand)
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = Self.option(parts[0], among: options) else {
      let suggestion = Suggestion.text(for: parts[0], among: options.map(\.name))
      throw UsageError("there is no option '\(parts[0])'\(suggestion). Correct use: \(usage())")
    }
    return .option(option, value: try takeValue(of: option, behindEqualsSign: parts.count == 2 ? parts[1] : nil))
  }

  private static func option(
    _ name: String, among options: [CommandLineOption<Effect>]
  ) -> CommandLineOption<Effect>? {
    // Not `first(where:)`: with the effect's type open it is looked up when the program runs, which takes longer than all
    // of the parsing.
    for option in options where option.name == name || option.short == name { return option }
    return nil
  }

  private mutating func takeValue(
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
