internal import Glibc
internal import JSON
package import KernelPath
internal import PathModel
internal import Programs
internal import SystemIO

extension Verb {
  /// Follows the path.
  package static let watch = Verb(
    name: "watch", synonyms: ["monitor"], summary: "Show the path now and whenever it changes",
    options: [
      .field, .format, WatchOrder.hook.option, WatchOrder.count.option, Option.timeout.option,
    ] + Option.forQuestions,
    details: [
      .text(
        """
        On a terminal the picture is redrawn in place, and q ends it. Otherwise each update is a line, which says what \
        has changed if the path reads as before.
        """),
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
        term: "PATH_DIAGNOSIS, PATH_ADVICE", text: "the cause that is to be repaired, and the next step; or empty"),
      .item(
        term: "PATH_EXPENSIVE, PATH_CONSTRAINED, PATH_TUNNEL, PATH_IPV4, PATH_IPV6, PATH_DNS",
        text: "true or false; PATH_EXPENSIVE is unknown while evidence about it cannot be read"),
      .item(
        term: "PATH_CHANGED", text: "the names of what has changed, with spaces; empty for the first"),
      .item(term: "PATH_JSON", text: "all of it, as --json prints it"),
      .item(
        term: "PATH_FORMER_*",
        text: """
          the same of the path for which COMMAND was run before, all empty for the first: \
          \(PathVariables.formerNames.joined(separator: ", "))
          """),
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
      .item(term: "{metering}", text: "'metered', 'unmetered', or empty where that is not known"),
      .item(term: "{brief}", text: "'connected over eth0', 'offline' with the reason, or 'not known'"),
      .item(term: "{sentence}", text: "the path in a sentence"),
      .item(
        term: "{diagnosis}",
        text: "the cause of a lost path, such as 'eth0 has no carrier', or the doubt about a connected one; or empty"
      ),
      .item(term: "{advice}", text: "the next step for an administrator, or empty"),
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
  ) { arguments in
    WatchOrder(
      hook: arguments[WatchOrder.hook], count: arguments[WatchOrder.count], timeout: arguments[Option.timeout])
  }
}

/// Follow the path; with a hook, run it at each update.
package struct WatchOrder: VerbOrder {
  static let hook = OwnOption(
    "--exec", Placeholder("COMMAND", .program), example: "'logger $PATH_STATUS'",
    summary: "Run this with /bin/sh at each update instead of showing it"
  ) { (option, text) throws(UsageError) in
    if text.isEmpty { throw option.rejection(of: text, as: "command", because: "it is empty") }
    return text
  }
  static let count = OwnOption(
    "--count", Placeholder("NUMBER"), example: "1", summary: "End after so many updates"
  ) { (option, text) throws(UsageError) in
    guard let count = Int(text), count > 0 else {
      throw option.rejection(of: text, as: "number", because: "a whole number from 1 on is needed")
    }
    return count
  }

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

/// `pathctl watch`: the path now and whenever it changes, until a signal, the key `q`, or the reader goes away.
///
/// On a terminal it is a picture while `pathctl` is in the foreground. In the background the terminal is another
/// program's, and gets a line for each update.
final class WatchVerb: FollowingVerb {
  private let isScreen: Bool
  private let keys: TerminalKeys?
  private var screen: WatchScreen
  private var lines = WatchLines()
  private var line = JSONWriter(reservingCapacity: NetworkPath.usualLength)
  private var limits: WatchLimits
  /// The latest line of a form that skips equal ones.
  private var written: String?
  /// Whether the cursor is hidden.
  private var isShown = false
  /// Whether the next SIGCONT ends a stop that has been dealt with.
  private var isContinued = false

  init(_ invocation: Invocation, _ limits: WatchLimits) throws(KernelPathError) {
    self.limits = limits
    isScreen = Output.isTerminal(1) && invocation.form == .picture && Environment.value("TERM") != "dumb"
    keys = isScreen ? TerminalKeys(output: 1) : nil
    screen = WatchScreen(Style.forOutput(), height: Output.terminalHeight(1))
    try super.init(invocation)
  }

  func run() throws(KernelPathError) -> Int32 {
    watchReader { [unowned self] in self.end(ExitStatus.yes) }
    endAfter(limits.timeout) { [unowned self] in self.end(ExitStatus.timedOut) }
    defer { leaveScreen() }
    var signals = Self.endingSignals + [SIGWINCH]
    if keys != nil, !SignalWatch.isIgnored(SIGTSTP) { signals += [SIGTSTP, SIGCONT] }
    return try follow(signals: signals)
  }

  override func handle(signal: Int32) {
    switch signal {
    case SIGWINCH: redraw()
    case SIGTSTP: suspend()
    case SIGCONT: if isContinued { isContinued = false } else { comeBack() }
    default: super.handle(signal: signal)
    }
  }

  override func handle(_ path: NetworkPath) {
    show(path)
    if let status = limits.statusAfterUpdate() { end(status) }
  }

  private func show(_ path: NetworkPath) {
    if let line = invocation.form.line(path) {
      if line == written { return }
      written = line
      return write("\(line)\n")
    }
    if invocation.isJSON {
      line.removeAll(keepingCapacity: true)
      path.write(to: &line)
      line.appendRaw(UInt8(ascii: "\n"))
      return write(line.bytes)
    }
    let time = WallClock.localTime()
    let text = lines.line(path, at: time)
    guard isScreen else { return write("\(text)\n") }
    let isVisible = enterScreen()
    let picture = screen.draw(path, at: time)
    if isVisible { return write(WatchScreen.hideCursor + picture) }
    screen.forget()
    write("\(text)\n")
  }

  // MARK: The terminal

  /// Begins to read keys, if `pathctl` is in the foreground; returns whether the picture can be shown.
  private func enterScreen() -> Bool {
    guard let keys else { return true }
    if isShown, !keys.isInForeground { leaveScreen() }
    if !isShown, keys.begin() {
      try? loop.watch(keys.number) { [unowned self] _ in self.handleKeys() }
      isShown = true
    }
    return isShown
  }

  /// Gives the terminal back: the cursor, the echo, and the keys.
  private func leaveScreen() {
    guard isScreen else { return }
    if let keys {
      guard isShown else { return }
      isShown = false
      loop.unwatch(keys.number)
      keys.end()
    }
    screen.forget()
    write(WatchScreen.showCursor)
  }

  private func handleKeys() {
    guard let typed = keys?.readKeys() else { return leaveScreen() }
    let (lowerQ, upperQ, endOfInput, redrawing) = (UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(4), UInt8(12))
    if typed.contains(where: { [lowerQ, upperQ, endOfInput].contains($0) }) {
      end(ExitStatus.yes)
    } else if typed.contains(redrawing) {
      redraw()
    }
  }

  /// Ctrl-Z: the shell gets the terminal as it was, and later we get it back.
  private func suspend() {
    leaveScreen()
    isContinued = true
    ProcessGroup.suspendOwn()
    comeBack()
  }

  private func comeBack() {
    // The shell has written below the picture, and has put its own settings in place of ours.
    leaveScreen()
    screen.forget()
    redraw()
  }

  private func redraw() {
    guard isScreen, enterScreen() else { return }
    let picture = screen.redraw(width: Output.terminalWidth(1), height: Output.terminalHeight(1))
    if !picture.isEmpty { write(WatchScreen.hideCursor + picture) }
  }

  private func write(_ text: String) {
    write(Array(text.utf8))
  }
}
