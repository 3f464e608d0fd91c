import ProcessTestSupport
import Testing

/// At a real terminal, in a shell with job control. Root runs the tests, so less(1) is the pager, in its secure mode.
@Suite("The pager of pathctl", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct PagerTerminalTests {
  private static let helpers = """
    import fcntl, struct, termios
    def explain(options="", variables=""):
        type(f"{variables} $PATHCTL explain --direct {options}\\n".encode())
    def begin():
        shell()
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 8, 100, 0, 0))
        type(b"export TERM=xterm; unset LESS PAGER PATHMONITOR_PAGER; $PATHCTL status --direct --quiet\\n")
        return status()
    def pager():
        deadline = time.monotonic() + 10
        while True:
            found = subprocess.run(["ps", "-s", str(child), "-o", "pid=,comm="], capture_output=True, text=True).stdout
            for line in found.splitlines():
                pid, name = line.split()
                if name == "less":
                    return int(pid)
            assert time.monotonic() < deadline, (found, seen)
            time.sleep(0.005)
    def variables_of(pid):
        return open(f"/proc/{pid}/environ", "rb").read().split(b"\\0")

    """

  private static func check(_ script: String) async throws {
    try await RunTerminalTests.check(helpers + script)
  }

  @Test func `a text longer than the screen is paged, and the exit status is that of the answer`() async throws {
    try await Self.check(
      """
      answer = begin()
      explain()
      variables = variables_of(pager())
      assert b"LESS=FRSXMK" in variables and b"LESSSECURE=1" in variables, variables
      type(b"q")
      assert status() == answer
      explain(variables="LESS=-R")
      assert b"LESS=-R" in variables_of(pager())
      type(b"q")
      assert status() == answer
      leave()
      """)
  }

  @Test func `Ctrl-Z does not stop pathctl while its pager ignores it, and Ctrl-C ends both`() async throws {
    try await Self.check(
      """
      answer = begin()
      explain()
      first = pager()
      expect(b"lines 1-")
      type(b"\\x1a")
      assert state(first) == "S"
      type(b"q")
      assert status() == answer
      explain()
      second = pager()
      expect(b"lines 1-")
      type(b"\\x03")
      assert status() == answer
      assert state(second) in (None, "Z")
      leave()
      """)
  }

  @Test(arguments: [
    ("--no-pager", ""), ("--json", ""), ("", "PATHMONITOR_PAGER="), ("", "PAGER=cat"),
    ("", "PATHMONITOR_PAGER=cat PAGER=less"), ("", "TERM=dumb"),
  ])
  func `without a pager the whole text is on the terminal, and the prompt behind it`(options: String, variables: String)
    async throws
  {
    let last = options == "--json" ? "\"steps\":" : "No packet was sent"
    try await Self.check(
      """
      answer = begin()
      explain("\(options)", "\(variables)")
      expect(b'\(last)')
      assert status() == answer
      leave()
      """)
  }

  @Test func `a pipe gets no pager, and root none but less`() async throws {
    try await Self.check(
      """
      answer = begin()
      type(b"$PATHCTL explain --direct | cat; echo end\\n")
      expect(b"No packet was sent")
      expect(b"end")
      explain(variables="PAGER='sh -c id'")
      pager()
      type(b"q")
      assert status() == answer
      leave()
      """)
  }
}
