import PathControl
import PathModel
import Programs
import Testing

@Suite("Command lines")
struct InvocationTests {
  private static func parse(_ line: String) throws(UsageError) -> any Verb {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init))
  }

  /// The verb of a line, of the given type.
  private static func parse<Expected: Verb>(_ line: String, as type: Expected.Type) throws -> Expected {
    try #require(try parse(line) as? Expected, "\(line)")
  }

  private static func message(_ line: String) -> String? {
    do throws(UsageError) {
      _ = try ArgumentParser.parse(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("", "status"), ("-- watch", "watch"), ("--version", "version"), ("-V", "version"), ("watch --version", "version"),
    ("--help", "help"), ("-h", "help"), ("watch --help", "help"),
  ])
  func `without a verb it is status, and help and version come before any verb`(line: String, name: String) throws {
    #expect(type(of: try Self.parse(line)).name == name)
  }

  @Test(arguments: names)
  func `a verb is called by its name or a synonym, with its operands`(name: String) throws {
    let verb = try Verbs.named(name)
    let operands = verb.operands.filter { !$0.isOptional }.map { place in
      if case .words(let words) = place.completion { return words.last ?? "" }
      return place.completion == .requirement ? "wifi" : "operand"
    }
    for word in [name] + verb.synonyms {
      let words = [word] + operands + (verb.takesCommand ? ["--", "true"] : [])
      #expect(type(of: try ArgumentParser.parse(words)) == verb)
    }
  }

  private static let names = Verbs.all.map { $0.name }

  @Test func `operands and options of a verb are its own values`() throws {
    #expect(try Self.parse("interfaces", as: InterfacesVerb.self).name == nil)
    #expect(try Self.parse("interfaces eth0", as: InterfacesVerb.self).name == "eth0")
    #expect(try Self.parse("route example.org", as: RouteVerb.self).host == "example.org")
    #expect(try Self.parse("route -- -odd-name", as: RouteVerb.self).host == "-odd-name")
    #expect(try Self.parse("explain", as: ExplainVerb.self).isPaged)
    let explain = try Self.parse("explain intranet --no-pager", as: ExplainVerb.self)
    #expect(explain.host == "intranet" && !explain.isPaged)
    let watch = try Self.parse("watch --count 3 --timeout 1min", as: WatchVerb.self)
    #expect(watch.limits.count == 3 && watch.limits.timeout == .seconds(60) && watch.command == nil)
    #expect(try Self.parse("hooks", as: HooksVerb.self).directory == HookDirectory())
    #expect(try Self.parse("hooks", as: HooksVerb.self).limit == .seconds(90))
    let hooks = try Self.parse("hooks --directory /tmp/hooks --timeout 5s", as: HooksVerb.self)
    #expect(hooks.directory == HookDirectory("/tmp/hooks") && hooks.limit == .seconds(5))
  }

  @Test(
    arguments: [
      ("metrics", .text(.prometheus)), ("metrics --openmetrics", .text(.openMetrics)),
      ("metrics --textfile /tmp/path.prom", .file("/tmp/path.prom")),
    ] as [(String, MetricsVerb.Output)])
  func `metrics go where an option says`(line: String, output: MetricsVerb.Output) throws {
    #expect(try Self.parse(line, as: MetricsVerb.self).output == output)
  }

  @Test(
    arguments: [
      ("list", .list), ("clear", .clear(field: nil)), ("clear status", .clear(field: "status")),
      ("set isExpensive true", .set(field: "isExpensive", value: "true")),
    ] as [(String, OverrideVerb.Action)])
  func `the first operand of override is the action`(line: String, action: OverrideVerb.Action) throws {
    #expect(try Self.parse("override \(line)", as: OverrideVerb.self).action == action)
  }

  @Test func `an override has an interface, a time and a reason`() throws {
    let override = try Self.parse(
      "override set isExpensive true --for 2h --why tethered --interface eth0", as: OverrideVerb.self)
    #expect(override.duration == .seconds(7200) && override.why == "tethered" && override.interface == "eth0")
  }

  @Test(arguments: [
    ("help", nil), ("--help", nil), ("help watch", "watch"), ("help monitor", "watch"), ("watch --help", "watch"),
  ])
  func `help is about all of pathctl, or about a verb`(line: String, topic: String?) throws {
    #expect(try Self.parse(line, as: HelpVerb.self).topic.map { $0.name } == topic)
  }

  @Test(arguments: [
    ("history", []), ("history --json --store /tmp/x", ["--json", "--store", "/tmp/x"]),
    ("history --since 7d --until=soon --html a.html", ["--since", "7d", "--until=soon", "--html", "a.html"]),
    ("--json history --since 7d", ["--json", "--since", "7d"]), ("-- history", []),
  ])
  func `the words of a question about the past go on as they came`(line: String, words: [String]) throws {
    #expect(try Self.parse(line, as: HistoryVerb.self).invocation.words == words)
  }

  @Test(
    arguments: [
      (.microseconds(1), 1), (.milliseconds(100), 1), (.seconds(1), 1), (.milliseconds(1_900), 2),
      (.seconds(2), 2), (.seconds(7_200) + .nanoseconds(1), 7_201), (.seconds(31_557_600), 31_557_600),
    ] as [(Duration, Int64)])
  func `an override lasts at least as long as --for says`(duration: Duration, seconds: Int64) {
    #expect(OverrideVerb.seconds(duration) == seconds)
  }

  @Test func `the program with the history is in its folder of an installed tree, or beside this one`() {
    #expect(
      CompanionProgram.history.places(besides: "/usr/bin/pathctl") == [
        "/usr/libexec/pathmonitor/pathmonitor-history", "/usr/bin/pathmonitor-history",
      ])
    #expect(
      CompanionProgram.history.places(besides: "/bin/pathctl").first == "/libexec/pathmonitor/pathmonitor-history")
  }

  @Test func `requirements are understood, and a condition differs from a check`() throws {
    let wifi = try PathRequirement("wifi")
    #expect(try Self.parse("wait wifi --timeout 5s", as: WaitVerb.self).timeout == .seconds(5))
    #expect(try Self.parse("wait wifi", as: WaitVerb.self).timeout == nil)
    #expect(try Self.parse("wait wifi", as: WaitVerb.self).requirement == wifi)
    let check = try Self.parse("check wifi --condition", as: CheckVerb.self)
    #expect(check.requirement == wifi && check.invocation.isCondition)
    #expect(try !Self.parse("check wifi").invocation.isCondition)
  }

  @Test(arguments: [
    "watch --json --settle 200ms --sample-address 10.0.0.1 --sample-address=2001:db8::1 --direct",
    "--json --settle 200ms --sample-address 10.0.0.1 --probe 2001:db8::1 --direct watch",
    "--direct watch --probe=10.0.0.1 --settle=200ms --probe=2001:db8::1 --json",
  ])
  func `options stand before or behind the verb, with a space or an equals sign`(line: String) throws {
    let invocation = try Self.parse(line, as: WatchVerb.self).invocation
    #expect(invocation.isJSON)
    #expect(invocation.isDirect)
    #expect(invocation.settle == .milliseconds(200))
    let probes = try #require(invocation.probes)
    #expect(probes.ipv4 == [IPAddress("10.0.0.1")] && probes.ipv6 == [IPAddress("2001:db8::1")])
    let plain = try Self.parse("watch").invocation
    #expect(plain.settle == nil && plain.probes == nil && !plain.isJSON && !plain.isDirect)
  }

  @Test func `watch takes a command to run at each update`() throws {
    #expect((try ArgumentParser.parse(["watch", "--exec", "a; b"]) as? WatchVerb)?.command == "a; b")
  }

  @Test(arguments: [
    ("run wifi -- curl", ["curl"], LossReaction.stop, Duration.seconds(5)),
    ("run wifi -- curl --json -x -- y", ["curl", "--json", "-x", "--", "y"], .stop, .seconds(5)),
    ("run --on-loss pause --grace 1min wifi -- a b", ["a", "b"], .pause, .seconds(60)),
    ("run wifi --grace=0 --on-loss=continue -- run", ["run"], .continue, .zero),
    ("--direct run wifi --on-loss=stop -- wifi", ["wifi"], .stop, .seconds(5)),
  ])
  func `all words behind the dashes are the command of run, and none of them an option`(
    line: String, words: [String], onLoss: LossReaction, grace: Duration
  ) throws {
    let run = try Self.parse(line, as: RunVerb.self)
    #expect(run.words == words && run.onLoss == onLoss && run.grace == grace)
    #expect(run.requirement == (try PathRequirement("wifi")) && run.timeout == nil)
    #expect(!run.invocation.isJSON)
    #expect(run.invocation.isDirect == line.hasPrefix("--direct"))
  }

  static let reactions: [(String, ChangeReaction, PathChanges)] = [
    ("run wifi -- a", .ignore, .source),
    ("run wifi --on-change restart -- a", .restart, .source),
    ("run wifi --on-change=signal:HUP --on-change-of interface,gateway -- a", .signal(1), [.interface, .gateway]),
    ("run wifi --on-change signal:SIGUSR1 --on-change-of=addresses,better -- a", .signal(10), [.addresses, .better]),
    ("run --on-change-of source --on-change restart wifi -- a", .restart, .source),
  ]

  @Test(arguments: reactions)
  func `run takes a reaction to a change, and the changes that count`(
    line: String, onChange: ChangeReaction, changes: PathChanges
  ) throws {
    let run = try Self.parse(line, as: RunVerb.self)
    #expect(run.onChange == onChange && run.changes == changes)
  }

  // MARK: Mistakes

  private static let verbs = "The verbs are \(names.joined(separator: ", ")); see 'pathctl help'."
  private static let usageOfRun = """
    Correct use: pathctl run REQUIREMENT [--timeout TIME] [--on-loss ACTION] [--on-change ACTION] \
    [--on-change-of CHANGE,...] [--grace TIME] [--quiet] [--sample-address ADDRESS] [--config PATH] \
    [--direct] [--socket PATH] \
    -- COMMAND [ARGUMENT...]
    """

  @Test(arguments: [
    ("watch --jsn", "there is no option '--jsn' (did you mean '--json'?). Correct use: pathctl watch [--field FIELD] "),
    ("stauts", "there is no verb 'stauts' (did you mean 'status'?). \(verbs)"),
    ("frobnicate", "there is no verb 'frobnicate'. \(verbs)"), ("unwatch", "there is no verb 'unwatch'. \(verbs)"),
    ("monito", "there is no verb 'monito' (did you mean 'monitor'?). \(verbs)"),
    ("help nothing", "there is no verb 'nothing'. \(verbs)"),
    ("route", "HOST is missing. Correct use: pathctl route HOST [--field FIELD] [--quiet] [--json] "),
    ("status eth0", "'eth0' is one argument too many for 'status'. Correct use: pathctl status [--field FIELD] "),
    ("--settle", "--settle TIME lacks its value. Write for example --settle 200ms."),
    ("--settle soon", "'soon' is no time for --settle: 'soon' does not start with a number. Write for "),
    ("--settle=5parsecs", "'5parsecs' is no time for --settle: 'parsecs' is not a unit (us, ms, s, min, h, d, w). "),
    (
      "--sample-address example.org",
      "'example.org' is no address for --sample-address: an IPv4 or IPv6 address in numbers is needed. "
    ),
    ("--json=yes", "--json takes no value, but got 'yes'. Write just --json."),
    ("history eth0", "'eth0' is one argument too many for 'history'"),
    ("history --direct", "there is no option '--direct'"), ("history --since", "--since WHEN lacks its value"),
    ("metrics --textfile -", "'-' is no path for --textfile: without it, the metrics go to standard output. "),
    ("watch --exec=", "'' is no command for --exec: it is empty. Write for example --exec 'logger $PATH_STATUS'."),
    ("status --field interfac", "'interfac' is no field of a path (did you mean 'interface'?). The fields are "),
    ("status --field Status", "'Status' is no field of a path (did you mean 'status'?). The fields are status, "),
    ("metrics --openmetrics --textfile a", "--textfile and --openmetrics exclude each other. Leave one of them out."),
    ("status --json --field status", "--json and --field exclude each other. Leave one of them out."),
    ("watch --format waybar --field status", "--format and --field exclude each other. Leave one of them out."),
    ("watch --exec true --field status", "--field has no meaning for --exec, which shows nothing. Leave one of them "),
    ("watch --count 0", "'0' is no number for --count: a whole number from 1 on is needed. Write for example "),
    ("watch --format {kin}", "'{kin}' is no format for --format: 'kin' in braces is not known (did you mean 'kind'?)"),
    ("watch --format {kind", "'{kind' is no format for --format: the brace '{' lacks its counterpart; two braces "),
    ("override set isExpensive true --for 0", "'0' is no time for --for: an override that ends at once does nothing. "),
    ("override", "set|clear|list is missing"), ("override set", "FIELD is missing"),
    ("override set isExpensive", "VALUE is missing"),
    ("override set isExpensive true now", "'now' is one argument too many for 'override'"),
    ("override clear isExpensive true", "'true' is one argument too many for 'override clear'"),
    ("override list isExpensive", "'isExpensive' is one argument too many for 'override list'"),
    ("override unset isExpensive", "'unset' is neither set, clear nor list"),
    ("override clear --for 1h", "--for has no meaning for 'override clear'"),
    ("override clear --why me", "--why has no meaning for 'override clear'"),
    ("override list --interface eth0", "--interface has no meaning for 'override list'"),
    ("override set isExpensive true --for soon", "'soon' is no time for --for"),
    ("override set isExpensive true --settle 1s", "there is no option '--settle'"),
    ("override set isExpensive true --for", "--for TIME lacks its value"),
    ("run", "REQUIREMENT is missing. \(usageOfRun)"), ("run -- true", "REQUIREMENT is missing. \(usageOfRun)"),
    ("-- run wifi -- true", "REQUIREMENT is missing. \(usageOfRun)"),
    ("run wifi", "COMMAND is missing behind '--'. \(usageOfRun)"),
    ("run wifi --", "COMMAND is missing behind '--'. \(usageOfRun)"),
    ("run wifi --json -- true", "there is no option '--json'. \(usageOfRun)"),
    ("run wifi -- ", "the command is empty. Write its name, or its path, behind '--'."),
    ("run --on-loss kill wifi -- a", "'kill' is no action for --on-loss: it is stop, pause or continue. Write "),
    (
      "run --on-change signal:KILL wifi -- a",
      "'signal:KILL' is no action for --on-change: it is one of restart, ignore, signal:HUP, signal:INT, signal:QUIT, "
    ),
    (
      "run --on-change restart --on-change-of interface, wifi -- a",
      "'interface,' is no list of changes for --on-change-of: '' is none of source, interface, gateway, addresses, "
    ),
    ("run --on-change-of gateway wifi -- a", "--on-change-of has no meaning without --on-change. Add for example "),
    ("run --grace long wifi -- a", "'long' is no time for --grace: 'long' does not start with a number. "),
  ])
  func `the error of a wrong command line has the mistake and the correct use`(line: String, beginning: String) {
    #expect(Self.message(line)?.hasPrefix(beginning) == true)
  }

  @Test(arguments: [
    "run wifi true", "run wifi true -- true", "run wifi true -s --retry 3", "run --on-loss pause wifi true",
  ])
  func `the error of a command without dashes before it shows their place`(line: String) {
    #expect(
      Self.message(line) == """
        '--' is missing before the command 'true'. \
        Write for example pathctl run wifi -- true, with all options of pathctl before the '--'.
        """)
  }

  @Test func `a family has at most sixteen probes`() {
    let many = (1...16).map { "--probe 10.0.0.\($0)" }.joined(separator: " ")
    #expect(Self.message(many) == nil)
    #expect(
      Self.message("\(many) --probe 10.0.0.17")
        == "there are more than 16 sample addresses of a family. Leave some out.")
  }

  // MARK: Forms and help

  @Test func `one value, a line for a bar, and silence are forms of the output`() throws {
    let field = try #require(PathField(name: "interface"))
    let template = try PathTemplate("{kind}")
    for (line, form) in [
      ("status --field interface", PathForm.field(field)), ("watch --format waybar", .waybar),
      ("watch --format {kind}", .template(template)), ("watch --json", .json), ("watch", .picture),
    ] {
      #expect(try Self.parse(line).invocation.form == form)
    }
    for line in ["status -q", "run wifi --quiet -- true"] { #expect(try Self.parse(line).invocation.isQuiet) }
    #expect(try !Self.parse("watch --json").invocation.isQuiet)
    #expect(try Self.parse("run wifi --timeout 30s -- true", as: RunVerb.self).timeout == .seconds(30))
  }

  @Test(arguments: [
    ("targets", Duration.seconds(2), Duration.seconds(30)),
    ("targets --on-after 0 --off-after 5min", .zero, .seconds(300)),
    ("--direct targets --off-after=100ms", .seconds(2), .milliseconds(100)),
  ])
  func `targets are started and stopped after the given times`(
    line: String, onAfter: Duration, offAfter: Duration
  ) throws {
    let targets = try Self.parse(line, as: TargetsVerb.self)
    #expect(targets.onAfter == onAfter && targets.offAfter == offAfter)
  }

  @Test func `no two verbs have the same name, and each is found by its own`() throws {
    #expect(Set(Self.names).count == Verbs.all.count)
    for verb in Verbs.all {
      for name in [verb.name] + verb.synonyms { #expect(try Verbs.named(name) == verb) }
    }
  }

  @Test(arguments: names)
  func `the help of a verb has its details, options, exit statuses and examples`(name: String) throws {
    let verb = try Verbs.named(name)
    let help = HelpText.text(for: verb)
    #expect(help.contains(verb.details))
    let words = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for exit in verb.exits { #expect(words.contains("\(exit.status): \(exit.meaning)")) }
    for example in verb.examples { #expect(words.contains(example.purpose)) }
    #expect(HelpText.text().contains("  \(name)") && HelpText.text().contains(verb.summary))
    if name == "help" { return }
    for option in verb.shownOptions { #expect(help.contains(option.usage)) }
    // A verb without statuses runs until a signal comes.
    #expect(!verb.exits.isEmpty || ["targets", "hooks"].contains(name))
    #expect(Set(verb.exits.map(\.status)).count == verb.exits.count)
  }

  @Test func `no line of a help is wider than a terminal`() {
    let texts = [HelpText.text()] + Verbs.all.map { HelpText.text(for: $0) }
    for line in texts.joined(separator: "\n").split(separator: "\n") { #expect(line.count <= 102, "\(line)") }
  }
}
