import Foundation
import Glibc
import ProcessTestSupport
import Testing

/// A service that is older, newer, or broken, played by the test.
@Suite("pathctl with a service of another version")
struct SkewedServiceTests {
  private static func run(_ reply: String, _ words: String...) async throws -> RunningProgram.Outcome {
    let directory = try ScratchDirectory()
    let service = try Python.service(at: directory("socket"), [reply])
    _ = try await service.output.wait(lines: 1)
    defer { service.kill() }
    return try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", directory("socket")])
  }

  private static let interface = #"{"name": "x0", "index": 7, "type": "wifi"}"#
  private static let least = #""status": "satisfied", "knowledge": "known", "interfaces": [\#(interface)]"#

  @Test(arguments: [
    #"{"parameters": {"path": {\#(least)}}}"#,
    #"{"parameters": {"path": {\#(least), "colour": "blue", "nested": {"a": [1]}}, "more": 1}, "flag": true}"#,
    #"""
    {"parameters": {"path": {"status": "satisfied", "knowledge": "known", "interfaces":
      [{"name": "x0", "index": 7, "type": "satellite", "speed": 1}]}}}
    """#,
  ])
  func `unknown keys are ignored, and missing keys have no value`(reply: String) async throws {
    let outcome = try await Self.run(reply, "status")
    #expect(outcome.status == 0)
    #expect(outcome.complaints.isEmpty)
    #expect(outcome.output.contains("x0"))
  }

  @Test(arguments: [
    ("status", "Explain"), ("status --json", "Explain"), ("status --quiet", "GetPath"),
    ("status --json --quiet", "GetPath"), ("status --field interface", "GetPath"),
    ("status --format {summary}", "GetPath"), ("status --format waybar", "GetPath"),
  ])
  func `status asks for the causes only where it shows them`(words: String, method: String) async throws {
    let directory = try ScratchDirectory()
    let service = try Python.service(
      at: directory("socket"), [#"{"parameters": {"path": {\#(Self.least)}, "steps": []}}"#])
    _ = try await service.output.wait(lines: 1)
    defer { service.kill() }
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl] + words.split(separator: " ").map(String.init) + ["--socket", directory("socket")])
    #expect(outcome.status == 0)
    #expect(outcome.complaints.isEmpty)
    let calls = try await service.output.wait(lines: 2).dropFirst()
    #expect(calls.count == 1)
    #expect(calls.first?.contains(#""io.pathmonitor.PathMonitor.\#(method)""#) == true, "\(calls)")
  }

  @Test(arguments: ["status", "explain", "interfaces", "health", "check connected", "route 192.0.2.1"])
  func `a method that the service lacks is named`(verb: String) async throws {
    let directory = try ScratchDirectory()
    let service = try Python.service(
      at: directory("socket"),
      [#"{"error": "org.varlink.service.MethodNotFound", "parameters": {"method": "io.pathmonitor.PathMonitor.M"}}"#])
    _ = try await service.output.wait(lines: 1)
    let outcome = try await RunningProgram.run(
      [RunningProgram.pathctl] + verb.split(separator: " ").map(String.init) + ["--socket", directory("socket")])
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.complaints == """
        pathctl: the service has no io.pathmonitor.PathMonitor.M: it is older than this program. \
        Upgrade and restart pathmonitord.

        """)
    service.kill()
  }

  @Test func `an unknown error is named, without characters that would garble a terminal`() async throws {
    let outcome = try await Self.run(
      #"{"error": "io.example.Hibernating", "parameters": {"reason": "night"}}"#, "status")
    #expect(outcome.status == 69)
    #expect(outcome.complaints == "pathctl: the service answers with the error io.example.Hibernating (night).\n")
    let garbled = try await Self.run(
      #"{"error": "io.example.\u001b[2J", "parameters": {"reason": "a\u0007b\nc"}}"#, "status")
    #expect(garbled.status == 69)
    #expect(garbled.complaints.filter { $0 == "\n" }.count == 1)
    #expect(garbled.complaints.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }

  @Test(
    arguments: [
      ("InvalidRequirement", 64), ("TimedOut", 124), ("PermissionDenied", 1), ("LimitReached", 69),
      ("NoSuchInterface", 64), ("InvalidDestination", 64), ("PathUnknown", 69), ("NewInNextVersion", 69),
    ] as [(String, Int32)])
  func `an error without its parameters is still one line, and has its status`(name: String, status: Int32) async throws
  {
    let outcome = try await Self.run(#"{"error": "io.pathmonitor.PathMonitor.\#(name)"}"#, "status")
    #expect(outcome.status == status)
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    arguments: [
      ("status", #"{"path": {"status": 5, "knowledge": "known", "interfaces": []}}"#, "'path.status' must be a string"),
      (
        "status", #"{"path": {"status": "dreaming", "knowledge": "known", "interfaces": []}}"#,
        "'path.status' is 'dreaming'"
      ),
      ("status", #"{"path": {"status": "satisfied", "interfaces": []}}"#, "'path.knowledge' is missing"),
      ("status", #"{"path": {\#(least), "gateways": ["host"]}}"#, "'path.gateways[0]' is not an IP address"),
      ("status", #"{}"#, "'path' is missing"),
      ("check wifi", #"{"path": []}"#, "'path' must be an object, not an array"),
      ("explain", #"{"path": {\#(least)}, "steps": "one"}"#, "'steps' must be an array"),
      ("explain", #"{"path": {\#(least)}, "steps": [1]}"#, "'steps[0]' must be a string"),
      ("explain", #"{"path": {\#(least)}, "furtherDiagnoses": {}}"#, "'furtherDiagnoses' must be an array"),
      ("interfaces", #"{"path": {\#(least)}, "interfaces": 1}"#, "'interfaces' must be an array"),
      ("interfaces", #"{"path": {\#(least)}, "interfaces": [{"name": 1}]}"#, "'interfaces[0].name' must be a string"),
      ("health", #"{"health": [], "notes": []}"#, "'health' must be an object, not an array"),
      ("watch", #"{"path": {"status": 5}}"#, "'path.status' must be a string"),
      ("wait wifi", #"{"path": {"status": 5}}"#, "'path.status' must be a string"),
    ] as [(String, String, String)])
  func `a reply of a wrong type is named`(verb: String, parameters: String, message: String) async throws {
    let directory = try ScratchDirectory()
    let service = try Python.service(at: directory("socket"), [#"{"parameters": \#(parameters)}"#])
    _ = try await service.output.wait(lines: 1)
    let words = verb.split(separator: " ").map(String.init)
    let outcome = try await RunningProgram.run([RunningProgram.pathctl] + words + ["--socket", directory("socket")])
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.complaints.hasPrefix("pathctl: the service's answer is not understood: \(message)"),
      "\(outcome.complaints)")
    #expect(outcome.complaints.filter { $0 == "\n" }.count == 1)
    if words[0] == "check" {
      let condition = try await RunningProgram.run(
        [RunningProgram.pathctl] + words + ["--condition", "--socket", directory("socket")])
      #expect(condition.status == 255)
    }
    service.kill()
  }

  @Test func `updates that come in one piece are all delivered`() async throws {
    let directory = try ScratchDirectory()
    let replies = ["unsatisfied", "satisfied", "unsatisfied"].map { status in
      #"{"continues": true, "parameters": {"path": {"status": "\#(status)", "knowledge": "known", "interfaces": []}}}"#
    }
    let service = try Python.service(at: directory("socket"), ["[\(replies.joined(separator: ","))]"])
    _ = try await service.output.wait(lines: 1)
    let watch = try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", directory("socket")])
    let lines = try await watch.output.wait(lines: 3)
    #expect(lines[1].contains(#""status":"satisfied""#))
    #expect(lines[2].contains(#""status":"unsatisfied""#))
    watch.send(SIGTERM)
    #expect(try await watch.waitForExit() == 143)
    #expect(watch.complaints.text.isEmpty)
    service.kill()
  }

  @Test func `a path that comes together with the end of the time is in time`() async throws {
    let directory = try ScratchDirectory()
    // The program is stopped while its time runs out and the path arrives, so that it finds both at once.
    let script = """
      import os, signal, socket, subprocess, sys, time
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      listener.listen(1)
      program = subprocess.Popen([sys.argv[2], "wait", "connected", "--timeout", "1s", "--socket", sys.argv[1]])
      client = listener.accept()[0]
      client.recv(65536)
      end = time.monotonic() + 1
      program.send_signal(signal.SIGSTOP)
      os.waitpid(program.pid, os.WUNTRACED)
      client.sendall(sys.argv[3].encode() + b"\\0")
      time.sleep(max(0, end - time.monotonic()))
      program.send_signal(signal.SIGCONT)
      print(program.wait(20))
      """
    let path = #"{"continues": true, "parameters": {"path": {\#(Self.least)}}}"#
    let outcome = try await Python.run(script, directory("socket"), RunningProgram.pathctl, path)
    #expect(outcome.output == "0\n")
    #expect(outcome.complaints.isEmpty, "\(outcome.complaints)")
  }

  @Test func `an error in a stream ends watch with its status`() async throws {
    let directory = try ScratchDirectory()
    let service = try Python.service(
      at: directory("socket"),
      [#"[{"continues": true, "parameters": {"path": {\#(Self.least)}}}, {"error": "io.example.Over"}]"#])
    _ = try await service.output.wait(lines: 1)
    let watch = try RunningProgram([RunningProgram.pathctl, "watch", "--json", "--socket", directory("socket")])
    #expect(try await watch.waitForExit() == 69)
    #expect(watch.output.lines.count == 1)
    #expect(watch.complaints.text == "pathctl: the service answers with the error io.example.Over.\n")
    service.kill()
  }
}
