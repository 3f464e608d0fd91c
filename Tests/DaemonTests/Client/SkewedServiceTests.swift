import ProcessTestSupport
import Testing

/// A service that is older, newer, or broken, played by the test.
@Suite("pathctl with a service of another version")
struct SkewedServiceTests {
  private static let interface = #"{"name": "x0", "index": 7, "type": "wifi"}"#
  private static let least = #""status": "satisfied", "knowledge": "known", "interfaces": [\#(interface)]"#

  @Test(arguments: [
    #"{"parameters": {"path": {\#(least)}}}"#,
    #"{"parameters": {"path": {\#(least), "colour": "blue", "nested": {"a": [1]}}, "more": 1}, "flag": true}"#,
  ])
  func `unknown keys are ignored, and missing keys have no value`(reply: String) async throws {
    let outcome = try await ScriptedService([reply]).pathctl("status")
    #expect(outcome.status == 0 && outcome.complaints.isEmpty)
    #expect(outcome.output.contains("x0"))
  }

  @Test(arguments: [
    ("status", "Explain"), ("status --json", "Explain"), ("status --json --quiet", "GetPath"),
    ("status --field interface", "GetPath"), ("status --format {summary}", "GetPath"),
  ])
  func `status asks for the causes only where it shows them`(line: String, method: String) async throws {
    let service = try await ScriptedService([#"{"parameters": {"path": {\#(Self.least)}, "steps": []}}"#])
    #expect(try await service.pathctl(line).status == 0)
    let calls = try await service.calls(1)
    #expect(calls.count == 1 && calls[0].contains(#""io.pathmonitor.PathMonitor.\#(method)""#), "\(calls)")
  }

  @Test(arguments: ["status", "check connected"])
  func `a method that the service lacks is named`(verb: String) async throws {
    let outcome = try await ScriptedService([
      #"{"error": "org.varlink.service.MethodNotFound", "parameters": {"method": "io.pathmonitor.PathMonitor.M"}}"#
    ]).pathctl(verb)
    #expect(outcome.status == 69 && outcome.output.isEmpty)
    #expect(
      outcome.complaints == """
        pathctl: the service has no io.pathmonitor.PathMonitor.M: it is older than this program. \
        Upgrade and restart pathmonitord.

        """)
  }

  @Test(
    arguments: [
      ("InvalidRequirement", 64), ("TimedOut", 124), ("PermissionDenied", 1), ("LimitReached", 69),
      ("NoSuchInterface", 64), ("InvalidDestination", 64), ("PathUnknown", 69), ("NewInNextVersion", 69),
    ] as [(String, Int32)])
  func `an error without its parameters is still one line, and has its status`(name: String, status: Int32) async throws
  {
    let outcome = try await ScriptedService([#"{"error": "io.pathmonitor.PathMonitor.\#(name)"}"#]).pathctl("status")
    #expect(outcome.status == status && outcome.complaints.isOneLine)
  }

  @Test(
    arguments: [
      ("check --condition wifi", #"{"path": []}"#, "'path' must be an object, not an array"),
      ("explain", #"{"path": {\#(least)}, "furtherDiagnoses": {}}"#, "'furtherDiagnoses' must be an array"),
      ("interfaces", #"{"path": {\#(least)}, "interfaces": [{"name": 1}]}"#, "'interfaces[0].name' must be a string"),
      ("health", #"{"health": [], "notes": []}"#, "'health' must be an object, not an array"),
      ("watch", #"{"path": {"status": 5}}"#, "'path.status' must be a string"),
    ] as [(String, String, String)])
  func `a reply of a wrong type is named`(line: String, parameters: String, message: String) async throws {
    let outcome = try await ScriptedService([#"{"parameters": \#(parameters)}"#]).pathctl(line)
    #expect(outcome.status == (line.contains("--condition") ? 255 : 69) && outcome.output.isEmpty)
    #expect(outcome.complaints.hasPrefix("pathctl: the service's answer is not understood: \(message)"), "\(outcome)")
    #expect(outcome.complaints.isOneLine)
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

  @Test func `the paths before an error in a stream are shown, and watch ends with the status of the error`()
    async throws
  {
    let path = #"{"continues": true, "parameters": {"path": {\#(Self.least)}}}"#
    let service = try await ScriptedService([#"[\#(path), {"error": "io.example.Over"}]"#])
    let outcome = try await service.pathctl("watch --json")
    #expect(outcome.status == 69 && outcome.output.isOneLine)
    #expect(outcome.complaints == "pathctl: the service answers with the error io.example.Over.\n")
  }
}
