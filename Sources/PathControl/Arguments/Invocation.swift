package import CommandLineOptions
package import PathModel

/// A command line that has been understood.
package struct Invocation: Sendable {
  /// The verb with its arguments.
  package var order: any VerbOrder = StatusOrder()
  /// Whether to print JSON.
  package var isJSON = false
  /// How long a change must rest; `nil` for the verb's own.
  package var settle: Duration?
  /// The probes that were named; `nil` for the standard ones.
  package var probes: ProbeAddresses?
  /// Whether the service is not to be asked.
  package var isDirect = false
  /// The configuration file; `nil` for the usual ones.
  package var configurationPath: String?
  /// Where the service listens; `nil` for the usual place.
  package var socketPath: String?
  /// Whether the exit status is for `ExecCondition=`.
  package var isCondition = false

  /// Understands the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` with what was wrong and a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var parser = ArgumentParser(arguments)
    self = try parser.parse()
  }

  /// The command line without arguments.
  init() {}
}
