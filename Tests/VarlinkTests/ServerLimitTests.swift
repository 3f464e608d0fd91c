import CProcessTestSupport
import Foundation
import PathModel
import SystemIO
import Testing
import Varlink

@Suite("Limits of the server")
struct ServerLimitTests {
  private func limits(_ change: (inout VarlinkServer.Limits) -> Void) -> VarlinkServer.Limits {
    var limits = VarlinkServer.Limits()
    change(&limits)
    return limits
  }

  /// How many times its own share the whole of a limit is: root may use it all, any other user a quarter.
  private static let shares = geteuid() == 0 ? 1 : 4

  // MARK: Connections

  @Test func `a client too many gets an error, and there is room again when one goes`() throws {
    let stage = try ServerStage(limits: limits { $0.connections = 2 })
    let clients = try (0..<2).map { _ in try stage.connect() }
    try stage.run { stage.server.connectionCount == 2 }
    for turnedAway in [try stage.connect(), try stage.connect(sending: .test("Echo"))] {
      try stage.run { turnedAway.hasEnded }
      #expect(turnedAway.replies == [.limitReached("connections", 2)])
    }
    #expect(stage.served.isEmpty)
    clients[0].close()
    try stage.run { stage.server.connectionCount == 1 }
    for client in [clients[1], try stage.connect()] { try stage.expectAnswer(to: client) }
  }

  @Test func `a user other than root has a limit of connections, and root has a higher one`() async throws {
    await #expect(processExitsWith: .success) {
      var limits = VarlinkServer.Limits()
      limits.connectionsPerUser = 2
      let stage = try ServerStage(limits: limits)
      let isRoot = geteuid() == 0
      let ofRoot = try (0..<(isRoot ? 3 : 0)).map { _ in try stage.connect() }
      // The user of a connection is the effective one at the time of connect(2).
      if isRoot { try #require(seteuid(65_534) == 0) }
      defer { if isRoot { seteuid(0) } }
      var clients = try (0..<3).map { _ in try stage.connect() }
      try stage.run { clients[2].hasEnded }
      try #require(clients[2].replies == [.limitReached("connectionsPerUser", 2)])
      clients[0].close()
      try stage.run { stage.server.connectionCount == ofRoot.count + 1 }
      clients[0] = try stage.connect()
      for client in clients.prefix(2) { try stage.expectAnswer(to: client) }
    }
  }

  // MARK: Incomplete calls

  @Test func `of incomplete calls that are too long together the longest ends, and the others are served`() throws {
    let stage = try ServerStage(limits: limits { $0.bytesHeld = 100 * Self.shares })
    let clients = try (0..<3).map { _ in try stage.connect() }
    try clients[0].send(String(repeating: " ", count: 40))
    try clients[1].send(String(repeating: " ", count: 60))
    try stage.run { stage.server.connectionCount == 3 }
    try stage.settle()
    try clients[2].send(" ")
    try stage.run { clients[1].hasEnded }
    #expect(clients[1].replies == [.limitReached("incompleteRequestBytes", Int64(100 * Self.shares))])
    for client in [try stage.connect(), clients[0], clients[2]] { try stage.expectAnswer(to: client) }
  }

  @Test func `calls that were sent ahead count no more when they are served`() throws {
    let stage = try ServerStage(limits: limits { $0.bytesHeld = 200 * Self.shares })
    let text = JSONValue.string(String(repeating: "x", count: 100))
    let ahead = try stage.connect(sending: .test("Hold"), .test("Echo", ["text": text]))
    try stage.run { stage.held.count == 1 }
    stage.held[0].reply(VarlinkReply.frame { _ in })
    try stage.run { ahead.replies.count == 2 }
    let other = try stage.connect()
    try other.send(String(repeating: " ", count: 150))
    try stage.settle()
    try stage.expectAnswer(to: other)
    #expect(!ahead.hasEnded)
  }

  @Test func `a call that is served is cancelled when the next one is too long`() throws {
    let stage = try ServerStage(limits: limits { $0.bytesHeld = 100 })
    let client = try stage.connect()
    try client.send(VarlinkCall.test("Hold").frame + [UInt8](repeating: 0x20, count: 101))
    try stage.run { client.hasEnded }
    #expect(client.replies == [.limitReached("incompleteRequestBytes", 100)])
    #expect(stage.cancelled == 1)
    stage.held[0].reply(VarlinkReply.frame { _ in })
    #expect(stage.server.connectionCount == 0)
  }

  // MARK: Unread replies

  @Test func `of clients that do not read those with the most replies end, and the others are served`() throws {
    let stage = try ServerStage(limits: limits { $0.bytesQueued = (4 << 20) * Self.shares })
    let deaf = try (0..<8).map { _ in try stage.connect(isReading: false) }
    let reading = try stage.connect()
    for client in deaf { try client.send(.stream(1, size: 1 << 20)) }
    try stage.run { stage.served.count == 8 }
    try stage.settle()
    // A part of the bytes for the others is in the kernel, which counts more than the bytes.
    #expect((3...5).contains(stage.server.connectionCount))
    try reading.send(.stream(4, size: 100_000))
    try stage.run { reading.replies.count == 4 }
  }

  // MARK: Turns

