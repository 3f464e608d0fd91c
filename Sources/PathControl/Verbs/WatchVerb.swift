internal import Glibc
internal import JSON
internal import KernelPath
internal import PathCoding
internal import PathModel
internal import SystemIO

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

  override func take(signal: Int32) {
    if signal == SIGWINCH {
      if isScreen { write(screen.redraw(width: Output.terminalWidth(1))) }
    } else {
      super.take(signal: signal)
    }
  }

  override func take(_ path: NetworkPath) {
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
