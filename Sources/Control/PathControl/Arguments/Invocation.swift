package import PathModel
package import Programs

/// A parsed command line.
package struct Invocation: Sendable {
  /// The verb with its arguments.
  package var order: any VerbOrder = StatusOrder()
  /// The form in which a path is printed.
  package var form = PathForm.picture
  /// Whether to print JSON.
  package var isJSON: Bool { form == .json }
  /// Whether to print nothing but mistakes.
  package var isQuiet = false
  /// The settle time; `nil` for the default of the verb.
  package var settle: Duration?
  /// The probes that options name; `nil` for the standard ones.
  package var probes: ProbeAddresses?
  /// Whether the kernel is asked without the service.
  package var isDirect = false
  /// The configuration file; `nil` for the usual ones.
  package var configurationPath: String?
  /// The socket of the service; `nil` for the usual one.
  package var socketPath: String?
  /// Whether the exit status is for `ExecCondition=`.
  package var isCondition = false
  /// Whether the answer is for a monitoring system; see ``MonitoringLine``.
  package var isForMonitoring = false

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` that names the mistake and shows a correct use.
  package init(arguments: [String]) throws(UsageError) {
    var parser = ArgumentParser(arguments)
    self = try parser.parse()
  }

  /// The command line without arguments.
  init() {}
}
