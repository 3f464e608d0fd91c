import Foundation
import Glibc
import ProcessTestSupport
import Testing

@Suite("pathctl without the service")
struct AbsentServiceTests {
  /// The program at the socket in place of the service.
  enum Stranger: String, CaseIterable, Sendable {
    case nobody, silent, hangsUp, speaksHTTP, speaksJSON
  }

  private static func start(_ stranger: Stranger, at path: String) async throws -> RunningProgram? {
    let reply: String
    switch stranger {
    case .nobody: return nil
    case .silent: reply = #""silence""#
    case .hangsUp: reply = #""close""#
    case .speaksHTTP: reply = #""HTTP/1.1 400 Bad Request\r\n\r\n\u0000""#
    case .speaksJSON: reply = "[[1, 2]]"
    }
    let service = try Python.service(at: path, [reply])
    _ = try await service.output.wait(lines: 1)
    return service
  }

  @Test(arguments: Stranger.allCases, ["status --json", "interfaces --json", "explain --json", "check connected"])
  func `the kernel is asked instead, with exactly one note`(stranger: Stranger, verb: String) async throws {
    let directory = try ScratchDirectory()
    let service = try await Self.start(stranger, at: directory("socket"))
    let words = verb.split(separator: " ").map(String.init)
    // It ends by itself, also if the service never answers.
    let outcome = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", directory("socket")])
    let direct = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--direct"])
    #expect(outcome.status == direct.status)
    #expect(outcome.output.isEmpty == direct.output.isEmpty)
    #expect(
      outcome.complaints.hasPrefix("pathctl: the service does not answer, so the kernel is asked: "),
      "\(outcome.complaints)")
    #expect(outcome.complaints.contains(directory("socket")))
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    #expect(direct.complaints.isEmpty)
    service?.kill()
  }

  @Test(arguments: Stranger.allCases)
  func `watch follows the kernel instead, with exactly one note`(stranger: Stranger) async throws {
    let directory = try ScratchDirectory()
    let service = try await Self.start(stranger, at: directory("socket"))
    let watch = try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", directory("socket")])
    _ = try await watch.output.wait(lines: 1)
    watch.send(SIGINT)
    #expect(try await watch.waitForExit() == 130)
    #expect(watch.complaints.lines.count == 1, "\(watch.complaints.lines)")
    service?.kill()
  }

  @Test(arguments: ["unmetered", "unmetered-known", "unconstrained", "not-unmetered", "wifi,unmetered"])
  func `a requirement on cost cannot be judged, unless --direct is given`(requirement: String) async throws {
    let directory = try ScratchDirectory()
    for (verb, status) in [("check", 69), ("check --condition", 255), ("wait --timeout 1s", 69)] as [(String, Int32)] {
      let words = [RunningProgram.pathctl] + verb.split(separator: " ").map(String.init) + [requirement]
      let outcome = try await RunningProgram.run(words + ["--socket", directory("socket")])
      #expect(outcome.status == status, "\(verb)")
      #expect(outcome.complaints.contains("cannot be known without the service. Start pathmonitord, or say --direct"))
      let direct = try await RunningProgram.run(words + ["--direct"])
      #expect([0, 1, 124].contains(direct.status), "\(verb): \(direct.status)")
    }
  }

  @Test(arguments: ["health", "override list", "override set isExpensive true", "override clear"])
  func `a verb that needs the service fails with 69 and a question`(verb: String) async throws {
    let directory = try ScratchDirectory()
    let words = verb.split(separator: " ").map(String.init)
    let outcome = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", directory("socket")])
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.complaints
        == "pathctl: connect to \(directory("socket")): No such file or directory. Is pathmonitord running?\n"
        || outcome.complaints.hasSuffix(": No such file or directory. Is pathmonitord running?\n"))
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: Stranger.allCases, ["override list", "override set isExpensive true", "override clear"])
  func `no override is listed, set or cleared while the service does not answer`(
    stranger: Stranger, verb: String
  ) async throws {
    let directory = try ScratchDirectory()
    let service = try await Self.start(stranger, at: directory("socket"))
    let words = verb.split(separator: " ").map(String.init)
    let outcome = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", directory("socket")])
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
    #expect(outcome.complaints.hasSuffix(". Is pathmonitord running?\n"), "\(outcome.complaints)")
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    service?.kill()
  }

  @Test func `metrics ask for the service, and not for a source that only the library has`() async throws {
    let directory = try ScratchDirectory()
    let outcome = try await RunningProgram.pathctl("metrics", "--socket", directory("socket"))
    #expect(
      outcome.complaints.hasSuffix(": No such file or directory. Is pathmonitord running?\n"), "\(outcome.complaints)")
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test(arguments: [
    "check --conditon wifi", "check --condition=yes wifi", "chekc --condition wifi", "check --condition wiffi",
    "check --condition", "check --condition wifi --socket", "--condition",
  ])
  func `a condition that is mistyped fails its unit`(line: String) async throws {
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl] + line.split(separator: " ").map(String.init))
    #expect(outcome.status == 255)
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test func `a condition whose output has no room fails its unit`() async throws {
    let outcome = try await RunningProgram.run([
      "bash", "-c", "\"$0\" check --condition --json --direct connected > /dev/full", RunningProgram.pathctl,
    ])
    #expect(outcome.status == 255)
  }

  @Test func `the timeout of wait also runs while a silent service is waited for`() async throws {
    let directory = try ScratchDirectory()
    let service = try await Self.start(.silent, at: directory("socket"))
    let outcome = try await RunningProgram.pathctl(
      "wait", "connected", "--timeout", "100ms", "--socket", directory("socket"))
    #expect(outcome.status == 124)
    #expect(outcome.complaints.hasPrefix("pathctl: the path has not become 'connected' in time: "))
    service?.kill()
  }

  @Test(arguments: ["watch", "wait offline"])
  func `a signal ends a verb also while a silent service is waited for`(verb: String) async throws {
    let directory = try ScratchDirectory()
    let service = try #require(try await Self.start(.silent, at: directory("socket")))
    let program = try RunningProgram(
      [RunningProgram.pathctl] + verb.split(separator: " ").map(String.init) + ["--socket", directory("socket")])
    // It listens to signals before it calls.
    _ = try await service.output.wait(lines: 2)
    program.send(SIGINT)
    #expect(try await program.waitForExit() == 130)
    #expect(program.complaints.lines.isEmpty)
    service.kill()
  }
}
