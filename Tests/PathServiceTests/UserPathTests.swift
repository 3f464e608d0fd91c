import KernelTestSupport
import PathEngine
import PathModel
import SystemIO
import Testing
import Varlink

@testable import PathService

@Suite("Paths of users", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct UserPathTests {
  private static let nobody: UInt32 = 65_534
  private static let rule = "rule add pref 100 uidrange 65534-65534 lookup 100"
  private static let getPath = VarlinkCall(PathMonitorInterface.Method.getPath.fullName)
  private static let watch = VarlinkCall(
    PathMonitorInterface.Method.watchPath.fullName, ["settleMilliseconds": 0], acceptsMore: true)

  private static func way(_ path: NetworkPath) -> String { path.interfaces.first?.name ?? "none" }

  @Test func `each user gets the path of the rules for that user`() async throws {
    try await ServiceStage.run { stage in
      try stage.addSecondWay()
      #expect(Self.way(try stage.reply(to: Self.getPath).path()) == "eth0")
      try stage.namespace.ip(Self.rule)
      #expect(Self.way(try stage.reply(to: Self.getPath).path()) == "eth1")
      #expect(Self.way(try stage.reply(to: Self.getPath, user: 65_533).path()) == "eth0")
      #expect(Self.way(try stage.path()) == "eth0")
      let route = VarlinkCall(PathMonitorInterface.Method.getRoute.fullName, ["destination": "198.51.100.1"])
      #expect(Self.way(try stage.reply(to: route).path()) == "eth1")
      let wait = VarlinkCall(
        PathMonitorInterface.Method.waitForPath.fullName, ["requirement": "interface=eth1", "timeoutMilliseconds": 0])
      #expect(try stage.reply(to: wait).error == nil)
      #expect(try stage.call(.waitForPath, wait.parameters).error != nil)
      let explain = VarlinkCall(PathMonitorInterface.Method.explain.fullName)
      #expect(Self.way(try stage.reply(to: explain).path()) == "eth1")
    }
  }

  @Test func `a report on a path that only its user has is refused, because it would be dropped at once`() async throws
  {
    // A group that every Debian has, without members.
    try await ServiceStage.run(group: "games") { stage in
      try stage.addSecondWay()
      try stage.namespace.ip(Self.rule)
      func report(_ path: NetworkPath) throws -> VarlinkReply {
        let parameters: JSONObject = [
          "interface": .string(Self.way(path)), "gateways": .array(path.gateways.map { .string($0.description) }),
          "validation": ["state": "validated"],
        ]
        let method = PathMonitorInterface.Method.reportValidation.fullName
        return try stage.reply(to: VarlinkCall(method, parameters), groups: [60])
      }
      let own = try stage.reply(to: Self.getPath).path()
      try report(own).expectError(.anotherPath, ["interface": "eth0"])
      #expect(try report(try stage.path()).error == nil)
      #expect(try stage.path().validation.state == .validated)
    }
  }

  @Test func `a watcher that a rule moves gets the new path, and the numbers go on`() async throws {
    try await ServiceStage.run { stage in
      try stage.addSecondWay()
      let root = try stage.connect()
      try root.watch(["settleMilliseconds": 0])
      let other = try UserProcess([UserProcess.Visit(call: Self.watch)], on: stage)
      try other.waitForEach(1)
      for (command, count, way) in [
        (Self.rule, 2, "eth1"), ("rule delete pref 100", 3, "eth0"), (Self.rule, 4, "eth1"),
        ("route replace default via 192.0.3.9 dev eth1 table 100", 5, "eth1"),
      ] {
        try stage.namespace.ip(command)
        try other.waitForEach(count)
        #expect(Self.way(try #require(try other.paths.last)) == way)
      }
      let received = try other.paths
      #expect(received.map(\.sequence) == [0, 1, 2, 3, 4])
      for (before, after) in zip(received, received.dropFirst()) {
        #expect(after.changed == after.fieldsChanged(since: before))
      }
      try stage.run(for: .milliseconds(50))
      try root.pull()
      #expect(root.replies.isEmpty)
    }
  }

  @Test func `a watcher moves also if another call comes before the loop has read the message`() async throws {
    try await ServiceStage.run { stage in
      try stage.addSecondWay()
      let other = try UserProcess([UserProcess.Visit(call: Self.watch)], on: stage)
      try other.waitForEach(1)
      try stage.namespace.ip(Self.rule)
      #expect(Self.way(stage.service.engine.freshPath(of: Self.nobody)) == "eth1")
      try other.waitForEach(2)
      #expect(Self.way(try #require(try other.paths.last)) == "eth1")
    }
  }

  @Test func `there are at most 64 classes with watchers, and one answer is always possible`() async throws {
    try await ServiceStage.run { stage in
      try stage.addSecondWay()
      try stage.namespace.batch((2_000..<2_070).map { "rule add pref \($0) uidrange \($0)-\($0) lookup 100" })
      let visits = (2_000..<2_064).map { UserProcess.Visit(user: UInt32($0), call: Self.watch) }
      do {
        let leaving = try UserProcess(visits, on: stage)
        try leaving.waitForEach(1)
      }
      // Classes without watchers make room.
      #expect(try stage.run { stage.service.engine.subscriberCount == 0 })
      #expect(Self.way(try stage.reply(to: Self.watch, user: 2_064).path()) == "eth1")
      #expect(try stage.run { stage.service.engine.subscriberCount == 0 })
      let watchers = try UserProcess(visits, on: stage)
      try watchers.waitForEach(1)
      #expect(try watchers.replies.allSatisfy { Self.way(try $0[0].path()) == "eth1" })

      try stage.reply(to: Self.watch, user: 2_064).expectError(.limitReached, ["limit": "userClasses", "value": 64])
      #expect(Self.way(try stage.reply(to: Self.getPath, user: 2_064).path()) == "eth1")
      // Users of a class with watchers, and users without a rule.
      let welcome = try UserProcess(
        [2_000, 3_000, 0].map { UserProcess.Visit(user: $0, call: Self.watch) }, on: stage)
      try welcome.waitForEach(1)
      #expect(welcome.replies.allSatisfy { $0[0].error == nil })
      try stage.namespace.ip("route delete default table 100")
      try watchers.waitForEach(2)
      #expect(try watchers.replies.allSatisfy { Self.way(try $0[1].path()) == "eth0" })
    }
  }
}
