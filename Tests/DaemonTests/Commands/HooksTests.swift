import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl hooks")
struct HooksTests {
  @Test func `each program runs in turn at the start and for each change, with the former values beside the new`()
    async throws
  {
    let path = try await ScriptedPath()
    try await path.addHook("20-second", "echo second")
    try await path.addHook("10-first", "echo first $PATH_FORMER_STATUS/$PATH_STATUS/$PATH_REASON/$PATH_CHANGED; cat")
    try await path.addHook("30-off", "echo never", mode: 0o644)
    let hooks = try path.startHooks()
    _ = try await hooks.output.wait(lines: 2)
    try await path.become(satisfied: false)
    let lines = try await hooks.output.wait(lines: 4)
    #expect(
      lines == ["first /satisfied//", "second", "first satisfied/unsatisfied/noRoute/status", "second"])
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    #expect(hooks.complaints.lines.isEmpty, "\(hooks.complaints.lines)")
  }

  @Test func `a program that fails or cannot be run is reported, and the next one is run`() async throws {
    let path = try await ScriptedPath()
    try await path.addHook("10-fails", "exit 3")
    try await path.directory.writeProgram("hooks/20-broken", "#!/bin/sh\r\necho never\r\n")
    try await path.directory.writeProgram("hooks/25-bare", "echo never\n")
    try await path.addHook("30-writable", "echo never", mode: 0o775)
    try await path.addHook("40-next", "echo next")
    let hooks = try path.startHooks()
    try await hooks.output.wait(lineWith: "next")
    try await path.become(satisfied: false)
    _ = try await hooks.output.wait(lines: 2)
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    let lines = hooks.complaints.lines
    let hook = "pathctl: the hook \(path.directory("hooks"))"
    #expect(lines.count { $0 == "\(hook)/10-fails has failed with exit status 3" } == 2)
    #expect(
      lines.contains(
        "\(hook)/20-broken cannot be run: No such file or directory. "
          + "Check the program in its first line, and that its lines do not end with CR and LF."))
    #expect(
      lines.contains(
        "\(hook)/25-bare cannot be run: Exec format error. Does it lack a first line such as '#!/bin/sh'?"))
    #expect(lines.count { $0.contains("30-writable is not run: it may be changed by others") } == 1, "told once")
    #expect(!hooks.output.text.contains("never"))
  }

  @Test func `without the service nothing is run, as the cost is not known, until the service is there`() async throws {
    let path = try await ScriptedPath()
    try await path.addHook("10", "echo ran")
    let socket = path.directory("later")
    let hooks = try path.startHooks("--socket", socket)
    let complaint = try await hooks.complaints.wait(lineWith: "waiting for the service")
    #expect(complaint.hasSuffix("Start pathmonitord, or say --direct."), "\(complaint)")
    #expect(hooks.output.lines.isEmpty)
    let daemon = try await TestDaemon(socket: socket)
    #expect(try await hooks.output.wait(lines: 1) == ["ran"])
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    try await daemon.stop()
  }
}
