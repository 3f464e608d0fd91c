import PathModel
import SystemIO
import Testing
import Varlink

@Suite("Streams of replies")
struct ServerStreamTests {
  private let stage: ServerStage

  init() throws {
    stage = try ServerStage()
  }

  @Test func `a client that does not read is waited for, and others are served meanwhile`() throws {
    let slow = try stage.connect(isReading: false, sending: .stream(100, size: 30_000), .test("Echo", ["n": 7]))
    try stage.run { stage.served == ["Stream"] }
    try stage.settle()
    #expect(stage.drained == 0)
    for _ in 0..<10 { try stage.expectAnswer(to: stage.connect()) }
    #expect(stage.drained == 0)
    try slow.startReading()
    try stage.run { slow.replies.count == 101 }
    #expect(stage.drained > 0)
    #expect(slow.replies.prefix(100).map { $0.parameters["number"]?.integerValue } == (1...100).map { Int64($0) })
    #expect(slow.replies.allSatisfy { $0.error == nil })
    #expect(slow.replies.last == VarlinkReply(["n": 7]))
    #expect(!slow.hasEnded)
  }

  @Test func `the kernel holds one reply of a stream whose client does not read, whatever its size`() throws {
    var limits = VarlinkServer.Limits()
    limits.bytesQueued = 65_536
    let stage = try ServerStage(limits: limits)
    var sent = 0
    var connections: [VarlinkConnection] = []
    stage.handle("Follow") { connections.append($0) }
    let clients = try (0..<100).map { _ in
      try stage.connect(isReading: false, sending: .test("Follow", acceptsMore: true))
    }
    try stage.run { connections.count == clients.count }
    for _ in 0..<50 {
      for connection in connections where connection.isDrained {
        connection.replyAndContinue(VarlinkReply.frame(continues: true) { _ in })
        sent += 1
      }
    }
    #expect(sent == clients.count)
    #expect(stage.server.connectionCount == clients.count, "nobody is ended who is only slow")
    var reports = 0
    for connection in connections { connection.whenDrained { reports += 1 } }
    try stage.settle()
    #expect(reports == 0)
    for client in clients.prefix(40) { try client.startReading() }
    try stage.run { reports == 40 }
    #expect(connections.filter(\.isDrained).count == 40)
  }

  @Test func `a reply larger than the kernel's buffer is sent whole`() throws {
    let client = try stage.connect(isReading: false, sending: .stream(1, size: 3_000_000), .test("Echo", ["n": 7]))
    try stage.run { stage.served == ["Stream"] }
    try stage.settle()
    #expect(stage.served == ["Stream"], "the next call waits until the reply is sent")
    try client.startReading()
    try stage.run { client.replies.count == 2 }
    #expect(client.replies[0].parameters["text"]?.stringValue?.utf8.count == 3_000_000)
    #expect(client.replies[1] == VarlinkReply(["n": 7]))
    #expect(stage.drained == 0, "there was nothing more to send")
  }

  @Test func `a handler sees whether the client has read its replies`() throws {
    var drained: [Bool] = []
    stage.handle("Twice") { connection in
      drained.append(connection.isDrained)
      for number in 1...2 {
        connection.replyAndContinue(
          VarlinkReply.frame(continues: true) {
            $0.key("n")
            $0.integer(number)
          })
        drained.append(connection.isDrained)
      }
      connection.reply(VarlinkReply.frame { _ in })
    }
    let client = try stage.connect(sending: .test("Twice"))
    try stage.run { client.replies.count == 3 }
    #expect(drained == [true, false, false])
    #expect(client.replies.map(\.continues) == [true, true, false])
  }

  @Test func `the reading of the last reply of a call is not reported to the next call`() throws {
    var calls = 0
    stage.handle("Quiet") { connection in
      connection.whenDrained { calls += 1 }
      connection.replyAndContinue(VarlinkReply.frame(continues: true) { _ in })
    }
    let client = try stage.connect(isReading: false, sending: .stream(1, size: 3_000_000), .test("Quiet"))
    try stage.run { stage.served == ["Stream"] }
    try client.startReading()
    try stage.run { client.replies.count == 2 }
    try stage.settle()
    #expect(calls == 1, "that of its own reply")
  }

  @Test func `a stream that fails while its client does not read ends with the whole reply and the error`() throws {
    let (client, connection) = try stage.connectHeld(isReading: false)
    connection.replyAndContinue(
      VarlinkReply.frame(continues: true) { writer in
        writer.key("text")
        writer.string(String(repeating: "x", count: 1_000_000))
      })
    #expect(!connection.isDrained)
    connection.fail(VarlinkError("org.example.test.Failed"))
    try client.startReading()
    try stage.run { client.replies.count == 2 }
    #expect(client.replies[0].parameters["text"]?.stringValue?.utf8.count == 1_000_000)
    #expect(client.replies[1] == VarlinkReply(error: "org.example.test.Failed"))
    try stage.expectAnswer(to: client)
  }

  @Test func `a stream without a receiver runs to its end`() throws {
    var call = VarlinkCall.stream(1_000, size: 100_000)
    call.isOneway = true
    let client = try stage.connect(sending: call, .test("Echo", ["n": 7]))
    try stage.run { client.replies.count == 1 }
    #expect(client.replies == [VarlinkReply(["n": 7])])
  }
}
