internal import Glibc
package import KernelPath
internal import PathModel
package import Programs
internal import SystemIO

/// `pathctl watch`: follows the path; with a command, runs it at each update.
package struct WatchVerb: Verb {
  package static let name = "watch"
  package static let synonyms = ["monitor"]
  package static let summary = "Show the path now and whenever it changes"
  package static var ownOptions: [Option<WatchVerb>] {
    [.field, .format, exec, number, .timeout { $0.limits.timeout = $1 }] + Option.forQuestions
  }
  package static var details: String {
    """
    On a terminal the picture is redrawn in place, and q ends it. Otherwise each update is a line, which
    says what has changed if the path reads as before.
    A change is shown when it has settled: after 50 ms for a gain, 200 ms for a loss, 1 s at most.
    With --exec nothing is shown, unless --json is given; instead COMMAND is run with /bin/sh for the
    path as it is and for each update, one at a time: what comes meanwhile is one update, the newest. It
    reads from /dev/null and finds the path in its environment:
      PATH_STATUS, PATH_KNOWLEDGE, PATH_REASON, PATH_INTERFACE, PATH_TYPE  words, or empty
      PATH_DIAGNOSIS, PATH_ADVICE  the cause that is to be repaired, and the next step; or empty
      PATH_EXPENSIVE, PATH_CONSTRAINED, PATH_TUNNEL, PATH_IPV4, PATH_IPV6, PATH_DNS  true or false;
          PATH_EXPENSIVE is unknown while evidence about it cannot be read
      PATH_CHANGED  the names of what has changed, with spaces; empty for the first
      PATH_MOVED  for programs with connections: which of source, interface, gateway, addresses and
          better have changed since COMMAND was last run with a path, as 'pathctl help run' explains
          them, with spaces; empty for none
      PATH_JSON  all of it, as --json prints it
      PATH_FORMER_*  the same of the path for which COMMAND was run before, all empty for the first:
          PATH_FORMER_STATUS, PATH_FORMER_KNOWLEDGE, PATH_FORMER_REASON, PATH_FORMER_DIAGNOSIS,
          PATH_FORMER_ADVICE, PATH_FORMER_INTERFACE, PATH_FORMER_TYPE, PATH_FORMER_EXPENSIVE,
          PATH_FORMER_CONSTRAINED, PATH_FORMER_TUNNEL, PATH_FORMER_IPV4, PATH_FORMER_IPV6,
          PATH_FORMER_DNS, PATH_FORMER_JSON
    A signal is passed on to COMMAND, and pathctl ends when it has ended.
    --format prints a line for each path that differs from the line before. 'waybar' is for a module of
    Waybar with "return-type": "json". Any other FORMAT is a text in which a name in braces stands for a
    value: a FIELD, or a word for people, which is one of these:
      {summary}     'Ethernet eth0', 'offline' or 'not known'
      {kind}        'Ethernet', 'Wi-Fi', 'cellular', 'tunnel', 'other', or empty
      {connection}  'connected', 'offline' or 'not known'
      {metering}    'metered', 'unmetered', or empty where that is not known
      {brief}       'connected over eth0', 'offline' with the reason, or 'not known'
      {sentence}    the path in a sentence
      {diagnosis}   the cause of a lost path, such as 'eth0 has no carrier', or the doubt about a
                    connected one; or empty
      {advice}      the next step for an administrator, or empty
    --count ends after so many updates, the path at the start included; with --exec, when COMMAND has
    ended.
    \(aboutFields)
    """
  }
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.yes, "--count updates have come"), (ExitStatus.timedOut, "the time is over"),
  ]
  package static let examples = [
    (
      purpose: "Write every change to the journal",
      lines: "pathctl watch --exec 'logger \"path: $PATH_STATUS $PATH_INTERFACE\"'"
    ),
    (
      purpose: "Follow the path in a program, one JSON object a line",
      lines: """
      pathctl watch --json | while read -r path; do
        jq -r .status <<<"$path"
      done
      """
    ),
    (purpose: "A line for a status bar whenever it changes", lines: "pathctl watch --format '{summary}'"),
  ]

  private static var exec: Option<WatchVerb> {
    Option(
      "--exec", Placeholder("COMMAND", .program), example: "'logger $PATH_STATUS'",
      summary: "Run this with /bin/sh at each update instead of showing it"
    ) { (verb, value) throws(UsageError) in
      if value.text.isEmpty { throw value.rejected(as: "command", because: "it is empty") }
      verb.command = value.text
    }
  }
  private static var number: Option<WatchVerb> {
    Option("--count", Placeholder("NUMBER"), example: "1", summary: "End after so many updates") {
      (verb, value) throws(UsageError) in
      guard let count = Int(value.text), count > 0 else {
        throw value.rejected(as: "number", because: "a whole number from 1 on is needed")
      }
      verb.limits.count = count
    }
  }

  package var invocation = Invocation()
  /// The command for each update; `nil` to show them.
  package private(set) var command: String?
  /// The limits after which it ends by itself.
  package private(set) var limits = WatchLimits()

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    guard self.command != nil, let form = invocation.forms.first, form.form != .json else { return }
    throw UsageError("\(form.option) has no meaning for --exec, which shows nothing. Leave one of them out.")
  }

  /// Follows the path until a signal comes or the reader goes away.
  package func run() throws(KernelPathError) -> Int32 {
    guard let command else { return try WatchSession(self).run() }
    return try WatchCommandSession(self, command).run()
  }
}

/// The limits after which `pathctl watch` ends by itself.
package struct WatchLimits: Hashable, Sendable {
  /// The number of updates; `nil` for no limit.
  package var count: Int?
  /// The time; `nil` for no limit.
  package var timeout: Duration?

  /// Counts an update. Returns the exit status if it is the last one, and `nil` otherwise.
  mutating func statusAfterUpdate() -> Int32? {
    if let count {
      self.count = count - 1
      if count <= 1 { return ExitStatus.yes }
    }
    return timeout == .zero ? ExitStatus.timedOut : nil
  }
}

/// `pathctl watch` while it runs: the path now and whenever it changes, until a signal, the key `q`, or the reader goes
/// away.
///
/// On a terminal it is a picture while `pathctl` is in the foreground. In the background the terminal is another
/// program's, and gets a line for each update.
final class WatchSession: FollowingSession {
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

  init(_ verb: WatchVerb) throws(KernelPathError) {
    limits = verb.limits
    isScreen = Output.isTerminal(1) && verb.invocation.form == .picture && Environment.value("TERM") != "dumb"
    keys = isScreen ? TerminalKeys(output: 1) : nil
    screen = WatchScreen(Style.forOutput(), height: Output.terminalHeight(1))
    try super.init(verb.invocation)
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
      line.removeAll()
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
