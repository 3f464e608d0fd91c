import PathModel
import SystemIO
import Testing
import Varlink

@Suite("Calls over a socket")
struct ServerCallTests {
  private let stage: ServerStage

  init() throws {
    stage = try ServerStage()
  }

  @Test func `many calls sent ahead are all answered`() throws {
    let client = try stage.connect()
    let calls = (0..<2_000).map { VarlinkCall.test("Echo", ["n": .integer($0)]) }
    try client.send(calls.flatMap(\.frame))
    client.endSending()
    try stage.run { client.hasEnded }
    #expect(client.replies == calls.map { VarlinkReply($0.parameters) })
  }

  @Test(arguments: ["x\0", "[]\0{\"method\":\"org.example.test.Echo\"}\0"])
  func `a frame that is no call gets an error, and ends the connection`(text: String) throws {
    let client = try stage.connect(sending: .test("Echo"))
    try client.send(text)
    try stage.run { client.hasEnded }
    #expect(client.replies.map(\.error) == [nil, "org.varlink.service.InvalidParameter"])
    #expect(try #require(client.replies.last).parameters["reason"]?.stringValue?.isEmpty == false)
    #expect(stage.served == ["Echo"])
    #expect(stage.server.connectionCount == 0)
  }

  @Test(arguments: [(65_536, true), (65_537, false), (65_537, true), (200_000, true)])
  func `a call may have 65,536 bytes, and one of more gets an error with the limit`(size: Int, hasEnded: Bool) throws {
    let call = VarlinkCall.test("Echo", ["a": 1]).frame.dropLast()
    let client = try stage.connect()
    try client.send(call + [UInt8](repeating: 0x20, count: size - call.count) + (hasEnded ? [0] : []))
    try stage.run { client.replies.count == 1 }
    if size == 65_536 {
      #expect(client.replies == [VarlinkReply(["a": 1])])
    } else {
      #expect(client.replies == [.limitReached("requestBytes", 65_536)])
      try stage.run { client.hasEnded }
    }
  }

  // MARK: The end of input

  @Test func `a client that ends its side gets all replies however slowly it reads, and then the connection ends`()
    throws
  {
    let (client, connection) = try stage.connectHeld(isReading: false)
    try client.send(.test("Echo", ["n": 1]), .stream(50, size: 30_000))
    client.endSending()
    try stage.settle()
    connection.reply(VarlinkReply.frame { _ in })
    try stage.run { stage.served.last == "Stream" }
    try stage.settle()
    #expect(stage.server.connectionCount == 1)
    try client.startReading()
    try stage.run { client.hasEnded }
    #expect(client.replies.map(\.continues) == [false, false] + Array(repeating: true, count: 49) + [false])
    #expect(stage.server.connectionCount == 0)
    #expect(stage.cancelled == 0)
  }

  @Test func `a client that has ended its side and then goes away while it is served is noticed`() throws {
    let (client, _) = try stage.connectHeld()
    client.endSending()
    try stage.settle()
    #expect(stage.cancelled == 0)
    client.close()
    try stage.run { stage.cancelled == 1 }
    #expect(stage.server.connectionCount == 0)
  }

  // MARK: Listening

  @Test func `a server listens at several sockets`() throws {
    let listener = try UnixSocket.listen(at: stage.path("second"), mode: 0o600)
    try stage.server.listen(on: listener.number)
    for path in [stage.path, stage.path("second")] {
      let client = try TestClient(connectingTo: path, on: stage.loop)
      try stage.expectAnswer(to: client)
      #expect(stage.server.connectionCount == 1)
      client.close()
      try stage.run { stage.server.connectionCount == 0 }
    }
  }

  @Test func `a server that is stopped ends all connections, and accepts none`() throws {
    let (served, connection) = try stage.connectHeld()
    let idle = try stage.connect()
    try stage.run { stage.server.connectionCount == 2 }
    stage.server.stop()
    try stage.run { idle.hasEnded && served.hasEnded }
    #expect(stage.cancelled == 1)
    #expect(connection.isClosed)
    let late = try stage.connect(sending: .test("Echo"))
    try stage.settle()
    #expect(late.replies.isEmpty)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func `a handler may stop the server, and waiting clients are not accepted any more`() throws {
    stage.handle("Stop") { [server = stage.server] connection in
      server.stop()
      connection.reply(VarlinkReply.frame { _ in })
    }
    let first = try stage.connect(sending: .test("Stop"), .test("Echo"))
    let second = try stage.connect(sending: .test("Echo"))
    try stage.run { first.hasEnded }
    try stage.settle()
    #expect(stage.served == ["Stop"])
    #expect(first.replies.isEmpty && second.replies.isEmpty)
    #expect(stage.server.connectionCount == 0)
  }
}
