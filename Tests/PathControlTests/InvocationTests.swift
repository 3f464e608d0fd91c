import Foundation
import PathControl
import PathModel
import Programs
import Testing

@Suite("Command lines")
struct InvocationTests {
  private static func parse(_ line: String) throws(UsageError) -> Invocation {
    try Invocation(arguments: line.split(separator: " ").map(String.init))
  }

  private static func order(of line: String) throws(UsageError) -> any VerbOrder { try parse(line).order }

  private static func message(_ arguments: [String]) -> String? {
    do throws(UsageError) {
      _ = try Invocation(arguments: arguments)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `without arguments the verb is status`() throws {
    #expect(try Self.order(of: "").isSame(as: StatusOrder()))
    #expect(try Self.order(of: "status").isSame(as: StatusOrder()))
  }

  @Test(
    arguments: [
      ("status", StatusOrder()), ("watch", WatchOrder(hook: nil)), ("explain", ExplainOrder()),
      ("interfaces", InterfacesOrder()), ("route example.org", RouteOrder(to: "example.org")),
      ("health", HealthOrder()), ("metrics", MetricsOrder(.text(.prometheus))),
      ("metrics --openmetrics", MetricsOrder(.text(.openMetrics))), ("metrics --varlink", MetricsOrder(.varlink)),
      ("metrics --textfile /tmp/path.prom", MetricsOrder(.file("/tmp/path.prom"))),
      ("config", ConfigurationOrder()), ("override list", OverrideOrder.list),
      ("override clear", OverrideOrder.clear(field: nil, interface: nil)),
      ("override clear status --interface eth0", OverrideOrder.clear(field: "status", interface: "eth0")),
      (
        "override set isExpensive true --for 2h --why tethered",
        OverrideOrder.set(
          field: "isExpensive", value: "true", interface: nil, duration: .seconds(7200), why: "tethered")
      ),
      ("show", StatusOrder()), ("monitor", WatchOrder(hook: nil)), ("version", VersionOrder()),
      ("help monitor", HelpOrder(.watch)), ("interfaces eth0", InterfacesOrder(name: "eth0")),
      ("watch --count 3 --timeout 1min", WatchOrder(hook: nil, count: 3, timeout: .seconds(60))),
      ("hooks", HooksOrder(directory: nil, limit: nil)),
      ("hooks --directory /tmp/hooks --timeout 5s", HooksOrder(directory: "/tmp/hooks", limit: .seconds(5))),
      ("history", HistoryOrder(words: [])),
      (
        "history --since 7d --until=yesterday --interface eth0 --requirement unmetered --at-least 5s --html a.html",
        HistoryOrder(words: [
          "--since=7d", "--until=yesterday", "--interface=eth0", "--requirement=unmetered", "--at-least=5000000us",
          "--html=a.html",
        ])
      ),
      ("history --json --store /tmp/x", HistoryOrder(words: ["--json", "--store=/tmp/x"])),
      ("help", HelpOrder(nil)), ("help watch", HelpOrder(.watch)), ("watch --help", HelpOrder(.watch)),
      ("--help", HelpOrder(nil)), ("-h", HelpOrder(nil)), ("--version", VersionOrder()), ("-V", VersionOrder()),
      ("watch --version", VersionOrder()), ("-- watch", WatchOrder(hook: nil)),
      ("route -- -odd-name", RouteOrder(to: "-odd-name")),
    ] as [(String, any VerbOrder)])
  func `each verb is understood`(line: String, order: any VerbOrder) throws {
    #expect(try Self.order(of: line).isSame(as: order))
  }

  @Test(
    arguments: [
      (.microseconds(1), 1), (.milliseconds(100), 1), (.seconds(1), 1), (.milliseconds(1_900), 2),
      (.seconds(2), 2), (.seconds(7_200) + .nanoseconds(1), 7_201), (.seconds(31_557_600), 31_557_600),
    ] as [(Duration, Int64)])
  func `an override lasts at least as long as --for says`(duration: Duration, seconds: Int64) {
    #expect(OverrideOrder.seconds(duration) == seconds)
  }

  @Test(
    arguments: [
      ("history --since soon", "'soon' is no time for --since"), ("history --until 2026-02-30", "there is no such day"),
      ("history --requirement wiffi", "'wiffi' is no requirement for --requirement"),
      ("history --json --csv", "--json and --csv exclude each other"),
      ("history --html a --svg b", "--html and --svg exclude each other"), ("history eth0", "one argument too many"),
      ("history --at-least x", "is no time for --at-least"), ("history --direct", "there is no option '--direct'"),
    ])
  func `a mistake in a question about the past is named`(line: String, part: String) {
    let message = Self.message(line.split(separator: " ").map(String.init))
    #expect(message?.contains(part) == true, "\(message ?? "no message")")
  }

  @Test func `metrics go to standard output without --textfile, and never into a file of the name -`() {
    let message = Self.message(["metrics", "--textfile", "-"])
    #expect(
      message == "'-' is no path for --textfile: without it, the metrics go to standard output. "
        + "Write for example --textfile /tmp/pathmonitor.prom.")
  }

  @Test func `the program with the history is in its folder of an installed tree, or beside this one`() {
    #expect(
      CompanionProgram.places(besides: "/usr/bin/pathctl") == [
        "/usr/libexec/pathmonitor/pathmonitor-history", "/usr/bin/pathmonitor-history",
      ])
    #expect(CompanionProgram.places(besides: "/bin/pathctl").first == "/libexec/pathmonitor/pathmonitor-history")
  }

