import Dispatch
import Foundation

/// The terminal while the program uses it, without a library: control sequences of ECMA-48, and modes of termios(3).
@MainActor
final class Terminal {
  enum Event: Sendable {
    case keys([SignUpForm.Key])
    case resized
    case end(signal: Int32)
  }

  private let before: termios
  private var sources: [any DispatchSourceProtocol] = []

  /// Takes over the terminal; `nil` if there is none.
  init?(_ tell: @escaping @Sendable (Event) -> Void) {
    var modes = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    before = modes
    // Keys come one by one and are not echoed; Ctrl-C stays a signal.
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    // The keys are read here, where some wait for sure: the source can report the same ones twice, and a second read
    // would block the program until the next key.
    keys.setEventHandler { tell(Self.pressedKeys().map { .keys($0) } ?? .end(signal: SIGHUP)) }
    sources.append(keys)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { tell(number == SIGWINCH ? .resized : .end(signal: number)) }
      sources.append(source)
    }
    for source in sources { source.activate() }
    // Another screen, and no cursor.
    write("\u{1b}[?1049h\u{1b}[?25l")
  }

  /// Restores the terminal.
  func close() {
    for source in sources { source.cancel() }
    write("\u{1b}[?25h\u{1b}[?1049l")
    var modes = before
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }

  func draw(_ form: SignUpForm) {
    let lines = form.page(size).map { line in
      let style = line.style == .heading ? "\u{1b}[1m" : line.style == .faint ? "\u{1b}[2m" : ""
      return style + line.text + "\u{1b}[0m\u{1b}[K"
    }
    write("\u{1b}[H" + lines.joined(separator: "\r\n") + "\u{1b}[J")
  }

  /// Reads the keys that wait; `nil` when the terminal is gone.
  private nonisolated static func pressedKeys() -> [SignUpForm.Key]? {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return SignUpForm.Key.keys(in: buffer[..<count])
  }

  private var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return ScreenSize(rows: 24, columns: 80)
    }
    return ScreenSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

extension SignUpForm.Key {
  /// The keys of the bytes that a terminal sends. Cursor keys and others that begin with Esc have no meaning here.
  static func keys(in bytes: some Sequence<UInt8>) -> [SignUpForm.Key] {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    if text.count > 1, text.first == "\u{1b}" { return [] }
    return text.unicodeScalars.compactMap { scalar in
      switch scalar {
      case "\u{1b}": .escape
      case "\r", "\n": .enter
      case "\u{7f}", "\u{8}": .erase
      case "\u{15}": .eraseAll
      default: scalar.properties.generalCategory == .control ? nil : .character(Character(scalar))
      }
    }
  }
}
