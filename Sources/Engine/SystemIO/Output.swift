internal import CLinux
internal import Glibc

/// Writes to standard output and error without buffers.
package enum Output {
  /// The most bytes that a pipe with room takes at once. Source: `PIPE_BUF`, pipe(7).
  private static let pieceLength = 4_096

  /// Writes all bytes, and waits for a slow reader, such as a terminal after Ctrl-S.
  ///
  /// - Throws: ``SystemError``; EPIPE when the reader is gone (SIGPIPE must be ignored, see ``failWithoutSignals()``);
  ///   EINTR when a signal that ends the program waits to be read, so that a reader that has stopped holds up no end.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      while try !hasRoom(descriptor, within: 250) {
        if SignalWatch.isEndPending { throw SystemError("wait for the reader", errorNumber: EINTR) }
      }
      written += try writePiece(of: bytes, from: written, to: descriptor)
    }
  }

  /// Writes a message as far as its reader takes it at once: a message never holds up what it is about.
  ///
  /// - Parameter patience: The time that the reader has for each piece, in milliseconds.
  package static func tell(_ bytes: [UInt8], to descriptor: Int32, patience: Int32 = 100) {
    var written = 0
    while written < bytes.count, (try? hasRoom(descriptor, within: patience)) == true {
      guard let count = try? writePiece(of: bytes, from: written, to: descriptor) else { return }
      written += count
    }
  }

  private static func hasRoom(_ descriptor: Int32, within milliseconds: Int32) throws(SystemError) -> Bool {
    // poll(2) waits for nothing there, and write(2) has the error.
    if descriptor < 0 { return true }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return try systemCall("wait for the reader") { unsafe poll(&request, 1, milliseconds) } > 0
  }

  /// Writes as much as a reader with room takes, and returns the number of bytes.
  private static func writePiece(
    of bytes: [UInt8], from start: Int, to descriptor: Int32
  ) throws(SystemError) -> Int {
    do throws(SystemError) {
      return try systemCall("write") {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe Glibc.write(
            descriptor, buffer.baseAddress?.advanced(by: start), min(buffer.count - start, pieceLength))
        }
      }
    } catch {
      // Another program has made our output non-blocking, and has filled the room.
      guard error.errorNumber == EAGAIN else { throw error }
      return 0
    }
  }

  /// Opens the null device for each closed descriptor of 0, 1 and 2. Otherwise the next file or socket would get its
  /// number and receive the output. Reading and writing there still fail with EBADF. Call it first.
  package static func openStandardDescriptors() throws(SystemError) {
    try systemCall("open /dev/null") { clinux_open_standard_descriptors() }
  }

  /// Makes writing to a closed pipe fail with EPIPE, and writing beyond the largest size of files (RLIMIT_FSIZE) with
  /// EFBIG, instead of ending the program.
  package static func failWithoutSignals() {
    // A handler, although it does nothing: started programs inherit an ignored signal, but no handler.
    for number in [SIGPIPE, SIGXFSZ] where !SignalWatch.isIgnored(number) { _ = signal(number) { _ in } }
  }

  /// Whether the descriptor is a terminal that does not begin a line anew at a line feed.
  package static func isRaw(_ descriptor: Int32) -> Bool {
    var settings = termios()
    return unsafe tcgetattr(descriptor, &settings) == 0 && settings.c_oflag & tcflag_t(OPOST) == 0
  }

  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether the descriptor leads to the journal (systemd.exec(5), `JOURNAL_STREAM`).
  package static func isJournal(_ descriptor: Int32) -> Bool {
    guard let variable = Environment.value("JOURNAL_STREAM") else { return false }
    return Files.deviceAndNumber(of: descriptor).map { "\($0.device):\($0.number)" == variable } ?? false
  }

  /// Whether this process belongs to the foreground group of the terminal.
  package static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// The width of the terminal in columns; `nil` when the descriptor is no terminal.
  package static func terminalWidth(_ descriptor: Int32) -> Int? {
    terminalSize(descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil }
  }

  /// The height of the terminal in rows; `nil` when the descriptor is no terminal.
  package static func terminalHeight(_ descriptor: Int32) -> Int? {
    terminalSize(descriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil }
  }

  private static func terminalSize(_ descriptor: Int32) -> winsize? {
    var size = winsize()
    return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }
}
