import Connectivity
import Dispatch
import Foundation
import ProcessTestSupport
import Testing

/// Any program may listen at the path of the socket.
@Suite("Something else at the service's socket")
struct HostileServiceTests {
  /// The reply to the first call, in the form that `Python.service` takes, and the expected error.
  struct Answer: Sendable, CustomTestStringConvertible {
    let reply: String
    let code: PathSourceError.Code
    var testDescription: String { String(reply.prefix(60)) }
  }

  private static let unsatisfied = #"{"status": "unsatisfied", "knowledge": "known", "interfaces": []}"#

  static let answers = [
    Answer(reply: #""close""#, code: .connectionLost),
    Answer(reply: #""silence""#, code: .connectionLost),
    Answer(reply: #""HTTP/1.1 400 Bad Request\r\n\r\n\u0000""#, code: .protocolMismatch),
    Answer(reply: #""\u0000\u0000\u0000""#, code: .protocolMismatch),
    Answer(reply: #""{\"parameters\":\u0000""#, code: .protocolMismatch),
    Answer(reply: #"{"parameters": 7}"#, code: .protocolMismatch),
    Answer(reply: "{}", code: .protocolMismatch),
    Answer(reply: #"{"parameters": {"path": {"status": "splendid"}}}"#, code: .protocolMismatch),
    Answer(
      reply: #"{"parameters": {"path": {"status": "satisfied", "knowledge": "known", "interfaces": [[]]}}}"#,
      code: .protocolMismatch),
    Answer(reply: #"{"error": "org.varlink.service.MethodNotFound"}"#, code: .declined),
    Answer(
      reply: #"{"error": "io.pathmonitor.PathMonitor.LimitReached", "parameters": {"limit": "x"}}"#, code: .declined),
    // One path, after which it ends the stream, and keeps the connection.
    Answer(reply: #"{"parameters": {"path": \#(unsatisfied)}}"#, code: .protocolMismatch),
  ]

  @Test("leads to a typed error and to nothing that is made up", arguments: answers)
  func servedMonitor(_ answer: Answer) async throws {
    let directory = try ScratchDirectory()
    let server = try Python.service(at: directory("socket"), [answer.reply])
    try await server.output.wait(lineWith: "ready")
    let monitor = PathMonitor(source: .service(socketPath: directory("socket")))
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next() == .unknown)
    #expect(monitor.sourceError?.code == answer.code, "\(monitor.sourceError as Any)")
    server.kill()
  }

  @Test("leaves an automatic monitor with the kernel's path and the error", arguments: answers)
  func automaticMonitor(_ answer: Answer) async throws {
    let directory = try ScratchDirectory()
    let server = try Python.service(at: directory("socket"), [answer.reply])
    try await server.output.wait(lineWith: "ready")
    let source = automatic(at: directory("socket"))
    let own = try await PathMonitor(source: .inProcess).firstPath
    let monitor = PathMonitor(source: source)
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next() == own)
    // The kernel's path comes before the service's time to answer has passed.
    let error = answer.reply == #""silence""# ? try await Self.error(of: monitor) : monitor.sourceError
    #expect(error?.code == answer.code, "\(error as Any)")
    // A monitor that starts between two attempts to reach the service also gets the error.
    for _ in 0..<3 {
      let other = PathMonitor(source: source)
      var paths = other.makeAsyncIterator()
      #expect(await paths.next() == own)
      #expect(other.sourceError?.code == answer.code, "\(other.sourceError as Any)")
      withExtendedLifetime(paths) {}
    }
    withExtendedLifetime(iterator) {}
    server.kill()
  }

  @Test func `that ends each stream soon is believed, and asked again at growing intervals`() async throws {
    let directory = try ScratchDirectory()
    let path = #"{"parameters": {"path": \#(Self.unsatisfied)}"#
    let server = try Python.service(at: directory("socket"), [#"[\#(path), "continues": true}, \#(path)}]"#])
    try await server.output.wait(lineWith: "ready")
    let monitor = PathMonitor(source: .service(socketPath: directory("socket")))
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next()?.status == .unsatisfied)
    _ = try await server.output.wait(lines: 4)
    // Between the answer and the end of the stream there is no error.
    let error = try await Self.error(of: monitor)
    #expect(error?.code == .connectionLost, "\(error as Any)")
    // Pauses of 50 ms, 100 ms, 200 ms and so on: not as fast as the two of them can.
    await #expect(throws: NothingCame.self) { _ = try await server.output.wait(lines: 20, within: .seconds(2)) }
    withExtendedLifetime(iterator) {}
    server.kill()
  }

  /// The next error of the monitor; `nil` when none comes in time.
  private static func error(of monitor: PathMonitor) async throws -> PathSourceError? {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if let error = monitor.sourceError { return error }
      try await Task.sleep(for: .milliseconds(5))
    }
    return nil
  }

  @Test func `that fills the connection without end does not fill our memory`() async throws {
    let directory = try ScratchDirectory()
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
      s.bind(sys.argv[1])
      s.listen(8)
      print("ready")
      while True:
          c, _ = s.accept()
          sent = 0
          try:
              while True:
                  sent += c.send(b"{" * 65536)
          except OSError:
              print("sent", sent)
      """
    let server = try RunningProgram(["python3", "-u", "-c", script, directory("socket")])
    try await server.output.wait(lineWith: "ready")
    let monitor = PathMonitor(source: automatic(at: directory("socket")))
    var iterator = monitor.makeAsyncIterator()
    #expect(await iterator.next()?.knowledge == .known)
    let line = try await server.output.wait(lineWith: "sent", within: .seconds(20))
    let sent = try #require(line.split(separator: " ").last.flatMap { Int($0) })
    #expect(sent < 32 << 20)
    server.kill()
  }

  @Test func `that goes bad later leaves the last path, and an automatic monitor with the kernel's`() async throws {
    let directory = try ScratchDirectory()
    let path = #"{"status": "unsatisfied", "knowledge": "known", "interfaces": []}"#
    let server = try Python.service(
      at: directory("socket"),
      [#"[{"continues": true, "parameters": {"path": \#(path)}}, {"parameters": []}]"#, #""close""#])
    try await server.output.wait(lineWith: "ready")
    let monitor = PathMonitor(source: automatic(at: directory("socket")))
    let own = try await PathMonitor(source: .inProcess).firstPath
    for await path in monitor where path == own { break }
    server.kill()
  }
}
