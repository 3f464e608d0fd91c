import PathModel
import SystemIO
import Testing
import Varlink

@Suite("Clients that vanish")
struct ServerVanishingTests {
  private let stage: ServerStage

  init() throws {
    stage = try ServerStage()
  }

  /// Runs until there are no connections any more, and shows that the server still serves.
  private func expectHealth(cancelled: Int, _ location: SourceLocation = #_sourceLocation) throws {
    try stage.run(until: { stage.server.connectionCount == 0 }, location)
    let client = try stage.connect()
    try stage.expectAnswer(to: client, location)
    #expect(stage.server.connectionCount == 1, sourceLocation: location)
    #expect(stage.cancelled == cancelled, sourceLocation: location)
  }

  private static let update = VarlinkReply.frame(continues: true) { _ in }
  private static let reply = VarlinkReply.frame { _ in }

  @Test func `a client that is gone before it is accepted may still have called`() throws {
    let client = try stage.connect(sending: .test("Echo", isOneway: true), .test("Echo"), .test("Echo"))
    client.close()
    try stage.run { stage.served.count >= 2 }
    try expectHealth(cancelled: 0)
  }

  @Test(arguments: ["", "{\"method\":"], [true, false])
  func `a client that vanishes before or within a call is disconnected`(text: String, isAccepted: Bool) throws {
    let client = try stage.connect()
    try client.send(text)
    if isAccepted { try stage.run { stage.server.connectionCount == 1 } }
    client.close()
    try stage.settle()
    try expectHealth(cancelled: 0)
  }

  @Test func `a client that vanishes while it is served cancels the call, once`() throws {
    let (client, connection) = try stage.connectHeld()
    try client.send(.test("Echo"))
    client.close()
    try stage.run { stage.cancelled == 1 }
    #expect(connection.isClosed)
    for _ in 0..<2 {
      connection.replyAndContinue(Self.update)
      connection.reply(Self.reply)
    }
    try expectHealth(cancelled: 1)
    #expect(stage.served == ["Hold", "Echo"], "the second is the one that shows the health")
  }

  @Test func `a client that vanishes before its reply cancels the call when the reply is one of many`() throws {
    let (client, connection) = try stage.connectHeld()
    client.close()
    connection.replyAndContinue(Self.update)
    #expect(stage.cancelled == 1)
    #expect(connection.isClosed)
    try expectHealth(cancelled: 1)
  }

  @Test func `a client that vanishes before its last reply still has its call served`() throws {
    let (client, connection) = try stage.connectHeld()
    client.close()
    connection.reply(Self.reply)
    try expectHealth(cancelled: 0)
  }

  @Test func `a client that vanishes while a reply waits for room cancels the call`() throws {
    let client = try stage.connect(isReading: false, sending: .stream(100, size: 100_000))
    try stage.run { stage.served == ["Stream"] }
    try stage.settle()
    client.close()
    try expectHealth(cancelled: 1)
    #expect(stage.drained == 0)
  }

  @Test func `a client that vanishes during its handler cancels the call, whatever the handler does first`() throws {
    var cancelled = 0
    let client = try stage.connect()
    stage.handle("Leave") { connection in
      client.close()
      connection.replyAndContinue(Self.update)
      #expect(!connection.isClosed)
      connection.whenCancelled = { cancelled += 1 }
    }
    try client.send(.test("Leave"), .test("Echo"))
    try stage.run { cancelled == 1 }
    try expectHealth(cancelled: 0)
    #expect(cancelled == 1)
    #expect(stage.served == ["Leave", "Echo"])
  }
}
