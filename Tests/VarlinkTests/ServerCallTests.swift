import Glibc
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

  @Test func `a call is answered`() throws {
    let client = try stage.connect()
    try client.send(.test("Echo", ["a": 1]))
    try stage.run { client.replies.count == 1 }
    #expect(client.replies == [VarlinkReply(["a": 1])])
    #expect(!client.hasEnded)
    #expect(stage.server.connectionCount == 1)
  }

  @Test func `many calls sent ahead are all answered`() throws {
    let client = try stage.connect()
    let calls = (0..<2_000).map { VarlinkCall.test("Echo", ["n": .integer($0)]) }
    try client.send(calls.flatMap(\.frame))
    client.endSending()
    try stage.run { client.hasEnded }
    #expect(client.replies == calls.map { VarlinkReply($0.parameters) })
  }

  @Test func `calls are the same wherever they are split`() throws {
    let bytes = VarlinkCall.test("Echo", ["a": "é"]).frame + VarlinkCall("org.varlink.service.GetInfo").frame
    for position in 1..<bytes.count {
      let client = try stage.connect()
      try client.send(Array(bytes[..<position]))
      try stage.settle()
      try client.send(Array(bytes[position...]))
      try stage.run { client.replies.count == 2 }
      #expect(client.replies[0] == VarlinkReply(["a": "é"]))
      #expect(client.replies[1].parameters["vendor"] == "vendor")
    }
  }

  @Test func `an error is an answer, and the next call is served`() throws {
    let client = try stage.connect()
    try client.send(.test("None"), VarlinkCall("a.B"), VarlinkCall("x"), .test("Echo"))
    try stage.run { client.replies.count == 4 }
    #expect(
      client.replies.map(\.error) == [
        "org.varlink.service.MethodNotFound", "org.varlink.service.InterfaceNotFound",
        "org.varlink.service.InvalidParameter", nil,
      ])
    #expect(stage.served == ["None", "Echo"])
  }

  @Test(arguments: ["x\0", "\0", "{}\0", "[]\0{\"method\":\"org.example.test.Echo\"}\0"])
  func `a frame that is no call gets an error, and ends the connection`(text: String) throws {
    let client = try stage.connect()
    try client.send(.test("Echo"))
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

  @Test func `a client that ends its side gets all replies, and then the connection ends`() throws {
    let client = try stage.connect()
    try client.send(.test("Hold"), .test("Echo", ["n": 1]), .stream(3, size: 10))
    client.endSending()
    try stage.run { stage.held.count == 1 }
    try stage.settle()
    #expect(!client.hasEnded)
    #expect(stage.cancelled == 0)
    stage.held[0].reply(VarlinkReply.frame { _ in })
    try stage.run { client.hasEnded }
    #expect(client.replies.count == 5)
    #expect(client.replies.map(\.continues) == [false, false, true, true, false])
    #expect(stage.server.connectionCount == 0)
    #expect(stage.cancelled == 0)
  }

  @Test func `a client that has ended its side and then goes away while it is served is noticed`() throws {
    let client = try stage.connect()
    try client.send(.test("Hold"))
    client.endSending()
    try stage.run { stage.held.count == 1 }
    client.close()
    try stage.run { stage.cancelled == 1 }
    #expect(stage.server.connectionCount == 0)
  }

  // MARK: Listening

  @Test func `a server listens at several sockets`() throws {
    let listener = try UnixSocket.listen(at: stage.path("second"), mode: 0o600)
    try stage.server.listen(on: listener.number)
    let clients = [try stage.connect(), try TestClient(connectingTo: stage.path("second"), on: stage.loop)]
    for client in clients { try client.send(.test("Echo")) }
    try stage.run { clients.allSatisfy { $0.replies.count == 1 } }
    #expect(stage.server.connectionCount == 2)
  }

  @Test func `a server that is stopped ends all connections, and accepts none`() throws {
    let (idle, served) = (try stage.connect(), try stage.connect())
    try served.send(.test("Hold"))
    try stage.run { stage.held.count == 1 && stage.server.connectionCount == 2 }
    stage.server.stop()
    try stage.run { idle.hasEnded && served.hasEnded }
    #expect(stage.cancelled == 1)
    #expect(stage.held[0].isClosed)
    let late = try stage.connect()
    try late.send(.test("Echo"))
    try stage.settle()
    #expect(late.replies.isEmpty)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func `a handler may stop the server, and waiting clients are not accepted any more`() throws {
    stage.handle("Stop") { [server = stage.server] connection in
      server.stop()
      connection.reply(VarlinkReply.frame { _ in })
    }
    let (first, second) = (try stage.connect(), try stage.connect())
    try first.send(.test("Stop"), .test("Echo"))
    try second.send(.test("Echo"))
    try stage.run { first.hasEnded }
    try stage.settle()
    #expect(stage.served == ["Stop"])
    #expect(first.replies.isEmpty)
    #expect(stage.server.connectionCount == 0)
  }

  @Test func `the service knows the caller`() throws {
    let client = try stage.connect()
    try client.send(.test("Hold"))
    try stage.run { stage.held.count == 1 }
    #expect(stage.held[0].peer == PeerCredentials(process: getpid(), user: geteuid(), group: getegid()))
  }
}