  @Test func `requirements are understood, and a condition differs from a check`() throws {
    let wifi = try PathRequirement("wifi")
    #expect(try Self.order(of: "wait wifi --timeout 5s").isSame(as: WaitOrder(wifi, timeout: .seconds(5))))
    #expect(try Self.order(of: "wait wifi").isSame(as: WaitOrder(wifi, timeout: nil)))
    let check = try Self.parse("check wifi --condition")
    #expect(check.order.isSame(as: CheckOrder(wifi)))
    #expect(check.isCondition)
    #expect(try !Self.parse("check wifi").isCondition)
  }

  @Test(arguments: [
    "watch --json --settle 200ms --sample-address 10.0.0.1 --sample-address=2001:db8::1 --direct",
    "--json --settle 200ms --sample-address 10.0.0.1 --probe 2001:db8::1 --direct watch",
    "--direct watch --probe=10.0.0.1 --settle=200ms --probe=2001:db8::1 --json",
  ])
  func `options stand before or behind the verb, with a space or an equals sign`(line: String) throws {
    let invocation = try Self.parse(line)
    #expect(invocation.order.isSame(as: WatchOrder(hook: nil)))
    #expect(invocation.isJSON)
    #expect(invocation.isDirect)
    #expect(invocation.settle == .milliseconds(200))
    let probes = try #require(invocation.probes)
    #expect(probes.ipv4 == [IPAddress("10.0.0.1")])
    #expect(probes.ipv6 == [IPAddress("2001:db8::1")])
  }

  @Test func `without options every choice is the verb's`() throws {
    let invocation = try Self.parse("watch")
    #expect(invocation.settle == nil)
    #expect(invocation.probes == nil)
    #expect(!invocation.isJSON)
    #expect(!invocation.isDirect)
  }

  private static let verbs = Verb.all.map(\.name).joined(separator: ", ")

  @Test(arguments: [
    (
      ["watch", "--jsn"],
      """
      there is no option '--jsn' (did you mean '--json'?). \
      Correct use: pathctl watch [--field FIELD] [--format FORMAT] [--exec COMMAND] [--count NUMBER] [--timeout TIME] \
      [--json] [--settle TIME] [--sample-address ADDRESS] [--config PATH] [--direct] [--socket PATH]
      """
    ),
    (
      ["stauts"],
      """
      there is no verb 'stauts' (did you mean 'status'?). \
      The verbs are \(verbs); see 'pathctl help'.
      """
    ),
    (
      ["frobnicate"],
      """
      there is no verb 'frobnicate'. \
      The verbs are \(verbs); see 'pathctl help'.
      """
    ),
    (
      ["route"],
      """
      HOST is missing. \
      Correct use: pathctl route HOST [--field FIELD] [--quiet] [--json] [--settle TIME] [--sample-address ADDRESS] [--config PATH] \
      [--direct] [--socket PATH]
      """
    ),
    (
      ["status", "eth0"],
      """
      'eth0' is one argument too many for 'status'. \
      Correct use: pathctl status [--field FIELD] [--format FORMAT] [--quiet] [--json] [--settle TIME] \
      [--sample-address ADDRESS] [--config PATH] [--direct] [--socket PATH]
      """
    ),
    (["--settle"], "--settle TIME lacks its value. Write for example --settle 200ms."),
    (
      ["--settle", "soon"],
      "'soon' is no time for --settle: 'soon' does not start with a number. Write for example --settle 200ms."
    ),
    (
      ["--settle=5parsecs"],
      """
      '5parsecs' is no time for --settle: 'parsecs' is not a unit (us, ms, s, min, h, d, w). \
      Write for example --settle 200ms.
      """
    ),
    (
      ["--sample-address", "example.org"],
      """
      'example.org' is no address for --sample-address: an IPv4 or IPv6 address in numbers is needed. \
      Write for example --sample-address 10.0.0.1.
      """
    ),
    (["--json=yes"], "--json takes no value, but got 'yes'. Write just --json."),
    (
      ["help", "nothing"],
      """
      there is no verb 'nothing'. \
      The verbs are \(verbs); see 'pathctl help'.
      """
    ),
  ])
  func `the error of a wrong command line has the mistake and the correct use`(arguments: [String], message: String) {
    #expect(Self.message(arguments) == message)
  }

