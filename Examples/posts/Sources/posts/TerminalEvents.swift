import Dispatch
import Glibc

/// An event of the terminal that the program reacts to.
enum TerminalEvent: Sendable {
  /// Keys wait to be read.
  case keys
  /// The size has changed.
  case resized
  /// The program has to end: a signal came, or the terminal is gone.
  case end(signal: Int32)
}

/// Reports keys and signals as long as it exists.
final class TerminalEvents {
  private var sources: [any DispatchSourceProtocol] = []

  init(_ tell: @escaping @Sendable (TerminalEvent) -> Void) {
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    keys.setEventHandler { tell(isTerminalGone() ? .end(signal: SIGHUP) : .keys) }
    sources.append(keys)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { tell(number == SIGWINCH ? .resized : .end(signal: number)) }
      sources.append(source)
    }
    for source in sources { source.activate() }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}

/// Whether the terminal has hung up. Such a terminal stays readable, but gives no data.
private func isTerminalGone() -> Bool {
  var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP | POLLERR) != 0
}
