import PathModel
import ProcessTestSupport
import SystemIO
import Testing
import Varlink

@Suite("The client")
struct VarlinkClientTests {
  private let directory: ScratchDirectory
  private let listener: Listener

  init() throws {
    directory = try ScratchDirectory()
    listener = try Listener(at: directory("socket"))
  }

  /// A client, and the other end of its connection.
  private func connect() throws -> (client: VarlinkClient, service: FakeService) {
    let client = try VarlinkClient(connectingTo: directory("socket"))
    return (client, try listener.accept())
  }

  private static var soon: MonotonicInstant { .now.advanced(by: .seconds(10)) }

  private func caught(
    _ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation
  ) throws -> VarlinkClient.Failure {
    try #require(throws: VarlinkClient.Failure.self, sourceLocation: location) { try body() }
  }

  // MARK: Replies

  @Test func `a call is sent, and its replies are received one by one`() throws {
    let (client, service) = try connect()
    let call = VarlinkCall("a.B", ["c": 1], acceptsMore: true)
    try client.send(call)
    #expect(try service.receive() == call.frame)
    try service.send("{\"parameters\":{\"n\":1},\"continues\":true}\0{\"parameters\":{\"n\":2}}\0")
    #expect(try client.receive(until: Self.soon) == VarlinkReply(["n": 1], continues: true))
    #expect(try client.receive(until: .now) == VarlinkReply(["n": 2]))
  }

  @Test func `a reply that comes in pieces is received whole`() throws {
    let (client, service) = try connect()
    for byte in Array("{\"error\":\"a.B\"}".utf8) {
      try service.send([byte])
      #expect(try client.readReplies().isEmpty)
    }
    try service.send("\0{")
    #expect(try client.readReplies() == [VarlinkReply(error: "a.B")])
    #expect(try client.readReplies().isEmpty)
  }

  @Test func `a large call and a large reply pass`() throws {
    let (client, service) = try connect()
    let text = String(repeating: "x", count: 1_000_000)
    let served = Background {
      var received: [UInt8] = []
      while received.last != 0 { received += try service.receive() }
      try service.sendAll(
        VarlinkReply.frame {
          $0.key("size")
          $0.integer(received.count)
          $0.key("x")
          $0.string(text)
        })
    }
    let call = VarlinkCall("a.B", ["x": .string(text)])
    try client.send(call)
    let reply = try client.receive(until: Self.soon)
    #expect(reply == VarlinkReply(["size": .integer(Int64(call.frame.count)), "x": .string(text)]))
    try served.wait()
  }

  // MARK: Failures

  @Test func `a service that is not there is not running`() throws {
    let missing = try caught { _ = try VarlinkClient(connectingTo: directory("missing")) }
    #expect(missing.kind == .notRunning)
    #expect(missing.description == "cannot connect to \(directory("missing")): No such file or directory")
    do { _ = try Listener(at: directory("dead")) }
    try directory.write("file", "")
    for name in ["dead", "file", "file/socket"] {
      #expect(try caught { _ = try VarlinkClient(connectingTo: directory(name)) }.kind == .notRunning, "\(name)")
    }
  }

  @Test func `a path that cannot be a socket's is refused`() throws {
    let failure = try caught { _ = try VarlinkClient(connectingTo: directory(String(repeating: "x", count: 108))) }
    #expect(failure.kind == .refused)
    #expect(failure.description.hasSuffix("File name too long"))
  }

  @Test func `a service that does not answer is waited for until the deadline, and may answer later`() throws {
    let (client, service) = try connect()
    try service.send("{")
    let failure = try caught { _ = try client.receive(until: .now.advanced(by: .milliseconds(20))) }
    #expect(failure.kind == .timedOut)
    #expect(failure.description.hasPrefix("\(directory("socket")) does not answer: "))
    try service.send("}\0")
    #expect(try client.receive(until: .now) == VarlinkReply())
  }

  @Test(
    arguments: [
      ("", 0, .disconnected), ("{\"parameters\":", 0, .disconnected), ("{}\0{}\0{", 2, .disconnected),
      ("{}\0HTTP/1.1 400 Bad Request\r\n\0{}\0", 1, .notVarlink), ("{}\0\0{}\0", 1, .notVarlink),
      ("{}\0[]\0{}\0", 1, .notVarlink), ("{}\0{\"error\":1}\0{}\0", 1, .notVarlink),
    ] as [(String, Int, VarlinkClient.Failure.Kind)])
  func `a service that ends the connection or speaks no varlink is noticed after its replies, and for good`(
    text: String, count: Int, kind: VarlinkClient.Failure.Kind
  ) throws {
    let (client, service) = try connect()
    try service.send(text)
    if kind == .disconnected { service.close() }
    if count > 0 { #expect(try client.readReplies() == Array(repeating: VarlinkReply(), count: count)) }
    let words = kind == .disconnected ? "has ended the connection: " : "does not speak varlink: the reply"
    for _ in 0..<2 {
      let failure = try caught { _ = try client.receive(until: Self.soon) }
      #expect(failure.kind == kind)
      #expect(failure.description.hasPrefix("\(directory("socket")) \(words)"))
      #expect(throws: failure) { try client.readReplies() }
    }
  }

  @Test func `a call that cannot be sent is a failure, unless the service has sent a reason`() throws {
    let (client, service) = try connect()
    service.close()
    let failure = try caught { try client.send(VarlinkCall("a.B")) }
    #expect(failure.kind == .disconnected)
    #expect(failure.description == "\(directory("socket")) does not take calls: Broken pipe")

    let (turnedAway, closing) = try connect()
    try closing.send("{\"error\":\"a.TooMany\"}\0")
    closing.close()
    try turnedAway.send(VarlinkCall("a.B"))
    #expect(try turnedAway.receive(until: Self.soon) == VarlinkReply(error: "a.TooMany"))
    #expect(throws: VarlinkClient.Failure.self) { _ = try turnedAway.receive(until: Self.soon) }
  }

  @Test func `a reply of more than 16 MiB is not read on`() throws {
    let (client, service) = try connect()
    let sent = Background {
      // The client goes away in the middle.
      _ = try? service.sendAll([UInt8](repeating: 0x20, count: 18 << 20))
    }
    let failure = try caught { _ = try client.receive(until: .now.advanced(by: .seconds(60))) }
    #expect(failure.kind == .notVarlink)
    #expect(failure.description == "\(directory("socket")) sent a reply of more than 16777216 bytes")
    service.close()
    try sent.wait()
  }

  @Test func `replies that come faster than they are read do not keep the reader for ever`() throws {
    let (client, service) = try connect()
    let sent = Background {
      let replies = Array(repeating: Array("{}\0".utf8), count: 100_000).flatMap(\.self)
      while (try? service.sendAll(replies)) != nil {}
    }
    for _ in 0..<3 { #expect(try client.readReplies().count <= 65 * 16_384 / 3) }
    service.close()
    try sent.wait()
  }
}