  @Test func `watch takes a command to run at each update`() throws {
    #expect(try Invocation(arguments: ["watch", "--exec", "a; b"]).order.isSame(as: WatchOrder(hook: "a; b")))
    #expect(
      Self.message(["watch", "--exec="])
        == "'' is no command for --exec: it is empty. Write for example --exec 'logger $PATH_STATUS'.")
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
    let invocation = try Self.parse(line)
    let run = RunOrder(words, while: try PathRequirement("wifi"), onLoss: onLoss, grace: grace)
    #expect(invocation.order.isSame(as: run))
    #expect(!invocation.isJSON)
    #expect(invocation.isDirect == line.hasPrefix("--direct"))
  }

  private static let usageOfRun = """
    Correct use: pathctl run REQUIREMENT [--timeout TIME] [--on-loss ACTION] [--grace TIME] [--quiet] \
    [--sample-address ADDRESS] [--config PATH] \
    [--direct] [--socket PATH] \
    -- COMMAND [ARGUMENT...]
    """

  @Test(arguments: [
    ("run", "REQUIREMENT is missing."), ("run -- true", "REQUIREMENT is missing."),
    ("run wifi", "COMMAND is missing behind '--'."), ("run wifi --", "COMMAND is missing behind '--'."),
    ("run wifi --json -- true", "there is no option '--json'."),
    ("-- run wifi -- true", "REQUIREMENT is missing."),
  ])
  func `the error of a run without its parts has the correct use`(line: String, message: String) {
    #expect(Self.message(line.split(separator: " ").map(String.init)) == "\(message) \(Self.usageOfRun)")
  }

  @Test(arguments: [
    "run wifi true", "run wifi true -- true", "run wifi true -s --retry 3", "run --on-loss pause wifi true",
  ])
  func `the error of a command without dashes before it shows their place`(line: String) {
    #expect(
      Self.message(line.split(separator: " ").map(String.init)) == """
        '--' is missing before the command 'true'. \
        Write for example pathctl run wifi -- true, with all options of pathctl before the '--'.
        """)
  }

  @Test(arguments: [
    (
      "status --field interfac", "'interfac' is no field of a path (did you mean 'interface'?). The fields are status, "
    ),
    ("status --field Status", "'Status' is no field of a path (did you mean 'status'?). The fields are status, "),
    ("metrics --openmetrics --varlink", "--openmetrics and --varlink exclude each other. Leave one of them out."),
    ("status --json --field status", "--json and --field exclude each other. Leave one of them out."),
    ("watch --format waybar --field status", "--format and --field exclude each other. Leave one of them out."),
    ("watch --exec true --field status", "--field has no meaning for --exec, which shows nothing. Leave one of them "),
    (
      "watch --count 0",
      "'0' is no number for --count: a whole number from 1 on is needed. Write for example --count 1."
    ),
    (
      "watch --format {kin}", "'{kin}' is no format for --format: 'kin' in braces is not known (did you mean 'kind'?); "
    ),
    (
      "watch --format {kind",
      "'{kind' is no format for --format: the brace '{' lacks its counterpart; two braces stand "
    ),
    ("override set isExpensive true --for 0", "'0' is no time for --for: an override that ends at once does nothing. "),
    ("unwatch", "there is no verb 'unwatch'. The verbs are "),
    ("monito", "there is no verb 'monito' (did you mean 'monitor'?). The verbs are "),
  ])
  func `a mistake in a habit of other programs gets one sentence with the allowed words`(line: String, message: String)
  {
    #expect(Self.message(line.split(separator: " ").map(String.init))?.hasPrefix(message) == true)
  }

  @Test func `one value, a line for a bar, and silence are forms of the output`() throws {
    let field = try #require(PathField(name: "interface"))
    let template = try PathTemplate("{kind}")
    for (line, form) in [
      ("status --field interface", PathForm.field(field)), ("watch --format waybar", .waybar),
      ("watch --format {kind}", .template(template)), ("watch --json", .json), ("watch", .picture),
    ] {
      #expect(try Self.parse(line).form == form)
    }
    #expect(try Self.parse("status -q").isQuiet && Self.parse("run wifi --quiet -- true").isQuiet)
    #expect(try !Self.parse("watch --json").isQuiet)
    let run = RunOrder(["true"], while: try PathRequirement("wifi"), timeout: .seconds(30))
    #expect(try Self.order(of: "run wifi --timeout 30s -- true").isSame(as: run))
  }

  @Test(arguments: [
    (["run", "wifi", "--", ""], "the command is empty. Write its name, or its path, behind '--'."),
    (
      ["run", "--on-loss", "kill", "wifi", "--", "a"],
      "'kill' is no action for --on-loss: it is stop, pause or continue. Write for example --on-loss pause."
    ),
    (
      ["run", "--grace", "long", "wifi", "--", "a"],
      "'long' is no time for --grace: 'long' does not start with a number. Write for example --grace 30s."
    ),
  ])
  func `the error of a run with a wrong part names it`(arguments: [String], message: String) {
    #expect(Self.message(arguments) == message)
  }

  @Test(arguments: [
    ("targets", Duration.seconds(2), Duration.seconds(30)),
    ("targets --on-after 0 --off-after 5min", .zero, .seconds(300)),
    ("--direct targets --off-after=100ms", .seconds(2), .milliseconds(100)),
  ])
  func `targets are started and stopped after the given times`(
    line: String, onAfter: Duration, offAfter: Duration
  ) throws {
    #expect(try Self.order(of: line).isSame(as: TargetsOrder(onAfter: onAfter, offAfter: offAfter)))
  }

  @Test func `a family has at most sixteen probes`() {
    let many = (1...17).flatMap { ["--probe", "10.0.0.\($0)"] }
    #expect(Self.message(Array(many.dropLast(2))) == nil)
    #expect(Self.message(many) == "there are more than 16 sample addresses of a family. Leave some out.")
  }

  @Test func `no two verbs have the same name, and each is found by its own`() {
    #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
    for verb in Verb.all { for name in [verb.name] + verb.synonyms { #expect(Verb.named(name) == verb) } }
  }

  @Test(arguments: Verb.all)
  func `the help of a verb has its details, its exit statuses and its examples`(verb: Verb) {
    let words = HelpText.text(for: verb).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for text in verb.help.flatMap(\.texts) {
      #expect(words.contains(text), "\(text)")
    }
    for example in verb.examples { #expect(words.contains(example.purpose)) }
  }

  @Test(arguments: Verb.all.filter { $0 != .help })
  func `every verb documents its end, or runs until a signal comes`(verb: Verb) {
    #expect(!verb.exits.isEmpty || [.targets, .hooks].contains(verb))
    #expect(Set(verb.exits.map(\.status)).count == verb.exits.count)
  }

  @Test func `every option is in the help of every verb, and every verb in the help`() {
    for verb in Verb.all {
      #expect(HelpText.text().contains("  \(verb.name)"))
      #expect(HelpText.text().contains(verb.summary))
      guard verb != .help else { continue }
      for option in verb.options { #expect(HelpText.text(for: verb).contains(option.usage)) }
    }
  }

  @Test func `no line of a help is wider than a terminal`() {
    let texts = [HelpText.text()] + Verb.all.map(HelpText.text(for:))
    for line in texts.joined(separator: "\n").split(separator: "\n") { #expect(line.count <= 102, "\(line)") }
  }
}

extension VerbOrder {
  /// Whether the other is the same order.
  fileprivate func isSame(as other: any VerbOrder) -> Bool { AnyHashable(self) == AnyHashable(other) }
}
