internal import CLinux
internal import Glibc

/// The keys typed at the terminal that controls this process, for a program that shows a picture there: each key is
/// read at once and not echoed.
///
/// The settings of the terminal belong to the group in the foreground. They are changed only while that is our own, and
/// restored before the process stops or ends.
package final class TerminalKeys {
  private let descriptor: OwnedDescriptor
  /// The settings before ``begin()``; `nil` while keys are not read.
  private var formerSettings: termios?

  /// The descriptor that a loop watches for reading between ``begin()`` and ``end()``.
  package var number: Int32 { descriptor.number }
  /// Whether keys are read now.
  package var isReading: Bool { formerSettings != nil }

  /// Opens the terminal that controls this process; `nil` when there is none, or when the output goes to another one.
  ///
  /// - Parameter output: The descriptor of the picture.
  package init?(output: Int32) {
    // The session of a terminal is that of the processes that it controls.
    guard tcgetsid(output) == getsid(0) else { return nil }
    // Opened anew, because O_NONBLOCK of standard input would hold for the shell, too.
    guard let opened = try? systemCall("open the terminal", { unsafe clinux_open_without_waiting("/dev/tty", 1) })
    else { return nil }
    descriptor = OwnedDescriptor(owning: opened)
  }

  /// Whether our group is in the foreground. A process in the background is stopped when it reads keys.
  package var isInForeground: Bool { Output.isInForeground(number) }

  /// Begins to read keys, if our group is in the foreground. Returns whether keys are read.
  @discardableResult
  package func begin() -> Bool {
    guard !isReading, isInForeground else { return isReading }
    var settings = termios()
    guard unsafe tcgetattr(number, &settings) == 0 else { return false }
    let former = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
    guard unsafe tcsetattr(number, TCSANOW, &settings) == 0 else { return false }
    formerSettings = former
    return true
  }

  /// Restores the settings. In the background they are the shell's already.
  package func end() {
    guard var settings = formerSettings.take(), isInForeground else { return }
    _ = unsafe tcsetattr(number, TCSANOW, &settings)
  }

  /// The bytes typed since the last call; `nil` when no more can be read, because our group is in the background or the
  /// terminal is gone.
  package func readKeys() -> [UInt8]? {
    guard isInForeground else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(number, &bytes, bytes.count)
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    return count == 0 ? nil : Array(bytes[..<count])
  }
}
