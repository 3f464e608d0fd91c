internal import Glibc
internal import KernelPath
internal import PathEngine
internal import PathModel
internal import SystemIO

/// `pathctl watch`: the path now and whenever it changes, until a signal or the reader goes away.
final class WatchVerb {
  private let invocation: Invocation
  private let isScreen: Bool
  private var screen: WatchScreen
  private var loop: EventLoop
  private var status = ExitStatus.yes

  init(_ invocation: Invocation) throws(KernelPathError) {
    self.invocation = invocation
    let style = Style.forOutput()
    isScreen = Output.isTerminal(1) && !invocation.isJSON && Environment.value("TERM") != "dumb"
    screen = WatchScreen(style)
    loop = try KernelPathError.translating { () throws(SystemError) in try EventLoop() }
  }

  func run() throws(KernelPathError) -> Int32 {
    // Before the first line is written, so that no signal can leave the cursor hidden.
    let signals = try KernelPathError.translating { () throws(SystemError) in
      try SignalWatch([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
    }
    let engine = try PathEngine(loop: loop, configuration: invocation.configuration)
    defer { engine.stop() }
    try KernelPathError.translating { () throws(SystemError) in
      try loop.watch(signals.number) { _ in for signal in signals.take() { self.take(signal) } }
    }
    // A reader that goes away ends us even while nothing changes. Not every output can be watched: files cannot.
    try? loop.watch(1, for: []) { readiness in
      if !readiness.isDisjoint(with: [.failed, .hungUp]) { self.loop.stop() }
    }
    if isScreen { write(WatchScreen.hideCursor) }
    defer { if isScreen { write(WatchScreen.showCursor) } }
    let times = invocation.settle.map { SettleTimes($0) } ?? .standard
    let subscription = engine.subscribe(times) { self.show($0) }
    defer { engine.cancel(subscription) }
    try KernelPathError.translating { () throws(SystemError) in if !hasEnded { try loop.run() } }
    return status
  }

  private var hasEnded = false

  private func end(_ status: Int32) {
    self.status = status
    hasEnded = true
    loop.stop()
  }

  private func take(_ signal: Int32) {
    if signal == SIGWINCH {
      if isScreen { write(screen.redraw(width: Output.terminalWidth(1))) }
    } else {
      end(ExitStatus.signal(signal))
    }
  }

  private func show(_ path: NetworkPath) {
    if invocation.isJSON {
      write(path.jsonLine)
    } else if isScreen {
      write(screen.draw(path, at: WallClock.localTime()))
    } else {
      write("\(WallClock.localTime()) \(path)\n")
    }
  }

  private func write(_ text: String) {
    write(Array(text.utf8))
  }

  private func write(_ bytes: [UInt8]) {
    do throws(SystemError) {
      try Output.write(bytes, to: 1)
    } catch  where error.isBrokenPipe {
      end(status)
    } catch {
      PathControl.complain("\(error.description) on standard output")
      end(ExitStatus.cannotKnow)
    }
  }
}