  @Test func `each client has one call served, then the next has its turn`() throws {
    let stage = try ServerStage()
    var order: [ObjectIdentifier] = []
    stage.handle("Note") { connection in
      order.append(ObjectIdentifier(connection))
      connection.reply(VarlinkReply.frame { _ in })
    }
    let clients = try (0..<3).map { _ in try stage.connect() }
    try stage.run { stage.server.connectionCount == 3 }
    for client in clients { try client.send(.test("Note"), .test("Note"), .test("Note")) }
    try stage.run { order.count == 9 }
    #expect(Set(order[0..<3]).count == 3)
    #expect(Set(order[3..<6]).count == 3)
  }

  @Test func `timers and new clients have their turns though a crowd calls all the time`() throws {
    let stage = try ServerStage()
    stage.handle("Slow") { connection in
      let end = MonotonicInstant.now.advanced(by: .milliseconds(1))
      while .now < end {}
      connection.reply(VarlinkReply.frame { _ in })
    }
    let crowd = try (0..<20).map { _ in try stage.connect() }
    let calls = Array(repeating: VarlinkCall.test("Slow", isOneway: true).frame, count: 100).flatMap(\.self)
    for client in crowd { try client.send(calls) }
    try stage.run { stage.served.count >= 20 }
    let before = stage.served.count
    var fired = false
    let timer = stage.loop.makeTimer { fired = true }
    timer.set(.now)
    try stage.run { fired }
    #expect(stage.served.count - before < 500, "all 2,000 calls are not served first")
    try stage.expectAnswer(to: stage.connect())
    #expect(stage.served.count < 1_000)
  }

  // MARK: Descriptors

  @Test func `without descriptors a client gets an error, and with some the next one is served`() async throws {
    await #expect(processExitsWith: .success) {
      let stage = try ServerStage()
      let clients = try (0..<3).map { _ in try stage.connect() }
      var others = try Descriptors.occupyAll()
      try clients[0].send(.test("Echo"))
      try stage.run { clients.allSatisfy { $0.hasEnded } }
      for client in clients { try #require(client.replies == [.limitReached("descriptors", 0)], "\(client.replies)") }
      try #require(stage.server.connectionCount == 0)
      others.release()
      try stage.expectAnswer(to: stage.connect())
    }
  }

  @Test func `without even the spare descriptor the loop sleeps, and later serves the waiting clients`() async throws {
    await #expect(processExitsWith: .success) {
      let stage = try ServerStage()
      let client = try stage.connect(sending: .test("Echo"))
      // No number is low enough, not even that of the spare one.
      let usual = Descriptors.setLimit(3)
      var rounds = 0
      let end = MonotonicInstant.now.advanced(by: .milliseconds(250))
      while .now < end {
        try stage.loop.runOnce(until: end)
        rounds += 1
      }
      try #require(rounds < 20, "the loop ran \(rounds) times")
      try #require(client.replies.isEmpty && !client.hasEnded)
      Descriptors.setLimit(usual)
      try stage.run { client.replies.count == 1 }
      try #require(client.replies == [VarlinkReply()])
    }
  }

  @Test func `as many as 10,000 clients are served at once, and nothing is left of them`() async throws {
    await #expect(processExitsWith: .success) {
      let count = min(10_000, (Int(Descriptors.raiseLimit()) - 200) / 2)
      var limits = VarlinkServer.Limits()
      limits.connectionsPerUser = count
      let stage = try ServerStage(limits: limits)
      let before = Descriptors.openSockets
      var clients: [TestClient] = []
      for number in 0..<count {
        clients.append(try stage.connect())
        // The queue of a listening socket is finite.
        if number % 500 == 499 { try stage.run { stage.server.connectionCount == clients.count } }
      }
      for client in clients { try client.send(.test("Echo")) }
      try stage.run { stage.served.count == count }
      try stage.run { clients.allSatisfy { $0.replies.count == 1 } }
      for client in clients { client.close() }
      try stage.run { stage.server.connectionCount == 0 }
      let after = Descriptors.openSockets
      try #require(after == before, "\(after) sockets are open, \(before) were")
    }
  }
}

/// The descriptors of a process of its own.
struct Descriptors {
  private var occupied: [Int32] = []

  /// Occupies all the descriptors that a process with a low limit may have.
  ///
  /// From then on they are this thread's alone: other threads of the runtime open and close some of their own.
  static func occupyAll() throws -> Descriptors {
    try #require(cprocess_unshare_descriptors() == 0)
    setLimit(200)
    var descriptors = Descriptors()
    while case let number = dup(1), number >= 0 { descriptors.occupied.append(number) }
    return descriptors
  }

  /// Closes the occupied descriptors.
  mutating func release() {
    for number in occupied { close(number) }
    occupied = []
  }

  /// Raises the limit of descriptors as far as possible, and returns it.
  static func raiseLimit() -> UInt {
    setLimit(.max)
    return setLimit(.max)
  }

  /// Allows the process descriptors with numbers below the limit. Returns the one before.
  @discardableResult
  static func setLimit(_ number: UInt) -> UInt {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    _ = unsafe getrlimit(resource, &limit)
    let before = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, number)
    _ = unsafe setrlimit(resource, &limit)
    return before
  }

  /// How many sockets are open.
  static var openSockets: Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.count { Files.linkTarget("/proc/self/fd/\($0)")?.hasPrefix("socket:") == true }
  }
}
