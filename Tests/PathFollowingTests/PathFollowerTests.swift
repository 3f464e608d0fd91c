import PathModel
import SystemIO
import Testing

@testable import PathFollowing

@Suite("A follower of the service")
struct PathFollowerTests {
  /// A stage whose service has delivered a path.
  private static func answered(_ change: (inout FollowingPolicy) -> Void = { _ in }) throws -> FollowingStage {
    let stage = try FollowingStage(change)
    try stage.listen()
    stage.start()
    #expect(try stage.run { stage.isConnected })
    try stage.reply(.satisfied)
    #expect(try stage.run { stage.updates == [.trouble(nil), .path(.satisfied)] })
    return stage
  }

  /// Ends the service and expects an update about that, and then its path when it is back.
  private static func expect(
    _ loss: FollowingStage.Update, andThen status: NetworkPath.Status, on stage: FollowingStage,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try stage.die()
    #expect(try stage.run { stage.updates.last == loss }, sourceLocation: location)
    try stage.listen()
    #expect(try stage.run { stage.isConnected }, sourceLocation: location)
    try stage.reply(status)
    #expect(try stage.run { stage.updates.last == .path(status) }, sourceLocation: location)
  }

  @Test func `connects at once when a socket appears, however long the pause is`() throws {
    let stage = try Self.answered {
      $0.shortestPause = .seconds(86_400)
      $0.longestPause = .seconds(86_400)
      $0.lossDelay = .seconds(86_400)
    }
    try Self.expect(.interrupted(.connectionLost), andThen: .unsatisfied, on: stage)
  }

  @Test func `connects after a pause when the directory of the socket cannot be watched`() throws {
    let stage = try FollowingStage()
    try stage.startWithoutWatch()
    try stage.listen()
    #expect(try stage.run { stage.isConnected })
  }

  @Test func `a settle time that no service could count is thirty years`() throws {
    let stage = try FollowingStage(settle: .seconds(Int64.max))
    try stage.listen()
    stage.start()
    #expect(try stage.run { stage.isConnected })
    #expect(try stage.call().contains(#""settleMilliseconds":1000000000000"#))
  }

  @Test func `reports a long loss, and the path again when the service is back`() throws {
    let stage = try Self.answered { $0.lossDelay = .zero }
    try Self.expect(.lost(.connectionLost), andThen: .satisfied, on: stage)
  }

  @Test func `reports a loss at once when there has been no path`() throws {
    let stage = try FollowingStage()
    stage.start()
    #expect(stage.updates == [.lost(.serviceNotRunning)])
    #expect(stage.errors.allSatisfy { $0.reply == nil })
  }

  @Test func `gives up a service that does not answer in time`() throws {
    let stage = try FollowingStage { $0.answerLimit = .milliseconds(1) }
    try stage.listen()
    stage.start()
    #expect(try stage.run { !stage.updates.isEmpty })
    #expect(stage.updates == [.lost(.connectionLost)])
  }

  @Test func `delivers all paths that come in one piece, then the end of the stream`() throws {
    let stage = try Self.answered()
    try stage.reply(.unsatisfied)
    try stage.reply(.satisfied, continues: false)
    #expect(try stage.run { stage.updates.last == .interrupted(.connectionLost) })
    #expect(
      stage.updates == [
        .trouble(nil), .path(.satisfied), .path(.unsatisfied), .path(.satisfied), .interrupted(.connectionLost),
      ])
  }

  @Test func `rejects a path that comes without its changes`() throws {
    let stage = try FollowingStage()
    try stage.listen()
    stage.start()
    #expect(try stage.run { stage.isConnected })
    try stage.reply(.satisfied, continues: false)
    #expect(try stage.run { !stage.updates.isEmpty })
    #expect(stage.updates == [.lost(.protocolMismatch)])
  }

  @Test(
    arguments: [
      (#"{"error": "io.example.Over"}"#, .declined, .error(name: "io.example.Over")),
      (#"{"continues": true, "parameters": {"path": 7}}"#, .protocolMismatch, .malformed),
      ("[]", .protocolMismatch, nil),
    ] as [(String, PathSourceError.Code, PathSourceError.Reply?)])
  func `an error names the reply that led to it`(
    text: String, code: PathSourceError.Code, reply: PathSourceError.Reply?
  ) throws {
    let stage = try Self.answered()
    try stage.reply(text)
    #expect(try stage.run { stage.updates.last == .interrupted(code) })
    #expect(stage.errors.map(\.reply) == [reply])
  }

  @Test func `asks and delivers nothing after it has been stopped in a delivery`() throws {
    let stage = try Self.answered()
    stage.stopsAtNextUpdate = true
    try stage.reply(.unsatisfied)
    try stage.reply("[]")
    try stage.die()
    #expect(try stage.run { stage.updates.count == 3 })
    try stage.listen()
    try stage.runRound()
    #expect(!stage.isConnected)
    #expect(stage.updates == [.trouble(nil), .path(.satisfied), .path(.unsatisfied)])
  }

  @Test func `delivers to the subscribers in the order of their arrival`() throws {
    let stage = try FollowingStage()
    for number in [3, 1, 2] { stage.add(number) }
    try stage.listen()
    stage.start()
    #expect(try stage.run { stage.isConnected })
    try stage.reply(.satisfied)
    #expect(try stage.run { stage.recipients.count == 8 })
    #expect(stage.recipients == [0, 3, 1, 2, 0, 3, 1, 2])
  }

  @Test func `delivers nothing to a subscriber that its own update has ended`() throws {
    let stage = try FollowingStage { $0.sources = .kernel }
    stage.start()
    stage.add(1, leaves: true)
    stage.add(2)
    #expect(try stage.run { stage.recipients.filter { $0 == 2 }.count >= 2 })
    #expect(stage.recipients.filter { $0 == 1 } == [1])
  }

  @Test func `a subscriber that joins after the kernel has taken over gets no update of the service`() throws {
    let stage = try Self.answered { policy in
      policy.sources = .serviceOrKernel
      policy.takeOverDelay = .seconds(60)
    }
    try stage.die()
    let isOnKernel = try stage.run {
      stage.updates.count { if case .path = $0 { true } else { false } } == 2
    }
    #expect(isOnKernel)
    stage.add(1)
    #expect(stage.recipients.filter { $0 == 1 }.count == 2, "the kernel's trouble and its path")
  }

  @Test func `a service that admits nobody does not keep the kernel's path waiting`() throws {
    let stage = try FollowingStage { policy in
      policy.sources = .serviceOrKernel
      policy.answerLimit = .seconds(60)
    }
    try stage.listenWithFullQueue()
    let start = MonotonicInstant.now
    stage.start()
    let hasPath = try stage.run {
      stage.updates.contains { if case .path = $0 { true } else { false } }
    }
    #expect(hasPath)
    #expect(start.duration(to: .now) < .seconds(30))
  }
}
