import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathEngine

/// A router that dies behind a living cable, as the kernel's neighbour entry shows it.
@Suite("Routers that stop answering", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct RouterValidationTests {
  /// The port to which the traffic goes.
  private static let port = 9

  /// Has the kernel give up a router twice within about 2 s of traffic, and sends traffic.
  private static func startTraffic(_ stage: EngineStage) throws -> RunningProgram {
    try stage.namespace.setParameters(
      [
        "base_reachable_time_ms=500", "delay_first_probe_time=1", "retrans_time_ms=100",
      ].map { "net.ipv4.neigh.eth0.\($0)" })
    return try RunningProgram([
      "ip", "netns", "exec", stage.namespace.near, "sh", "-c",
      "while :; do bash -c 'echo >/dev/udp/192.0.2.1/\(port)'; sleep 0.05; done 2>/dev/null",
    ])
  }

  @Test func `a router that dies is unanswered by reading alone, and its return is seen at once`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      let capture = try FrameCapture(stage.namespace)
      let collector = stage.subscribe(.immediate)
      let traffic = try Self.startTraffic(stage)
      defer { traffic.kill() }
      let neighbour = try #require(stage.engine.reader.neighbours.first)
      let isSeen = try stage.run { stage.engine.reader.kernel.networkFacts.routers[neighbour]?.answered != nil }
      try #require(isSeen)
      #expect(collector.paths.allSatisfy { $0.validation == .unknown }, "a router that answers is no verdict")
      for _ in 0..<2 {
        try stage.namespace.ipFar("address delete 192.0.2.1/24 dev eth0")
        let isUnanswered = try stage.run { collector.paths.last?.validation.state == .unanswered }
        try #require(isUnanswered)
        let lost = try #require(collector.paths.last)
        #expect(lost.status == .satisfied)
        #expect(lost.changed == ["diagnosis", "validation"])
        #expect(lost.diagnosis?.code == .routerSilent && lost.diagnosis?.subject == "192.0.2.1")
        #expect(lost.validation.evidence.map(\.text) == ["the router 192.0.2.1 does not answer any more"])
        #expect(stage.engine.freshPath() == lost, "another look says the same")
        try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
        let isBack = try stage.run { collector.paths.last?.validation.state == .unknown }
        try #require(isBack)
        #expect(collector.paths.last?.changed == ["diagnosis", "validation"])
      }
      #expect(collector.repetitions.isEmpty)
      #expect(capture.drain().allSatisfy { $0.destinationPort == Self.port })
    }
  }

  @Test func `a router that never answers is no alarm`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      let traffic = try Self.startTraffic(stage)
      defer { traffic.kill() }
      let neighbour = try #require(stage.engine.reader.neighbours.first)
      // The kernel gives it up again and again.
      let events = stage.engine.counters.events
      let isFailed = try stage.run { stage.engine.counters.events > events + 3 }
      try #require(isFailed)
      #expect(stage.engine.reader.kernel.networkFacts.routers[neighbour]?.answered == nil)
      #expect(collector.paths.count == 1)
      #expect(stage.engine.freshPath().validation == .unknown)
    }
  }

  @Test func `an entry that somebody deletes is no alarm, because nobody has asked the router in vain`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      let collector = stage.subscribe(.immediate)
      let traffic = try Self.startTraffic(stage)
      let neighbour = try #require(stage.engine.reader.neighbours.first)
      let isSeen = try stage.run { stage.engine.reader.kernel.networkFacts.routers[neighbour]?.answered != nil }
      try #require(isSeen)
      traffic.kill()
      let events = stage.engine.counters.events
      try stage.namespace.ip("neigh flush dev eth0")
      let isTold = try stage.run { stage.engine.counters.events > events }
      try #require(isTold, "the kernel says FAILED")
      #expect(stage.engine.freshPath().validation == .unknown)
      #expect(collector.paths.allSatisfy { $0.validation == .unknown })
    }
  }

  @Test func `a cable that is pulled ends the verdict on the router behind it`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      let traffic = try Self.startTraffic(stage)
      defer { traffic.kill() }
      let neighbour = try #require(stage.engine.reader.neighbours.first)
      let isSeen = try stage.run { stage.engine.reader.kernel.networkFacts.routers[neighbour]?.answered != nil }
      try #require(isSeen)
      try stage.namespace.ipFar("address delete 192.0.2.1/24 dev eth0")
      let isUnanswered = try stage.run { stage.engine.reader.path().validation.state == .unanswered }
      try #require(isUnanswered)
      try stage.namespace.ipFar("link set eth0 down")
      let isLost = try stage.run { stage.engine.reader.path().status == .unsatisfied }
      try #require(isLost)
      try stage.namespace.ipFar("link set eth0 up")
      let isBack = try stage.run { stage.engine.reader.path().status == .satisfied }
      try #require(isBack)
      #expect(stage.engine.reader.path().validation == .unknown, "the cable may lead elsewhere now")
    }
  }

  @Test func `while a router answers, its traffic does not wake the engine`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      let traffic = try Self.startTraffic(stage)
      defer { traffic.kill() }
      // The entry becomes reachable anew every other second, and other neighbours change a thousand times.
      let isSettled = try stage.run {
        let routers = stage.engine.reader.kernel.followedRouters
        return !routers.answering.isEmpty && routers.awaited.isEmpty
      }
      try #require(isSettled)
      let events = stage.engine.counters.events
      try stage.namespace.batch(
        (0..<1_000).map { "neigh replace 192.0.2.\(10 + $0 % 200) lladdr 02:00:00:00:00:\($0 % 90 + 10) dev eth0" })
      try stage.run(for: .seconds(3))
      #expect(stage.engine.counters.events == events)
    }
  }
}
