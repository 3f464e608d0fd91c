import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl hooks")
struct HooksTests {
  /// A directory of programs beside the socket of a scripted service.
  private struct Stage {
    let path: ScriptedPath
    let directory: String

    init() async throws {
      path = try await ScriptedPath()
      directory = path.directory("hooks")
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    /// Adds a program for the shell.
    func add(_ name: String, _ script: String, mode: UInt32 = 0o755) async throws {
      try await path.directory.writeProgram("hooks/\(name)", "#!/bin/sh\n\(script)\n", mode: mode)
    }

    func start(_ options: String...) throws -> RunningProgram {
      try path.start(["hooks", "--directory", directory] + options)
    }
  }

  @Test func `each program runs in turn at the start and for each change, with the former values beside the new`()
    async throws
  {
    let stage = try await Stage()
    try await stage.add("20-second", "echo second")
    try await stage.add("10-first", "echo first $PATH_FORMER_STATUS/$PATH_STATUS/$PATH_REASON/$PATH_CHANGED; cat")
    try await stage.add("30-off", "echo never", mode: 0o644)
    let hooks = try stage.start()
    _ = try await hooks.output.wait(lines: 2)
    try await stage.path.become(satisfied: false)
    let lines = try await hooks.output.wait(lines: 4)
    #expect(
      lines == ["first /satisfied//", "second", "first satisfied/unsatisfied/noRoute/status", "second"])
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    #expect(hooks.complaints.lines.isEmpty, "\(hooks.complaints.lines)")
  }

  @Test func `a program that fails or cannot be run is reported, and the next one is run`() async throws {
    let stage = try await Stage()
    try await stage.add("10-fails", "exit 3")
    try await stage.path.directory.writeProgram("hooks/20-broken", "#!/bin/sh\r\necho never\r\n")
    try await stage.path.directory.writeProgram("hooks/25-bare", "echo never\n")
    try await stage.add("30-writable", "echo never", mode: 0o775)
    try await stage.add("40-next", "echo next")
    let hooks = try stage.start()
    try await hooks.output.wait(lineWith: "next")
    try await stage.path.become(satisfied: false)
    _ = try await hooks.output.wait(lines: 2)
    hooks.send(SIGTERM)
    #expect(try await hooks.waitForExit() == 143)
    let lines = hooks.complaints.lines
    let failed = "pathctl: the hook \(stage.directory)/10-fails has failed with exit status 3"
    #expect(lines.count { $0 == failed } == 2)
    #expect(
      lines.contains(
        "pathctl: the hook \(stage.directory)/20-broken cannot be run: No such file or directory. "
          + "Check the program in its first line, and that its lines do not end with CR and LF."))
    #expect(
      lines.contains(
        "pathctl: the hook \(stage.directory)/25-bare cannot be run: Exec format error. "
          + "Does it lack a first line such as '#!/bin/sh'?"))
    #expect(lines.count { $0.contains("30-writable is not run: it may be changed by others") } == 1, "told once")
    #expect(!hooks.output.text.contains("never"))
  }

  @Test func `without the service nothing is run, as the cost is not known, until the service is there`() async throws {
    let stage = try await Stage()
    try await stage.add("10", "echo ran")
    let socket = stage.path.directory("later")
    let hooks = try RunningProgram([
      RunningProgram.pathctl, "hooks", "--directory", stage.directory, "--socket", socket,
    ])
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

@Suite(
  "pathctl hooks with the service", .enabled(if: mayMakeNamespaces, Comment(rawValue: needsNamespaces)))
struct ServedHooksTests {
  @Test func `a program sees the path of the service as it changes`() async throws {
    try await TestNetwork.with { network in
      try await network.connect("uplink0")
      let daemon = try await TestDaemon(namespace: network.near)
      let directory = try ScratchDirectory()
      try directory.setMode(".", 0o755)
      try await directory.writeProgram(
        "10-show", "#!/bin/sh\necho \"$PATH_FORMER_INTERFACE>$PATH_INTERFACE ($PATH_CHANGED)\"\n")
      let hooks = try daemon.start("hooks", "--directory", directory.path)
      #expect(try await hooks.output.wait(lines: 1) == [">uplink0 ()"])
      try await network.ip("route delete default")
      let second = try await hooks.output.wait(lines: 2)[1]
      #expect(second.hasPrefix("uplink0> (status"), "\(second)")
      hooks.send(SIGTERM)
      #expect(try await hooks.waitForExit() == 143)
      try await daemon.stop()
    }
  }
}
