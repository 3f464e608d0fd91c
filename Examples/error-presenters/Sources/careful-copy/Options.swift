import ErrorHandling

/// The command line.
struct Options: Equatable {
  var source = ""
  var target = ""
  /// The option that is chosen at the first error that offers it; for scripts.
  var choice: RecoveryOption.ID?
  var isJSON = false
  var wantsHelp = false

  static let usage = """
    careful-copy [--json] [--choose OPTION] SOURCE TARGET

    Copies a file. On a terminal it shows errors with a menu, elsewhere in one line, and with --json as a line of JSON.
    --choose names the option to take, such as replace, keep-both or try-again.
    """

  /// A mistake in the command line, with a correct use.
  struct UsageError: Error, Equatable {
    var sentence: String
  }

  /// Parses the arguments that follow the name of the program.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    var files: [String] = []
    while let argument = rest.popFirst() {
      switch argument {
      case "--help": wantsHelp = true
      case "--json": isJSON = true
      case "--choose":
        guard let name = rest.popFirst() else {
          throw UsageError(sentence: "--choose needs a value, such as --choose replace")
        }
        choice = RecoveryOption.ID(name)
      case "--":
        files += rest
        rest = []
      case _ where argument.hasPrefix("-"):
        throw UsageError(sentence: "'\(argument)' is not known; allowed: --json, --choose OPTION, --help")
      default: files.append(argument)
      }
    }
    if wantsHelp { return }
    guard files.count == 2 else {
      throw UsageError(sentence: "it needs two files, as in: careful-copy letter.txt copy.txt")
    }
    (source, target) = (files[0], files[1])
  }
}
