internal import PathModel
package import Programs

/// Options that several verbs take.
extension Option where Target: Verb {
  /// The options of every verb.
  package static var everywhere: [Option] {
    [
      Option("--help", short: "-h", summary: "Show help") { $0.invocation.wantsHelp = true },
      Option("--version", short: "-V", summary: "Show the version") { $0.invocation.wantsVersion = true },
    ]
  }
  /// The options of verbs that show the path.
  package static var forQuestions: [Option] { [json, settle, probe, configuration, direct, socket] }
  /// The options of verbs that judge the path.
  static var forRequirements: [Option] { [json, probe, configuration, direct, socket] }
  /// The options of verbs that run programs while they follow the path.
  static var forPrograms: [Option] { [probe, configuration, direct, socket] }

  static var json: Option {
    Option("--json", summary: "Print JSON, one object a line") { $0.invocation.use(.json, "--json") }
  }
  static var settle: Option {
    Option(
      "--settle", .time, example: "200ms",
      summary: "How long a change must last before it is shown; 0 = show it at once"
    ) { (verb, value) throws(UsageError) in verb.invocation.settle = try value.time() }
  }
  static var probe: Option {
    Option(
      "--sample-address", formerName: "--probe", .address, example: "10.0.0.1",
      summary: "Its route stands for the Internet; may be repeated; implies --direct"
    ) { (verb, value) throws(UsageError) in
      try value.add(to: &verb.invocation.sampleAddresses)
      // The service has its own, so the kernel is asked directly.
      verb.invocation.isDirect = true
    }
  }
  static var configuration: Option {
    Option(
      "--config", .path, example: "/tmp/test.conf",
      summary: "Read this configuration, not the usual one; implies --direct"
    ) { (verb, value) throws(UsageError) in
      verb.invocation.configurationPath = try value.path()
      // The service has its own, so the kernel is asked directly.
      verb.invocation.isDirect = true
    }
  }
  static var direct: Option {
    Option("--direct", summary: "Ask the kernel instead of the service") { $0.invocation.isDirect = true }
  }
  static var socket: Option {
    Option(
      "--socket", .path, example: "~/.pathmonitor/socket",
      summary: "Where the service listens; also PATHMONITOR_SOCKET in the environment"
    ) { (verb, value) throws(UsageError) in verb.invocation.socketPath = try value.path() }
  }
  static var field: Option {
    Option(
      "--field", Placeholder("FIELD", .words(PathField.names)), example: "interface",
      summary: "Print one value alone: a field of the path, or 'interface'"
    ) { (verb, value) throws(UsageError) in verb.invocation.use(.field(try value.field()), "--field") }
  }
  static var format: Option {
    Option(
      "--format", Placeholder("FORMAT", .words(["waybar"])), example: "'{kind} {interface}'",
      summary: "Print a line for a status bar: 'waybar', or a text with {NAME} in it"
    ) { (verb, value) throws(UsageError) in verb.invocation.use(try value.format(), "--format") }
  }
  static var quiet: Option {
    Option("--quiet", short: "-q", summary: "Print nothing but mistakes: the exit status is the answer") {
      $0.invocation.isQuiet = true
    }
  }
  /// The option of verbs that give up after a time.
  static func timeout(_ set: @escaping @Sendable (inout Target, Duration) -> Void) -> Option {
    Option(
      "--timeout", .time, example: "30s",
      summary: "Give up after so long, with exit status 124; 0 = take the path as it is"
    ) { (verb, value) throws(UsageError) in set(&verb, try value.time()) }
  }
  static func noPager(_ set: @escaping @Sendable (inout Target) -> Void) -> Option {
    Option("--no-pager", summary: "Do not show the output in a pager", apply: set)
  }
}

extension OptionValue {
  /// The field of a path in the value.
  fileprivate func field() throws(UsageError) -> PathField {
    guard let field = PathField(name: text) else {
      throw UsageError(
        """
        \(text.quotedInLine) is no field of a path\(Suggestion.text(for: text, among: PathField.names)). \
        The fields are \(PathField.names.joined(separator: ", ")).
        """)
    }
    return field
  }

  /// The form of output in the value.
  fileprivate func format() throws(UsageError) -> PathForm {
    if text == "waybar" { return .waybar }
    do throws(PathTemplate.ParseError) {
      return .template(try PathTemplate(text))
    } catch {
      throw rejected(as: "format", because: error.reason)
    }
  }
}
