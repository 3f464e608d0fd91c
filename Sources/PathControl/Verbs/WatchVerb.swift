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
    name: "watch", summary: "Show the path now and whenever it changes", options: Option.forQuestions + [.hook],
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
      .text("A signal is passed on to COMMAND, and pathctl ends when it has ended."),
    ],
    exits: [],
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
    ]
  ) { arguments in WatchOrder(hook: arguments.hook) }
}

/// Follow the path; with a hook, run it at each update.
package struct WatchOrder: VerbOrder {
  private let hook: String?

  /// The order of `pathctl watch`.
  package init(hook: String?) {
    self.hook = hook
  }

  /// Follows the path until a signal comes or the reader goes away.
  package func run(_ invocation: Invocation) throws(KernelPathError) -> Int32 {
    guard let hook else { return try WatchVerb(invocation).run() }
    return try HookVerb(invocation, hook).run()
  }
}

/// `pathctl watch`: the path now and whenever it changes, until a signal or the reader goes away.
final class WatchVerb: FollowingVerb {
  private let isScreen: Bool
  private var screen: WatchScreen
  private var line = JSONWriter(reservingCapacity: NetworkPath.usualLength)

  override init(_ invocation: Invocation) throws(KernelPathError) {
    isScreen = Output.isTerminal(1) && !invocation.isJSON && Environment.value("TERM") != "dumb"
    screen = WatchScreen(Style.forOutput())
    try super.init(invocation)
  }

  func run() throws(KernelPathError) -> Int32 {
    watchReader { [unowned self] in self.end(ExitStatus.yes) }
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
    } else if isScreen {
      write(WatchScreen.hideCursor + screen.draw(path, at: WallClock.localTime()))
    } else {
      write("\(WallClock.localTime()) \(path)\n")
    }
  }

  private func write(_ text: String) {
    write(Array(text.utf8))
  }
}
