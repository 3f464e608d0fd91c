internal import CommandLineOptions
internal import Glibc
internal import JSON
package import KernelPath
internal import PathCoding
internal import PathModel
internal import SystemIO

extension Verb {
  /// Follows the path.
  package static let watch = Verb(
    name: "watch", synonyms: ["monitor"], summary: "Show the path now and whenever it changes",
    options: [.field, .format, .hook, .count, .timeout] + Option.forQuestions,
    details: [
      .text("On a terminal the picture is redrawn in place. Otherwise each update is a line."),
      .text("A change is shown when it has settled: after 50 ms for a gain, 200 ms for a loss, 1 s at most."),
      .text(
        """
        With --exec nothing is shown, unless --json is given; instead COMMAND is run with /bin/sh for the path as it is \
        and for each update, one at a time: what comes meanwhile is one update, the newest. It reads from /dev/null and \
        finds the path in its environment:
        """),
      .item(
        term: "PATH_STATUS, PATH_KNOWLEDGE, PATH_REASON, PATH_INTERFACE, PATH_TYPE", text: "words, or empty"),
      .item(
        term: "PATH_EXPENSIVE, PATH_CONSTRAINED, PATH_TUNNEL, PATH_IPV4, PATH_IPV6, PATH_DNS", text: "true or false"),
      .item(
        term: "PATH_CHANGED", text: "the names of what has changed, with spaces; empty for the first"),
      .item(term: "PATH_JSON", text: "all of it, as --json prints it"),
      .item(
        term: "PATH_FORMER_STATUS … PATH_FORMER_JSON",
        text: "the same of the path for which COMMAND was run before; all empty for the first"),
      .text("A signal is passed on to COMMAND, and pathctl ends when it has ended."),
      .text(
        """
        --format prints a line for each path that differs from the line before. 'waybar' is for a module of Waybar with \
        "return-type": "json". Any other FORMAT is a text in which a name in braces stands for a value: a FIELD, or a \
        word for people, which is one of these:
        """),
      .item(term: "{summary}", text: "'Ethernet eth0', 'offline' or 'not known'"),
      .item(term: "{kind}", text: "'Ethernet', 'Wi-Fi', 'cellular', 'tunnel', 'other', or empty"),
      .item(term: "{connection}", text: "'connected', 'offline' or 'not known'"),
      .item(term: "{metering}", text: "'metered', 'unmetered', or empty"),
      .item(term: "{brief}", text: "'connected over eth0', 'offline' with the reason, or 'not known'"),
      .item(term: "{sentence}", text: "the path in a sentence"),
      .text("--count ends after so many updates, the path at the start included; with --exec, when COMMAND has ended."),
    ] + .ofField,
    exits: [Exit(ExitStatus.yes, "--count updates have come"), Exit(ExitStatus.timedOut, "the time is over")],
    examples: [
      Example(
        "Write every change to the journal",
        """
        pathctl watch --exec 'logger "path: $PATH_STATUS $PATH_INTERFACE"'
        """),
      Example(
        "Follow the path in a program, one JSON object a line",
        """
        pathctl watch --json | while read -r path; do
          jq -r .status <<<"$path"
        done
        """),
      Example(
        "A line for a status bar whenever it changes",
        """
        pathctl watch --format '{summary}'
        """),
    ]
  ) { arguments in WatchOrder(hook: arguments.hook, count: arguments.count, timeout: arguments.timeout) }
}

/// Follow the path; with a hook, run it at each update.
package struct WatchOrder: VerbOrder {
  private let hook: String?
  private let limits: WatchLimits

  /// The order of `pathctl watch`.
  ///
  /// - Parameters:
  ///   - hook: The command for each update; `nil` to show them.
  ///   - count: The number of updates after which it ends; `nil` for no limit.
  ///   - timeout: The time after which it ends; `nil` for no limit.
  package init(hook: String?, count: Int? = nil, timeout: Duration? = nil) {
    self.hook = hook
    limits = WatchLimits(count: count, timeout: timeout)
  }

  /// Follows the path until a signal comes or the reader goes away.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    guard let hook else { return try WatchVerb(invocation, limits).run() }
    return try HookVerb(invocation, hook, limits).run()
  }
}

/// The limits after which `pathctl watch` ends by itself.
struct WatchLimits: Hashable, Sendable {
  /// The number of updates; `nil` for no limit.
  var count: Int?
  /// The time; `nil` for no limit.
  var timeout: Duration?

  /// Counts an update. Returns the exit status if it is the last one, and `nil` otherwise.
  mutating func statusAfterUpdate() -> Int32? {
    if let count {
      self.count = count - 1
      if count <= 1 { return ExitStatus.yes }
    }
    return timeout == .zero ? ExitStatus.timedOut : nil
  }
}

/// `pathctl watch`: the path now and whenever it changes, until a signal or the reader goes away.
final class WatchVerb: FollowingVerb {
  private let isScreen: Bool
  private var screen: WatchScreen
  private var line = JSONWriter(reservingCapacity: NetworkPath.usualLength)
  private var limits: WatchLimits
  /// The latest line of a form that skips equal ones.
  private var written: String?

  init(_ invocation: Invocation, _ limits: WatchLimits) throws(KernelPathError) {
    self.limits = limits
    isScreen = Output.isTerminal(1) && invocation.form == .picture && Environment.value("TERM") != "dumb"
    screen = WatchScreen(Style.forOutput())
    try super.init(invocation)
  }

  func run() throws(KernelPathError) -> Int32 {
    watchReader { [unowned self] in self.end(ExitStatus.yes) }
    endAfter(limits.timeout) { [unowned self] in self.end(ExitStatus.timedOut) }
    defer { if isScreen { write(WatchScreen.showCursor) } }
    return try follow(signals: [SIGINT, SIGTERM, SIGHUP, SIGWINCH])
  }

  override func handle(signal: Int32) {
    if signal == SIGWINCH {
      if isScreen { write(screen.redraw(width: Output.terminalWidth(1))) }
    } else {
      super.handle(signal: signal)
    }
  }

  override func handle(_ path: NetworkPath) {
    if invocation.isJSON {
      line.removeAll(keepingCapacity: true)
      path.write(to: &line)
      line.appendRaw(UInt8(ascii: "\n"))
      write(line.bytes)
    } else if let line = invocation.form.line(path) {
      if line == written { return }
      written = line
      write("\(line)\n")
    } else if isScreen {
      write(WatchScreen.hideCursor + screen.draw(path, at: WallClock.localTime()))
    } else {
      write("\(WallClock.localTime()) \(path)\n")
    }
    if let status = limits.statusAfterUpdate() { end(status) }
  }

  private func write(_ text: String) {
    write(Array(text.utf8))
  }
}
