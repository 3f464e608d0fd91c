import Foundation
import ProcessTestSupport
import Testing

/// A `systemctl` that records its arguments. It fails while there is a file with an exit status.
private struct FakeSystemctl {
  private let directory: ScratchDirectory

  init() async throws {
    directory = try ScratchDirectory()
    try await directory.writeProgram(
      "systemctl",
      """
      #!/bin/sh
      # What is inherited would come from the terminal.
      cat
      echo "$*" >>\(directory("calls"))
      status=$(cat \(directory("status")) 2>/dev/null)
      exit "${status:-0}"
      """)
  }

  /// The variables with which it is found first.
  var environment: [String: String?] { ["PATH": "\(directory.path):/usr/bin:/bin"] }

  /// Has it fail from now on; `nil` to have it succeed.
  func fail(with status: Int32?) throws {
    if let status {
      try directory.write("status", "\(status)\n")
    } else {
      try FileManager.default.removeItem(atPath: directory("status"))
    }
  }

  /// The arguments of each call, from the first one on.
  var calls: [String] {
    let text = (try? String(contentsOfFile: directory("calls"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// Waits until it was called so many times; returns all calls.
  func wait(calls count: Int) async throws -> [String] {
    try await wait(until: "there are \(count) calls") { $0.count >= count }
    return calls
  }

  /// Waits until the condition holds for the calls.
  func wait(until what: String, _ isSo: ([String]) -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(20))
    while !isSo(calls) {
      guard ContinuousClock.now < deadline else {
        throw NothingCame(description: "waited in vain until \(what): \(calls)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

@Suite("pathctl targets")
struct TargetsTests {
  private static let on = ["--no-block start path-online.target", "--no-block start path-unmetered.target"]
  /// Nothing is known of the answers of the Internet, so this target stays off from the beginning.
  private static let unvalidated = ["--no-block stop path-validated.target"]
  private static let off = ["--no-block stop path-online.target", "--no-block stop path-unmetered.target"]

  @Test func `all targets are brought in line at once, and then follow a path that has lasted`() async throws {
    let path = try await ScriptedPath(isSatisfied: false)
    let systemctl = try await FakeSystemctl()
    let targets = try path.start(
      ["targets", "--on-after", "300ms", "--off-after", "600ms"], environment: systemctl.environment)
    #expect(try await systemctl.wait(calls: 3) == Self.off + Self.unvalidated)
    var begin = ContinuousClock.now
    try await path.become(satisfied: true)
    #expect(try await systemctl.wait(calls: 5) == Self.off + Self.unvalidated + Self.on)
    #expect(begin.duration(to: .now) > .milliseconds(290))
    begin = .now
    try await path.become(satisfied: false)
    #expect(try await systemctl.wait(calls: 7) == Self.off + Self.unvalidated + Self.on + Self.off)
    #expect(begin.duration(to: .now) > .milliseconds(590))
    targets.send(SIGTERM)
    #expect(try await targets.waitForExit() == 143)
    #expect(systemctl.calls.count == 7, "the end leaves them as they are")
    #expect(targets.complaints.text.isEmpty)
    let moves = targets.output.lines.map { String($0.split(separator: ":")[0]) }
    let expected = ["stopping", "starting", "stopping"].flatMap {
      ["\($0) path-online.target", "\($0) path-unmetered.target"]
    }
    #expect(moves.filter { !$0.hasSuffix("validated.target") } == expected)
    #expect(targets.output.lines[3] == "starting path-online.target: connected", "the path is the reason")
  }

  @Test func `a systemctl that fails is reported in a line, and run again`() async throws {
    let path = try await ScriptedPath()
    let systemctl = try await FakeSystemctl()
    try systemctl.fail(with: 4)
    let targets = try path.start(["targets"], environment: systemctl.environment)
    // It may run again before the test reads the calls.
    #expect(try await systemctl.wait(calls: 3).prefix(3) == (Self.on + Self.unvalidated)[...])
    let words = (Self.on + Self.unvalidated).map { "pathctl: 'systemctl \($0)' has failed with exit status 4" }
    let first = try await targets.complaints.wait(lines: 3).prefix(3)
    #expect(Array(first) == words.map { "\($0); it is tried again in 1 s" })
    try systemctl.fail(with: nil)
    // Each call but the last three has failed, and has its report.
    try await systemctl.wait(until: "all but three calls are complained of") { calls in
      calls.count >= 6 && targets.complaints.lines.count == calls.count - 3
    }
    #expect(Set(systemctl.calls.suffix(3)) == Set(Self.on + Self.unvalidated))
    targets.send(SIGTERM)
    #expect(try await targets.waitForExit() == 143)
    #expect(targets.complaints.lines.count == systemctl.calls.count - 3)
  }

  @Test func `a missing systemctl is reported, and nothing ends`() async throws {
    let path = try await ScriptedPath()
    let directory = try ScratchDirectory()
    // The PATH of pathctl is a directory without a systemctl; the shell still has the usual one.
    let targets = try RunningProgram(
      ["sh", "-c", "PATH=\(directory.path) exec \(RunningProgram.pathctl) targets --socket \(path.socket)"])
    #expect(
      try await targets.complaints.wait(lines: 2)[0]
        == """
        pathctl: 'systemctl --no-block start path-online.target' cannot be run: No such file or directory; \
        it is tried again in 1 s
        """)
    targets.send(SIGTERM)
    #expect(try await targets.waitForExit() == 143)
  }

  @Test func `without the service it waits, says so once, and moves nothing until the service is there`() async throws {
    let directory = try ScratchDirectory()
    let systemctl = try await FakeSystemctl()
    let targets = try RunningProgram(
      [RunningProgram.pathctl, "targets", "--socket", directory("socket")], environment: systemctl.environment)
    let complaint = try await targets.complaints.wait(lineWith: "waiting for the service")
    #expect(complaint.contains("Start pathmonitord, or say --direct to ask the kernel alone."))
    #expect(systemctl.calls.isEmpty)
    let daemon = try await TestDaemon(socket: directory("socket"))
    // Whatever path this machine has, each of the three targets is brought in line with it.
    #expect(Set(try await systemctl.wait(calls: 3).map { $0.split(separator: " ").last }).count == 3)
    targets.send(SIGTERM)
    #expect(try await targets.waitForExit() == 143)
    #expect(targets.complaints.lines.count == 1)
    try await daemon.stop()
  }
}
