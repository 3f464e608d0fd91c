import KernelPath
import KernelTestSupport
import PathModel
import Testing

@testable import PathEngine

@Suite("Classes of users", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct UserClassTests {
  private static let nobody: UInt32 = 65_534
  private static let rule = "rule add pref 100 uidrange 65534-65534 lookup 100"
  private static let cut = "route delete default via 192.0.2.1 dev eth0 metric 100"

  /// A second cable with a default route in table 100.
  private static func addSecondWay(_ stage: EngineStage) throws {
    try stage.namespace.addCable("eth1")
    try stage.namespace.ip("address add 192.0.3.2/24 dev eth1")
    try stage.namespace.ip("route add default via 192.0.3.1 dev eth1 table 100")
    try stage.run(for: .milliseconds(100))
  }

  @Test func `users of a class share one evaluation and one stream`() async throws {
    try await EngineStage.run { stage in
      try Self.addSecondWay(stage)
      try stage.namespace.ip("rule add pref 100 uidrange 2000-2999 lookup 100")
      let members = try (0..<20).map { try stage.subscribe(user: 2_000 + $0) }
      let own = try (0..<20).map { try stage.subscribe(user: 1_000 + $0) }
      #expect(stage.engine.reader.followedClasses == 1)
      #expect(members.allSatisfy { $0.ways == ["eth1"] })
      #expect(own.allSatisfy { $0.ways == ["eth0"] })
      #expect(stage.engine.announcements == 2)
      // All move to the stream of the others, and back.
      try stage.namespace.ip("rule delete pref 100")
      #expect(try stage.run { members.allSatisfy { $0.ways == ["eth1", "eth0"] } })
      try stage.namespace.ip("rule add pref 100 uidrange 2000-2999 lookup 100")
      #expect(try stage.run { members.allSatisfy { $0.ways == ["eth1", "eth0", "eth1"] } })
      #expect(own.allSatisfy { $0.ways == ["eth0"] })
      let announced = stage.engine.announcements
      try stage.namespace.ip("route delete default table 100")
      #expect(try stage.run { members.allSatisfy { $0.ways == ["eth1", "eth0", "eth1", "eth0"] } })
      #expect(stage.engine.announcements == announced + 1)
      for member in members { stage.engine.cancel(try #require(member.subscription)) }
      #expect(stage.engine.reader.followedClasses == 0)
    }
  }

  @Test func `asking for a user's path right after a change of a rule moves that user's subscribers`() async throws {
    try await EngineStage.run { stage in
      try Self.addSecondWay(stage)
      let follower = try stage.subscribe(user: Self.nobody)
      for (command, way) in [(Self.rule, "eth1"), ("rule delete pref 100", "eth0")] {
        try stage.namespace.ip(command)
        #expect(stage.engine.freshPath(of: Self.nobody).interfaces.first?.name == way)
        #expect(try stage.run { follower.ways.last == way })
      }
      #expect(follower.ways == ["eth0", "eth1", "eth0"])
    }
  }

  @Test func `unsubscribing during a delivery does not spoil the answer to another user`() async throws {
    try await EngineStage.run { stage in
      try Self.addSecondWay(stage)
      try stage.namespace.ip(Self.rule)
      var subscription: PathEngine.Subscription?
      subscription = stage.engine.subscribe(.immediate) { path in
        if path.status == .unsatisfied, let subscription { stage.engine.cancel(subscription) }
      }
      try stage.namespace.ip(Self.cut)
      #expect(stage.engine.freshPath(of: Self.nobody).interfaces.first?.name == "eth1")
      #expect(stage.engine.freshPath(of: Self.nobody).status == .satisfied)
      #expect(stage.engine.freshPath().status == .unsatisfied)
    }
  }

  @Test func `while the kernel cannot be asked for a user, its path is not taken for another's`() async throws {
    try await EngineStage.run { stage in
      try Self.addSecondWay(stage)
      try stage.namespace.ip(Self.rule)
      // The engine knows the rules from here on.
      #expect(stage.engine.freshPath(of: Self.nobody).interfaces.first?.name == "eth1")
      let sockets = try #require(NetlinkSockets())
      let follower: EngineStage.Collector
      do {
        let broken = BrokenDescriptor(sockets.queryDescriptor)
        let path = stage.engine.freshPath(of: Self.nobody)
        #expect(path.knowledge != .known)
        #expect(path.interfaces.first?.name != "eth0")
        follower = try stage.subscribe(user: Self.nobody)
        #expect(follower.paths.map(\.knowledge) == [.unknown])
        _ = consume broken
      }
      #expect(try stage.run { follower.paths.last?.knowledge == .known })
      #expect(follower.ways.last == "eth1")
    }
  }

  @Test func `a subscriber that moves to a stream with smaller numbers still gets growing ones`() async throws {
    try await EngineStage.run { stage in
      try Self.addSecondWay(stage)
      try stage.namespace.ip(Self.rule)
      let (resident, mover) = (try stage.subscribe(user: 1_000), try stage.subscribe(user: Self.nobody))
      func change(_ name: String, toSize size: Int, seenBy collector: EngineStage.Collector) throws {
        try stage.namespace.ip("link set \(name) mtu \(size)")
        #expect(try stage.run { collector.paths.last?.interfaces.first?.mtu == size })
      }
      for size in 1_400..<1_405 { try change("eth1", toSize: size, seenBy: mover) }
      #expect(mover.paths.last?.sequence == 5)
      #expect(resident.updates.count == 1)
      try stage.namespace.ip("rule delete pref 100")
      #expect(try stage.run { mover.ways.last == "eth0" })
      try change("eth0", toSize: 1_410, seenBy: mover)
      try change("eth0", toSize: 1_410, seenBy: resident)
      #expect(resident.updates.last === mover.updates.last)
      #expect(mover.paths.map(\.sequence) == Array(0...7))
      for (before, after) in zip(mover.updates, mover.updates.dropFirst()) {
        #expect(after.path.changed == after.path.fieldsChanged(since: before.path))
      }
    }
  }

  @Test func `a user that moves to a class with the same path gets no update, and then each change`()
    async throws
  {
    try await EngineStage.run { stage in
      try stage.namespace.ip("route add default via 192.0.2.1 dev eth0 metric 100 table 100")
      let (resident, mover) = (try stage.subscribe(user: 1_000), try stage.subscribe(user: Self.nobody))
      for command in [Self.rule, "rule delete pref 100", Self.rule] {
        try stage.namespace.ip(command)
        try stage.run(for: .milliseconds(50))
      }
      #expect(mover.updates.count == 1)
      try stage.namespace.ip("route delete default table 100")
      try stage.namespace.ip("route delete default")
      #expect(try stage.run { mover.paths.last?.status == .unsatisfied })
      #expect(try stage.run { resident.paths.last?.status == .unsatisfied })
    }
  }

  @Test func `a subscription may end while its class moves, also by the delivery to another`() async throws {
    try await EngineStage.run { stage in
      try Self.addSecondWay(stage)
      let followers = try (0..<50).map { try stage.subscribe(user: 2_000 + $0) }
      // Each delivery of the second way ends the next subscription.
      for (follower, next) in zip(followers, followers.dropFirst()) {
        follower.whenReceived = { path in
          guard path.interfaces.first?.name == "eth1" else { return }
          next.subscription.map(stage.engine.cancel)
        }
      }
      try stage.namespace.ip("rule add pref 100 uidrange 2000-2099 lookup 100")
      #expect(try stage.run { followers[48].ways == ["eth0", "eth1"] })
      for (number, follower) in followers.enumerated() {
        #expect(follower.ways == (number % 2 == 0 ? ["eth0", "eth1"] : ["eth0"]))
      }
      #expect(stage.engine.subscriberCount == 25)
      for follower in followers { follower.subscription.map(stage.engine.cancel) }
      #expect(stage.engine.subscriberCount == 0)
      #expect(stage.engine.reader.followedClasses == 0)
    }
  }

  @Test func `a change whose message a refused subscription has read is still published`() async throws {
    try await EngineStage.run { stage in
      let users = UInt32(2_000)..<2_000 + UInt32(PathEngine.userClassLimit)
      let all = users.lowerBound...users.upperBound
      try stage.namespace.batch(all.map { "rule add pref 100 uidrange \($0)-\($0) lookup 100" })
      try stage.run(for: .milliseconds(100))
      let followers = try users.map { try stage.subscribe(user: $0) }
      #expect(throws: PathEngine.TooManyUserClasses.self) { try stage.subscribe(user: users.upperBound) }
      try stage.run(for: .milliseconds(1_200))
      try stage.namespace.ip(Self.cut)
      #expect(throws: PathEngine.TooManyUserClasses.self) { try stage.subscribe(user: users.upperBound) }
      #expect(try stage.run { followers.allSatisfy { $0.paths.last?.status == .unsatisfied } })
    }
  }
}
