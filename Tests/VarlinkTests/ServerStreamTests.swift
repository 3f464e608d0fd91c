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

  @Test func `all replies but the last say that more follow`() throws {
    let client = try stage.connect()
    try client.send(.stream(5, size: 3), .test("Echo"))
    try stage.run { client.replies.count == 6 }
    #expect(client.replies.map(\.continues) == [true, true, true, true, false, false])
    #expect(client.replies.prefix(5).map { $0.parameters["number"] } == [1, 2, 3, 4, 5])
  }

  @Test func `a client that does not read is waited for, and others are served meanwhile`() throws {
    let slow = try stage.connect(isReading: false)
    try slow.send(.stream(100, size: 30_000), .test("Echo", ["n": 7]))
    try stage.run { stage.served == ["Stream"] }
    try stage.settle()
    #expect(stage.drained == 0)
    for number in 0..<10 {
      let other = try stage.connect()
      try other.send(.test("Echo", ["n": .integer(Int64(number))]))
      try stage.run { other.replies.count == 1 }
    }
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
    let clients = try (0..<100).map { _ in try stage.connect(isReading: false) }
    for client in clients { try client.send(.test("Follow", acceptsMore: true)) }
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
    let client = try stage.connect(isReading: false)
    try client.send(.stream(1, size: 3_000_000), .test("Echo", ["n": 7]))
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
    let client = try stage.connect()
    try client.send(.test("Twice"))
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
    let client = try stage.connect(isReading: false)
    try client.send(.stream(1, size: 3_000_000), .test("Quiet"))
    try stage.run { stage.served == ["Stream"] }
    try client.startReading()
    try stage.run { client.replies.count == 2 }
    try stage.settle()
    #expect(calls == 1, "that of its own reply")
  }

  @Test func `a stream that fails while its client does not read ends with the whole reply and the error`() throws {
    let client = try stage.connect(isReading: false)
    try client.send(.test("Hold"))
    try stage.run { stage.held.count == 1 }
    let connection = stage.held[0]
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
    try client.send(.test("Echo"))
    try stage.run { client.replies.count == 3 }
  }

  @Test func `a client that has ended its side gets the whole stream, however slowly it reads`() throws {
    let client = try stage.connect(isReading: false)
    try client.send(.stream(50, size: 30_000))
    client.endSending()
    try stage.run { stage.served == ["Stream"] }
    try stage.settle()
    try client.startReading()
    try stage.run { client.hasEnded }
    #expect(client.replies.count == 50)
    #expect(stage.cancelled == 0)
  }

  @Test func `a stream without a receiver runs to its end`() throws {
    let client = try stage.connect()
    var call = VarlinkCall.stream(1_000, size: 100_000)
    call.isOneway = true
    try client.send(call, .test("Echo", ["n": 7]))
    try stage.run { client.replies.count == 1 }
    #expect(client.replies == [VarlinkReply(["n": 7])])
  }
}
