import Dispatch
import Glibc

/// What the terminal and its user want from the program.
enum TerminalEvent: Sendable {
  /// Keys wait to be read.
  case keys
  /// The size is another.
  case resized
  /// The program is to end: a signal, or the terminal is gone.
  case end(signal: Int32)
}

/// Tells of keys and signals as long as it lives.
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

/// A terminal that has hung up can be read for ever, and gives nothing.
private func isTerminalGone() -> Bool {
  var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP | POLLERR) != 0
}
