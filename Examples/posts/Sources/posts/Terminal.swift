import CCurses
import Glibc

/// The terminal while the reader uses it: ncurses draws and decodes keys. The class is on the main actor because
/// ncurses is made for one thread.
@MainActor
final class Terminal {
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>

  /// Takes over the terminal; `nil` if it cannot do what ncurses needs.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let screen = open_screen() else { return nil }
    self.screen = screen
    window = standard_window()
    _ = cbreak()
    _ = noecho()
    // Reading a key does not wait, an arrow key comes as one code, and a lone Esc is delivered after 25 ms.
    _ = nodelay(window, true)
    _ = keypad(window, true)
    _ = set_escdelay(25)
    _ = curs_set(0)
  }

  /// Restores the terminal.
  func close() {
    _ = endwin()
    delscreen(screen)
  }

  /// The current size.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return ScreenSize(rows: 24, columns: 80)
    }
    return ScreenSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  /// Draws a page; ncurses sends only the differences from the page before.
  func draw(_ reader: Reader) {
    _ = resizeterm(Int32(reader.size.rows), Int32(reader.size.columns))
    _ = werase(window)
    for (row, line) in reader.page.enumerated() {
      _ = wmove(window, Int32(row), 0)
      _ = wattrset(window, line.style.attributes)
      _ = waddstr(window, line.text)
    }
    _ = wrefresh(window)
  }

  /// The keys with a meaning that were pressed since the last call.
  func pressedKeys() -> [Reader.Key] {
    var keys: [Reader.Key] = []
    while true {
      let code = wgetch(window)
      if code == ERR { return keys }
      if let key = Reader.Key(code: code) { keys.append(key) }
    }
  }
}

extension Line.Style {
  fileprivate var attributes: Int32 {
    switch self {
    case .plain: 0
    case .heading: attribute_bold
    case .faint: attribute_dim
    case .selected: attribute_reverse
    }
  }
}

extension Reader.Key {
  fileprivate init?(code: Int32) {
    switch code {
    case KEY_UP, Int32(UInt8(ascii: "k")): self = .up
    case KEY_DOWN, Int32(UInt8(ascii: "j")): self = .down
    case KEY_ENTER, KEY_RIGHT, 10, 13: self = .open
    case KEY_LEFT, KEY_BACKSPACE, 27, 127: self = .back
    case Int32(UInt8(ascii: "r")): self = .refresh
    case Int32(UInt8(ascii: "q")): self = .quit
    default: return nil
    }
  }
}
