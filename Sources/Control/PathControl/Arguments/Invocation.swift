package import PathModel
internal import Programs

/// The values of the options that several verbs of a command line share.
package struct Invocation: Sendable {
  /// The forms in which options ask for a path, each with its option.
  package private(set) var forms: [(form: PathForm, option: String)] = []
  /// The form in which a path is printed.
  package var form: PathForm { forms.first?.form ?? .picture }
  /// Whether to print JSON.
  package var isJSON: Bool { form == .json }
  /// Whether to print nothing but mistakes.
  package var isQuiet = false
  /// The settle time; `nil` for the default of the verb.
  package var settle: Duration?
  /// The sample addresses that options name.
  var sampleAddresses: [IPAddress] = []
  /// The probes that options name; `nil` for the standard ones.
  package var probes: ProbeAddresses? { sampleAddresses.isEmpty ? nil : ProbeAddresses(sampleAddresses) }
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
  /// Whether help is asked for.
  var wantsHelp = false
  /// Whether the version is asked for.
  var wantsVersion = false
  /// The words of the command line but the verb, as they were typed.
  package internal(set) var words: [String] = []

  /// The values without options.
  package init() {}

  /// Prints a path in the form that an option names.
  mutating func use(_ form: PathForm, _ option: String) {
    forms.removeAll { $0.option == option }
    forms.append((form, option))
  }

  /// Refuses options that exclude each other.
  func refuseContradictions() throws(UsageError) {
    if isForMonitoring, let other = forms.first?.option ?? (isQuiet ? "--quiet" : nil) {
      throw UsageError(exclusive: ["--nagios", other])
    }
    if isForMonitoring, isCondition { throw UsageError(exclusive: ["--nagios", "--condition"]) }
    if forms.count > 1 { throw UsageError(exclusive: forms.map(\.option)) }
  }
}
