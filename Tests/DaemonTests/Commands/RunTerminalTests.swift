import Glibc
import ProcessTestSupport
import Testing

/// At a real terminal with typed input; most tests use a shell with job control.
@Suite("pathctl run at a terminal")
struct RunTerminalTests {
  /// The functions of the scripts below: `shell` starts bash at a terminal, `expect` waits for output, `type` types.
  static let terminal = """
    import os, pty, re, signal, subprocess, sys, time
    pathctl, directory = sys.argv[1], sys.argv[2]
    seen = b""
    def start(words):
        global child, fd
        child, fd = pty.fork()
        if child == 0:
            os.environ.update(PS1="READY> ", PATHMONITOR_SOCKET=f"{directory}/socket", TERM="dumb", PATHCTL=pathctl)
            os.execvp(words[0], words)
    def shell():
        start(["bash", "--norc", "--noprofile", "--noediting", "-i"])
        expect(b"READY> ")
    def expect(pattern):
        global seen
        deadline = time.monotonic() + 15
        while True:
            match = re.search(pattern, seen)
            if match:
                seen = seen[match.end():]
                return match
            signal.alarm(max(1, int(deadline - time.monotonic())))
            try:
                seen += os.read(fd, 4096)
            except OSError:
                sys.exit(f"ended before {pattern}: {seen}")
            signal.alarm(0)
    def give_up(*_):
        sys.exit(f"never came: {seen}")
    signal.signal(signal.SIGALRM, give_up)
    def type(text):
        os.write(fd, text)
    def script(name, text):
        with open(f"{directory}/{name}", "w") as file:
            file.write(text)
    def state(pid):
        try:
            return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return None
    def until(holds):
        deadline = time.monotonic() + 10
        while not holds():
            assert time.monotonic() < deadline, seen
            time.sleep(0.005)
    def wait_state(pid, states):
        until(lambda: state(pid) in states)
    def settings():
        return subprocess.run(["stty", "-a"], stdin=fd, capture_output=True).stdout
    def gone(group):
        try:
            os.killpg(group, 0)
            return False
        except ProcessLookupError:
            return True
    def run(name, options="", behind=""):
        type(f"$PATHCTL run connected {options} -- sh {directory}/{name} {behind}\\n".encode())
    def status():
        expect(b"READY> ")
        type(b"echo status=$?\\n")
        return int(expect(rb"status=(\\d+)").group(1))
    def wait_until_shell_says_stopped():
        # It says so with a prompt, once it knows: a job that is killed before waits with the signal until it is continued.
        deadline = time.monotonic() + 10
        while True:
            type(b"\\n")
            if b"Stopped" in expect(rb"(?s).*?READY> ").group(0):
                return
            assert time.monotonic() < deadline, seen
            time.sleep(0.02)
    def leave():
        type(b"exit\\n")
        os.waitpid(child, 0)
    echoing = "echo pid $$; while read -r line; do echo \\"got $line\\"; done; echo over"
    def pid():
        return int(expect(rb"pid (\\d+)").group(1))
    """

  /// Runs a script. Each line that it prints is a rule that does not hold.
  static func check(_ script: String, path: ScriptedPath? = nil) async throws {
    let path = if let path { path } else { try await ScriptedPath() }
    let outcome = try await Python.run(terminal + "\n" + script, RunningProgram.pathctl, path.directory.path)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
  }

  @Test func `Ctrl-C reaches the command, once, and its answer is the exit status`() async throws {
    try await Self.check(
      """
      script("a", "trap 'echo caught; exit 3' INT; sleep 1000 & echo pid $$; wait")
      shell()
      run("a")
      group = pid()
      type(b"\\x03")
      expect(b"caught")
      assert status() == 3
      assert gone(group)
      script("b", "echo pid $$; exec sleep 1000")
      run("b")
      group = pid()
      # A shell that is about to start a program may lose the signal.
      until(lambda: open(f"/proc/{group}/comm").read().strip() == "sleep")
      type(b"\\x03")
      assert status() == 130
      assert gone(group)
      leave()
      """)
  }

  @Test func `a message while the command has the terminal raw is a line of its own`() async throws {
    let path = try await ScriptedPath()
    try await path.become(ScriptedWay.wired)
    let script = """
      start([pathctl, "run", "connected", "--on-change", "restart", "--", "sh", "-c",
             "trap '' TERM; stty raw -echo; echo is set; while :; do sleep 0.05; done"])
      expect(b"is set\\n")
      print("raw", flush=True)
      print("bytes", expect(rb"\\r?pathctl: [^\\n]*\\n").group(0), flush=True)
      os.kill(child, signal.SIGKILL)
      """
    let run = try RunningProgram(
      ["python3", "-u", "-c", Self.terminal + "\n" + script, RunningProgram.pathctl, path.directory.path])
    try await run.output.wait(lineWith: "raw")
    try await path.become(ScriptedWay.wireless)
    let text = try await run.output.wait(lineWith: "bytes")
    #expect(text.hasPrefix(#"bytes b'\rpathctl: the command is restarted, as there is another source address: "#))
    #expect(text.hasSuffix(#"\r\n'"#), "\(text)")
    #expect(try await run.waitForExit() == 0, "\(run.complaints.text)")
  }

