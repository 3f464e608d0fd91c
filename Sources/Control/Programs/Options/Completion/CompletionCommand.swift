/// The hidden command that the completion function of a shell calls: `pathctl __complete zsh WORD...`.
package enum CompletionCommand {
  /// The first argument.
  package static let name = "__complete"

  /// The answer to the arguments; `nil` when they are not this command.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the process.
  ///   - program: The program whose command line is completed.
  ///   - interfaces: Lists the interfaces of the machine.
  /// - Throws: ``UsageError`` for a shell that is not known.
  package static func answer(
    to arguments: [String], of program: @autoclosure () -> CompletedProgram, interfaces: () -> [String]
  ) throws(UsageError) -> String? {
    guard arguments.first == name else { return nil }
    guard arguments.count > 1, let shell = CompletingShell(rawValue: arguments[1]) else {
      let shells = CompletingShell.allCases.map(\.rawValue).joined(separator: "|")
      throw UsageError("the shell is not known. Correct use: \(name) \(shells) WORD...")
    }
    return shell.answer(of: program(), to: Array(arguments.dropFirst(2)), interfaces: interfaces)
  }
}
