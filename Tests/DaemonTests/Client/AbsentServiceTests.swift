import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl without the service")
struct AbsentServiceTests {
  private static let silent = [#""silence""#]
  /// The replies of programs at the socket in place of the service; the first one is none.
  private static let strangers = [
    [], silent, [#""close""#], [#""HTTP/1.1 400 Bad Request\r\n\r\n\u0000""#], ["[[1, 2]]"],
  ]

  private static func rows(_ verbs: String...) -> [([String], String)] {
    strangers.map { ($0, verbs[0]) } + verbs.dropFirst().map { ([], $0) }
  }

  @Test(
    arguments: rows(
      "status --json", "interfaces --json", "explain --json", "check connected", "watch --json --count 1")
      + [(silent, "watch --json --count 1")])
  func `the kernel is asked instead, with exactly one note`(replies: [String], verb: String) async throws {
    let service = try await ScriptedService(replies)
    // It ends by itself, also if the service never answers.
    let outcome = try await service.pathctl(verb)
    let direct = try await service.pathctl("\(verb) --direct")
    #expect(outcome.status == direct.status)
    #expect(outcome.output.isEmpty == direct.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathctl: the service does not answer, so the kernel is asked: "))
    #expect(outcome.complaints.contains(service.socket))
    #expect(outcome.complaints.isOneLine, "\(outcome.complaints)")
    #expect(direct.complaints.isEmpty)
  }

  @Test(
    arguments: [
      ("check unmetered", 69), ("check --condition unmetered", 255), ("wait --timeout 1s unmetered", 69),
      ("run wifi,unmetered -- echo ran", 69),
    ] as [(String, Int32)])
  func `a requirement on cost cannot be judged, unless --direct is given`(line: String, status: Int32) async throws {
    let service = try await ScriptedService([])
    let outcome = try await service.pathctl(line)
    #expect(outcome.status == status && outcome.output.isEmpty)
    #expect(outcome.complaints.contains("cannot be known without the service. Start pathmonitord, or say --direct"))
    if line.hasPrefix("run") { return }
    #expect([0, 1, 124].contains(try await service.pathctl("\(line) --direct").status))
  }

  @Test(arguments: rows("override set isExpensive true", "override list", "override clear", "health"))
  func `a verb that needs the service fails with 69 and a question`(replies: [String], verb: String) async throws {
    let outcome = try await ScriptedService(replies).pathctl(verb)
    #expect(outcome.status == 69 && outcome.output.isEmpty)
    #expect(outcome.complaints.hasSuffix(". Is pathmonitord running?\n"), "\(outcome.complaints)")
    #expect(outcome.complaints.isOneLine)
  }

  @Test(arguments: [
    "check --conditon wifi", "check --condition=yes wifi", "chekc --condition wifi", "check --condition wiffi",
  ])
  func `a condition that is mistyped fails its unit`(line: String) async throws {
    let outcome = try await ScriptedService([]).pathctl(line)
    #expect(outcome.status == 255 && outcome.complaints.isOneLine)
  }

  @Test func `a condition whose output has no room fails its unit`() async throws {
    let outcome = try await RunningProgram.run([
      "bash", "-c", "\"$0\" check --condition --json --direct connected > /dev/full", RunningProgram.pathctl,
    ])
    #expect(outcome.status == 255)
  }

  @Test func `the timeout of wait also runs while a silent service is waited for`() async throws {
    let outcome = try await ScriptedService(Self.silent).pathctl("wait connected --timeout 100ms")
    #expect(outcome.status == 124)
    #expect(outcome.complaints.hasPrefix("pathctl: the path has not become 'connected' in time: "))
  }

  @Test func `a signal ends a verb also while a silent service is waited for`() async throws {
    let service = try await ScriptedService(Self.silent)
    let program = try service.start(["wait", "offline"])
    // It listens to signals before it calls.
    _ = try await service.calls(1)
    program.send(SIGINT)
    #expect(try await program.waitForExit() == 130)
    #expect(program.complaints.lines.isEmpty)
    #expect(try await service.calls(1).count == 1, "the service has not ended meanwhile")
  }
}
