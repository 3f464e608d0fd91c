import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl run: start, end and signals")
struct RunEndingTests {
  @Test(
    arguments: [
      ("exit 0", 0), ("(sleep 1000 & sleep 1000) & (sleep 1000 | cat) & exit 255", 255), ("kill -SEGV $$", 139),
    ] as [(String, Int32)])
  func `the exit status of the command is that of pathctl, and its remaining processes are ended`(
    script: String, status: Int32
  ) async throws {
    let path = try await ScriptedPath()
    let run = try path.run(script: "echo pid $$; \(script)")
    #expect(try await run.waitForExit() == status)
    #expect(ProcessTable.isEmpty(group: try await run.output.number(after: "pid")))
    #expect(run.complaints.lines.isEmpty)
  }

  @Test func `the sockets and the watchdog of a unit are the command's, and those of another process are not`()
    async throws
  {
    let path = try await ScriptedPath()
    let names = "$LISTEN_PID $WATCHDOG_PID $LISTEN_FDS $LISTEN_PIDFDID"
    for (values, expected) in [
      ("LISTEN_PID=$$ WATCHDOG_PID=$$ LISTEN_FDS=2 LISTEN_PIDFDID=7", "own own 2"), ("LISTEN_PID=$$", "own"),
      ("LISTEN_PID=1 WATCHDOG_PID=$$", "1 own"), ("LISTEN_PID=1 LISTEN_PIDFDID=7", "1 7"),
    ] {
      let run = try RunningProgram([
        "sh", "-c", #"export \#(values); exec "$@""#, "sh", RunningProgram.pathctl, "run", "connected", "--socket",
        path.directory("socket"), "--", "sh", "-c", "echo $$ \(names); exit 3", "a  b",
      ])
      #expect(try await run.waitForExit() == 3)
      let words = try #require(run.output.lines.first).split(separator: " ")
      #expect(words.dropFirst().map { $0 == words[0] ? "own" : $0 }.joined(separator: " ") == expected)
    }
  }

  @Test func `a command that does not exist or cannot be run is reported in one sentence`() async throws {
    let path = try await ScriptedPath()
    try path.directory.write("plain", "echo")
    try await path.directory.writeProgram("orphaned", "#!/no/such/shell\n")
    let (plain, orphaned) = (path.directory("plain"), path.directory("orphaned"))
    let table: [(command: String, status: Int32, sentence: String)] = [
      ("no-such-command", 127, "there is no command 'no-such-command'. Check the spelling, or write its path."),
      ("/no/such/command", 127, "there is no command '/no/such/command'."),
      (plain, 126, "the command '\(plain)' cannot be run: Permission denied. Is it an executable file?"),
      (orphaned, 126, "the command '\(orphaned)' cannot be run: No such file or directory. Check the"),
    ]
    for (command, status, sentence) in table {
      let run = try path.start(["run", "connected", "--", command])
      #expect(try await run.waitForExit() == status, "\(command)")
      #expect(run.complaints.lines.count == 1)
      #expect(run.complaints.text.hasPrefix("pathctl: \(sentence)"), "\(run.complaints.text)")
    }
  }

  @Test func `the command finds its arguments, environment, signals and descriptors as without pathctl`() async throws {
    let path = try await ScriptedPath()
    // glibc keeps two signals for itself, and leaves them ignored in every program that it spawns.
    let script = """
      printf '%s|' "$@" | od -c; echo "$FIRST"; ls /proc/self/fd
      grep -E 'Sig(Blk|Ign)|ShdPnd' /proc/self/status | sed 's/0180000000$/0000000000/'
      """
    // Both start from one shell, as they are to inherit the same. The last argument is no valid UTF-8.
    let shell = #"""
      export FIRST=1 script="$1"; shift
      give() { "$@" sh -c "$script" name -x -- "a b" "" "$(printf '\377')"; }
      give; echo then; give "$@"
      """#
    let both = try await RunningProgram.run(
      ["bash", "-c", shell, "bash", script, RunningProgram.pathctl, "run", "connected", "--socket", path.socket, "--"])
    let parts = both.output.split(separator: "then\n")
    #expect(both.status == 0 && parts.count == 2)
    #expect(parts.first == parts.last)
    #expect(both.output.contains("377"))
  }

  @Test func `orphans leave no zombies while the command runs`() async throws {
    let path = try await ScriptedPath()
    let run = try path.run(
      script: "echo pid $$; (sh -c 'echo orphan $$; read x < /proc/none' 2> /dev/null & ); exec sleep 1000")
    let orphan = try await run.output.number(after: "orphan")
    let group = try await run.output.number(after: "pid")
    try await ProcessTable.wait(forEndOf: orphan)
    #expect(run.isRunning)
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
    #expect(ProcessTable.isEmpty(group: group))
  }

  // MARK: Signals

  @Test(
    arguments: [(SIGINT, "INT"), (SIGTERM, "TERM"), (SIGHUP, "HUP"), (SIGQUIT, "QUIT"), (SIGUSR1, "USR1")]
      as [(Int32, String)])
  func `a signal is passed on, and the command decides its effect`(signal: Int32, name: String) async throws {
    let path = try await ScriptedPath()
    let run = try path.run(
      script: "trap 'echo caught; kill $!; exit 9' \(name); sleep 1000 & echo pid $$; wait")
    let group = try await run.output.number(after: "pid")
    run.send(signal)
    #expect(try await run.waitForExit() == 9)
    #expect(run.output.lines.contains("caught"))
    #expect(ProcessTable.isEmpty(group: group))
    let plain = try path.run(script: "echo pid $$; exec sleep 1000")
    try await ProcessTable.wait(forProgram: "sleep", as: try await plain.output.number(after: "pid"))
    plain.send(signal)
    #expect(try await plain.waitForExit() == 128 + signal)
  }

  @Test func `a signal that was ignored at the start stays ignored`() async throws {
    let path = try await ScriptedPath()
    let run = try RunningProgram(
      [
        "sh", "-c", "trap '' HUP; exec \"$@\"", "sh", RunningProgram.pathctl, "run", "connected", "--socket",
        path.socket, "--", "sh", "-c", "echo pid $$; exec sleep 1000",
      ])
    let group = try await run.output.number(after: "pid")
    run.send(SIGHUP)
    try await path.become(satisfied: false)
    try await path.become(satisfied: true)
    // The signal has not ended pathctl, so the command is started again.
    let second = try await run.output.number(after: "pid", skipping: 1)
    #expect(group != second)
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
    #expect(ProcessTable.isEmpty(group: group) && ProcessTable.isEmpty(group: second))
  }
}
