import Glibc
import ProcessTestSupport
import Testing

/// Programs that are ended with all that they have started, in each verb that runs programs.
@Suite("What programs leave behind")
struct LeftBehindTests {
  /// Scripts whose processes leave the group of their first process. Each prints `pid` and the number of a process that
  /// no SIGTERM ends.
  private enum Escape: String, CaseIterable, CustomTestStringConvertible {
    case background = "trap '' TERM; sh -c 'echo pid $$; exec sleep 1000' & wait"
    case session = "trap '' TERM; setsid sh -c 'echo pid $$; exec sleep 1000' & wait"
    case daemon = "(trap '' TERM; setsid sh -c 'echo pid $$; exec sleep 1000' & ); exec sleep 1000"
    /// The first process joins the group of its parent, pathctl.
    case parentsGroup = """
      exec python3 -c '
      import os, signal, time
      os.setpgid(0, os.getpgid(os.getppid()))
      signal.signal(signal.SIGTERM, signal.SIG_IGN)
      print("pid", os.getpid(), flush=True)
      time.sleep(1000)'
      """
    /// The first process joins the group of its child.
    case childsGroup = """
      exec python3 -c '
      import os, signal, time
      signal.signal(signal.SIGTERM, signal.SIG_IGN)
      child = os.fork()
      if child == 0:
          os.setpgid(0, 0)
          time.sleep(1000)
      while os.getpgid(child) != child:
          time.sleep(0.01)
      os.setpgid(0, child)
      print("pid", os.getpid(), flush=True)
      time.sleep(1000)'
      """

    var testDescription: String { "\(self)" }
  }

  /// A verb that runs programs.
  private enum Runner: CaseIterable {
    case hooks, watch, targets, run

    func start(_ script: String, _ path: ScriptedPath) async throws -> RunningProgram {
      switch self {
      case .hooks:
        try await path.addHook("10", script)
        return try path.startHooks()
      case .watch: return try path.start(["watch", "--exec", script])
      case .run: return try path.run("--grace", "300ms", script: script)
      case .targets:
        try await path.directory.writeProgram("systemctl", "#!/bin/sh\n\(script)\n")
        return try path.start(["targets"], environment: ["PATH": "\(path.directory.path):/usr/bin:/bin"])
      }
    }
  }

  @Test(arguments: [Escape.session, .daemon])
  private func `hooks ends all of a program that takes too long, and runs the next one`(escape: Escape) async throws {
    let path = try await ScriptedPath()
    try await path.addHook("10", escape.rawValue)
    try await path.addHook("20", "echo next")
    let hooks = try path.startHooks("--timeout", "1s")
    let process = try await hooks.output.number(after: "pid")
    // The time limit, and the grace time of 5 s.
    try await hooks.output.wait(lineWith: "next", within: .seconds(30))
    #expect(!ProcessTable.isThere(process))
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    let complaints = hooks.complaints.lines
    try #require(complaints.count >= 2)
    let hook = "pathctl: the hook \(path.directory("hooks"))/10"
    #expect(complaints[0] == "\(hook) takes too long, and is ended")
    #expect(complaints[1].hasPrefix("\(hook) was ended by signal "))
  }

  @Test(arguments: Runner.allCases.map { ($0, Escape.session) } + Escape.allCases.map { (.run, $0) })
  private func `a verb obeys SIGTERM in a bounded time, and leaves nothing running`(
    runner: Runner, escape: Escape
  ) async throws {
    let path = try await ScriptedPath()
    let program = try await runner.start(escape.rawValue, path)
    let process = try await program.output.number(after: "pid")
    program.send(SIGTERM)
    #expect((runner == .run ? [137, 143] : [143]).contains(try await program.waitForExit()))
    #expect(!ProcessTable.isThere(process))
  }

  @Test(arguments: Escape.allCases)
  private func `run ends all of a command when the path is lost or leads another way, and starts it again`(
    escape: Escape
  ) async throws {
    let path = try await ScriptedPath()
    try await path.become(ScriptedWay.wired)
    let run = try path.run("--grace", "300ms", "--on-change", "restart", script: escape.rawValue)
    let first = try await run.output.number(after: "pid")
    try await path.become(ScriptedWay.wireless)
    let second = try await run.output.number(after: "pid", skipping: 1)
    #expect(!ProcessTable.isThere(first))
    try await path.become(satisfied: false)
    try await ProcessTable.wait(forEndOf: second)
    try await path.become(satisfied: true)
    let third = try await run.output.number(after: "pid", skipping: 2)
    run.send(SIGTERM)
    _ = try await run.waitForExit()
    #expect(!ProcessTable.isThere(third))
  }

  @Test func `pause stops and continues processes that have left the group of the command`() async throws {
    let path = try await ScriptedPath()
    let run = try path.run(
      "--on-loss", "pause", script: "setsid sh -c 'echo pid $$; exec sleep 1000' & wait")
    let process = try await run.output.number(after: "pid")
    try await path.become(satisfied: false)
    try await ProcessTable.wait(for: "T", of: process)
    try await path.become(satisfied: true)
    try await ProcessTable.wait(for: "S", of: process)
    run.send(SIGTERM)
    #expect(try await run.waitForExit() == 143)
    #expect(!ProcessTable.isThere(process))
  }

  @Test func `what a hook leaves in the background has ended before the next one is run`() async throws {
    let path = try await ScriptedPath()
    try await path.addHook("10", "sleep 1000 & echo pid $!; setsid sleep 1000 & echo pid $!")
    try await path.addHook("20", "echo next")
    let hooks = try path.startHooks()
    try await hooks.output.wait(lineWith: "next")
    for count in 0...1 {
      #expect(!ProcessTable.isThere(try await hooks.output.number(after: "pid", skipping: count)))
    }
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    #expect(hooks.complaints.lines.isEmpty, "\(hooks.complaints.lines)")
  }

  @Test func `a child that is older than pathctl is left alone`() async throws {
    let path = try await ScriptedPath()
    let shell = try RunningProgram([
      "sh", "-c", "sleep 1000 & echo pid $!; exec \"$@\"", "sh", RunningProgram.pathctl, "run", "connected",
      "--socket", path.socket, "--", "true",
    ])
    let process = try await shell.output.number(after: "pid")
    // Its output stays open as long as the child lives, so the end of pathctl is seen by its number.
    try await ProcessTable.wait(for: "Z", of: shell.processIdentifier)
    #expect(ProcessTable.isThere(process))
    kill(process, SIGKILL)
    #expect(try await shell.waitForExit() == 0)
  }
}