  @Test func `the command reads the typed input, Ctrl-Z stops it and then pathctl, and fg continues both`() async throws
  {
    try await Self.check(
      """
      script("a", echoing)
      shell()
      run("a")
      group = pid()
      for word in (b"one", b"two"):
          type(word + b"\\n")
          expect(b"got " + word)
          type(b"\\x1a")
          expect(b"Stopped")
          expect(b"READY> ")
          assert state(group) == "T"
          type(b"fg\\n")
          wait_state(group, "SR")
      type(b"three\\n")
      expect(b"got three")
      type(b"\\x04")
      expect(b"\\nover")
      assert status() == 0
      assert gone(group) and os.tcgetpgrp(fd) == child
      leave()
      """)
  }

  @Test func `in the background the command stops the job when it reads, and goes on in the foreground`() async throws {
    try await Self.check(
      """
      script("a", echoing)
      shell()
      run("a", behind="&")
      group = pid()
      wait_until_shell_says_stopped()
      assert state(group) == "T"
      type(b"fg\\n")
      type(b"one\\n")
      expect(b"got one")
      type(b"\\x1a")
      expect(b"Stopped")
      expect(b"READY> ")
      type(b"bg\\n")
      expect(b"READY> ")
      wait_until_shell_says_stopped()
      type(b"kill %1\\n")
      expect(b"READY> ")
      # The shell may still take it for stopped for a moment.
      type(b"while wait $!; s=$?; [ $s = 148 ]; do sleep 0.1; done; echo status=$s\\n")
      expect(rb"status=143")
      assert gone(group)
      leave()
      """)
  }

  @Test func `in a pipeline the command gets the terminal when it asks`() async throws {
    try await Self.check(
      """
      script("a", echoing)
      shell()
      run("a", behind="| cat")
      group = pid()
      type(b"one\\n")
      expect(b"got one")
      assert os.tcgetpgrp(fd) == group
      type(b"\\x1a")
      expect(b"Stopped")
      expect(b"READY> ")
      type(b"fg\\n")
      type(b"two\\n")
      expect(b"got two")
      type(b"\\x04")
      expect(b"\\nover")
      assert status() == 0
      script("b", "trap 'echo caught; exit 3' INT; sleep 1000 & echo pid $$; wait")
      type(b"set -o pipefail\\n")
      expect(b"READY> ")
      run("b", behind="| (trap '' INT; cat)")
      group = pid()
      assert os.tcgetpgrp(fd) != group
      type(b"\\x03")
      expect(b"caught")
      assert status() == 3
      leave()
      """)
  }

  @Test func `if no shell could continue us Ctrl-Z leaves the command running`() async throws {
    try await Self.check(
      """
      script("a", echoing)
      start([pathctl, "run", "connected", "--", "sh", f"{directory}/a"])
      group = int(expect(rb"pid (\\d+)").group(1))
      type(b"\\x1a")
      type(b"one\\n")
      expect(b"got one")
      type(b"\\x03")
      try:
          while os.read(fd, 4096):
              pass
      except OSError:
          pass
      assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 130
      assert gone(group)
      """)
  }

  @Test func `a command that is killed leaves the terminal as it was before`() async throws {
    try await Self.check(
      """
      script("a", "stty -echo -icanon; kill -9 $$")
      shell()
      assert b" -icanon" not in settings()
      run("a")
      assert status() == 137
      assert b" -icanon" not in settings() and b" -echo " not in settings()
      leave()
      """)
  }

  @Test func `while the command is paused the terminal is ours: Ctrl-Z and Ctrl-C work`() async throws {
    try await Self.check(
      """
      script("a", "trap 'echo caught; exit 3' INT; stty -echo -icanon; sleep 1000 & echo pid $$; wait")
      shell()
      run("a", "--on-loss pause")
      group = pid()
      service = int(subprocess.run(["pgrep", "-f", f"{directory}/socket 1"], capture_output=True).stdout.split()[0])
      assert b" -icanon" in settings()
      os.kill(service, signal.SIGUSR2)
      expect(b"is paused")
      wait_state(group, "T")
      until(lambda: os.tcgetpgrp(fd) != group and b" -icanon" not in settings())
      type(b"\\x1a")
      expect(b"Stopped")
      expect(b"READY> ")
      assert state(group) == "T"
      type(b"fg\\n")
      expect(b"run connected")
      os.kill(service, signal.SIGUSR1)
      wait_state(group, "SR")
      until(lambda: os.tcgetpgrp(fd) == group)
      assert b" -icanon" in settings()
      os.kill(service, signal.SIGUSR2)
      expect(b"is paused")
      wait_state(group, "T")
      until(lambda: os.tcgetpgrp(fd) != group)
      type(b"\\x03")
      expect(b"caught")
      assert status() == 3
      assert gone(group)
      leave()
      """)
  }

  @Test func `while nothing runs Ctrl-C ends pathctl, and Ctrl-Z stops it`() async throws {
    try await Self.check(
      """
      script("a", "echo pid $$; exec sleep 1000")
      shell()
      run("a")
      expect(b"run connected.*\\n")
      # The path is lost: nothing comes but the end of waiting.
      time.sleep(0.2)
      type(b"\\x1a")
      expect(b"Stopped")
      expect(b"READY> ")
      type(b"fg\\n")
      expect(b"run connected.*\\n")
      time.sleep(0.05)
      type(b"\\x03")
      assert status() == 130
      leave()
      """, path: try await ScriptedPath(isSatisfied: false))
  }
}
