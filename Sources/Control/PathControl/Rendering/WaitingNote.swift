internal import PathModel
internal import SystemIO

/// Shows a ``WaitingLine`` on standard error if that is a terminal, in the foreground of which this program runs.
struct WaitingNote {
  private var line: WaitingLine

  /// A note for a command line; `nil` where nobody would see it.
  init?(_ invocation: Invocation) {
    guard !invocation.isQuiet, Output.isTerminal(2), Output.isInForeground(2) else { return nil }
    line = WaitingLine(isInPlace: Environment.value("TERM") != "dumb")
  }

  mutating func show(_ text: String) {
    // After Ctrl-Z and `bg` the terminal belongs to the shell.
    guard Output.isInForeground(2) else { return }
    let (text, width) = (text.inOneLine, Output.terminalWidth(2))
    let line = "pathctl: \(text)"
    // On a narrow terminal the name of the program gives way.
    write(self.line.show(width.map { line.count < $0 } ?? true ? line : text, width: width))
  }

  mutating func erase() { write(line.erase()) }

  private func write(_ text: String) {
    Output.tell(Array(text.utf8), to: 2)
  }
}

extension Invocation {
  /// Calls `body`, which waits until the path has rested; on a terminal a line says so.
  func whileWaiting<Value, Failure: Error>(
    for settle: Duration, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // A shorter wait is over before its line is read.
    var note = settle > .seconds(1) ? WaitingNote(self) : nil
    note?.show("waiting until the path has not changed for \(TimeSpan.text(settle))")
    defer { note?.erase() }
    return try body()
  }
}
