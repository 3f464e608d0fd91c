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
  private func expectHealth(_ location: SourceLocation = #_sourceLocation) throws {
    try stage.run(until: { stage.server.connectionCount == 0 }, location)
    let client = try stage.connect()
    try client.send(.test("Echo"))
    try stage.run(until: { client.replies.count == 1 }, location)
    #expect(stage.server.connectionCount == 1, sourceLocation: location)
  }

  @Test func `a client that is gone before it is accepted is ignored`() throws {
    let client = try stage.connect()
    client.close()
    try stage.settle()
    try expectHealth()
  }

  @Test func `a client that is gone before it is accepted may still have called`() throws {
    let client = try stage.connect()
    try client.send(.test("Echo", isOneway: true), .test("Echo"), .test("Echo"))
    client.close()
    try stage.run { stage.served.count >= 2 }
    try expectHealth()
  }

  @Test(arguments: ["", "{\"method\":"])
  func `a client that vanishes before or within a call is disconnected`(text: String) throws {
    let client = try stage.connect()
    if !text.isEmpty { try client.send(text) }
    try stage.run { stage.server.connectionCount == 1 }
    client.close()
    try expectHealth()
    #expect(stage.cancelled == 0)
  }

  @Test func `a client that vanishes while it is served cancels the call, once`() throws {
    let client = try stage.connect()
    try client.send(.test("Hold"), .test("Echo"))
    try stage.run { stage.held.count == 1 }
    client.close()
    try stage.run { stage.cancelled == 1 }
    #expect(stage.held[0].isClosed)
    for _ in 0..<2 {
      stage.held[0].replyAndContinue(VarlinkReply.frame(continues: true) { _ in })
      stage.held[0].reply(VarlinkReply.frame { _ in })
    }
    try expectHealth()
    #expect(stage.cancelled == 1)
    #expect(stage.served == ["Hold", "Echo"], "the second is the one that shows the health")
  }

  @Test func `a client that vanishes before its reply cancels the call when the reply is one of many`() throws {
    let client = try stage.connect()
    try client.send(.test("Hold"))
    try stage.run { stage.held.count == 1 }
    client.close()
    stage.held[0].replyAndContinue(VarlinkReply.frame(continues: true) { _ in })
    #expect(stage.cancelled == 1)
    #expect(stage.held[0].isClosed)
    try expectHealth()
    #expect(stage.cancelled == 1)
  }

  @Test func `a client that vanishes before its last reply still has its call served`() throws {
    let client = try stage.connect()
    try client.send(.test("Hold"))
    try stage.run { stage.held.count == 1 }
    client.close()
    stage.held[0].reply(VarlinkReply.frame { _ in })
    try expectHealth()
    #expect(stage.cancelled == 0)
  }

  @Test func `a client that vanishes while a reply waits for room cancels the call`() throws {
    let client = try stage.connect(isReading: false)
    try client.send(.stream(100, size: 100_000))
    try stage.run { stage.served == ["Stream"] }
    try stage.settle()
    client.close()
    try expectHealth()
    #expect(stage.cancelled == 1)
    #expect(stage.drained == 0)
  }

  @Test func `a client that vanishes during its handler cancels the call, whatever the handler does first`() throws {
    var cancelled = 0
    let client = try stage.connect()
    stage.handle("Leave") { connection in
      client.close()
      connection.replyAndContinue(VarlinkReply.frame(continues: true) { _ in })
      #expect(!connection.isClosed)
      connection.whenCancelled = { cancelled += 1 }
    }
    try client.send(.test("Leave"), .test("Echo"))
    try stage.run { cancelled == 1 }
    try expectHealth()
    #expect(cancelled == 1)
    #expect(stage.served == ["Leave", "Echo"])
  }

  @Test func `a client that vanishes is noticed while the others come and go`() throws {
    for round in 0..<50 {
      let clients = try (0..<4).map { _ in try stage.connect() }
      for client in clients { try client.send(.test("Hold")) }
      try stage.run { stage.held.count == 4 * (round + 1) }
      for client in clients { client.close() }
      try stage.run { stage.server.connectionCount == 0 }
    }
    #expect(stage.cancelled == 200)
  }
}
