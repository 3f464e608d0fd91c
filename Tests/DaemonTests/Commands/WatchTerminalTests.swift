import ProcessTestSupport
import Testing

/// At a real terminal, in a shell with job control.
@Suite("pathctl watch at a terminal")
struct WatchTerminalTests {
  /// Functions of the scripts below, besides those of ``RunTerminalTests/terminal``.
  private static let helpers = """
    import fcntl, struct, termios
    def size(columns, rows):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    def watch(behind=""):
        shell()
        size(100, 30)
        type(b"export TERM=xterm; stty -a | grep -c -- '-icanon'\\n")
        expect(b"READY> ")
        type(f"$PATHCTL watch {behind}\\n".encode())
    def drawn():
        expect(rb"\\x1b\\[\\?25l[^$]*?ends\\)")
    def modes():
        return termios.tcgetattr(fd)[3] & (termios.ICANON | termios.ECHO)
    def wait_modes(wanted):
        until(lambda: modes() == wanted)
    service = lambda: int(subprocess.run(["pgrep", "-f", f"{directory}/socket [01]"], capture_output=True).stdout.split()[0])

    """

  private static func check(_ script: String) async throws {
    try await RunTerminalTests.check(helpers + script)
  }

  @Test(arguments: ["q", "\\x04"])
  func `a key ends it, is not echoed, and the terminal is as it was`(key: String) async throws {
    try await Self.check(
      """
      watch()
      drawn()
      wait_modes(0)
      type(b"x")
      type(b"\(key)")
      rest = expect(rb"(?s)(.*?)READY> ").group(1)
      assert b"x" not in rest and b"q" not in rest and b"\\x1b[?25h" in rest, rest
      type(b"echo status=$?\\n")
      assert int(expect(rb"status=(\\d+)").group(1)) == 0
      assert b" -icanon" not in settings() and b" -echo " not in settings(), settings()
      leave()
      """)
  }

  @Test func `Ctrl-Z gives the terminal back, and fg draws the picture anew and takes keys again`() async throws {
    try await Self.check(
      """
      watch()
      expect(rb"(?s)connected.*?watched since [-0-9: ]*\\(q ends\\)")
      for _ in range(2):
          wait_modes(0)
          type(b"\\x1a")
          expect(rb"\\x1b\\[\\?25h")
          expect(b"Stopped")
          expect(b"READY> ")
          type(b"fg\\n")
          expect(b"watch")
          picture = expect(rb"(?s)\\x1b\\[\\?25l(.*?ends\\))").group(1)
          assert b"connected" in picture
          # It is drawn below what the shell has written, not over it.
          assert not re.search(rb"\\x1b\\[\\d+A", picture), picture
      wait_modes(0)
      os.kill(service(), signal.SIGUSR2)
      expect(rb"\\x1b\\[\\d+A\\r(?s:.*?)offline(?s:.*?)since [^w]*changed: status")
      type(b"q")
      assert status() == 0
      leave()
      """)
  }

  @Test func `the effects of a stop that it cannot see are repaired when it is continued`() async throws {
    try await Self.check(
      """
      watch()
      drawn()
      wait_modes(0)
      pid = os.tcgetpgrp(fd)
      os.killpg(pid, signal.SIGSTOP)
      expect(b"Stopped")
      expect(b"READY> ")
      type(b"fg\\n")
      expect(b"watch")
      drawn()
      wait_modes(0)
      type(b"\\x03")
      assert status() == 130
      leave()
      """)
  }

  @Test func `in the background it writes lines, and leaves the terminal to the shell`() async throws {
    try await Self.check(
      """
      watch("&")
      expect(rb"\\d\\d:\\d\\d connected\\r\\n")
      os.kill(service(), signal.SIGUSR2)
      expect(rb"\\d\\d:\\d\\d offline: ")
      type(b"echo mo''re\\n")
      expect(b"more")
      type(b"kill %1; wait; echo o''ver\\n")
      rest = expect(rb"(?s)(.*?)over").group(1)
      assert b"\\x1b[?25" not in rest, rest
      leave()
      """)
  }

  @Test func `a picture fits the terminal, and follows its size`() async throws {
    try await Self.check(
      """
      watch()
      drawn()
      size(24, 6)
      os.kill(os.tcgetpgrp(fd), signal.SIGWINCH)
      picture = expect(rb"(?s)\\x1b\\[\\d+A\\r(.*?)\\x1b\\[J").group(1)
      lines = re.sub(rb"\\x1b\\[[0-9;?]*[A-Za-z]", b"", picture).decode().split("\\r\\n")
      assert len(lines) <= 6 and max(map(len, lines)) <= 24, lines
      type(b"q")
      assert status() == 0
      leave()
      """)
  }
}
