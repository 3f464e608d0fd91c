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
    def pagers():
        found = subprocess.run(["ps", "-s", str(child), "-o", "pid=,comm="], capture_output=True, text=True).stdout
        return [int(line.split()[0]) for line in found.splitlines() if line.split()[1] == "less"]
    def pager():
        until(pagers)
        return pagers()[0]
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
      explain(variables="LESS=-R PAGER='sh -c id'")
      assert b"LESS=-R" in variables_of(pager()), "root has no pager but less"
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
    ("$PATHCTL explain --direct --no-pager", "No packet was sent"),
    ("PATHMONITOR_PAGER=cat PAGER=less $PATHCTL explain --direct", "No packet was sent"),
    ("TERM=dumb $PATHCTL explain --direct", "No packet was sent"),
    ("set -o pipefail; $PATHCTL explain --direct | cat", "No packet was sent"),
    ("$PATHCTL explain --direct --json", #""steps":"#),
  ])
  func `without a pager the whole text is shown, and the prompt behind it`(line: String, last: String) async throws {
    try await Self.check(
      """
      answer = begin()
      type(b'\(line)\\n')
      expect(b'\(last)')
      assert status() == answer
      leave()
      """)
  }
}
