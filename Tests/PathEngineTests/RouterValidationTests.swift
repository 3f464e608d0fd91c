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

  /// Has the kernel give up a router twice within about 2 s of traffic. Entries that answered before keep their times.
  private static func hurry(_ stage: EngineStage) throws {
    try stage.namespace.setParameters(
      ["ipv4", "ipv6"].flatMap { family in
        ["base_reachable_time_ms=500", "delay_first_probe_time=1", "retrans_time_ms=100"]
          .map { "net.\(family).neigh.eth0.\($0)" }
      })
  }

  /// Sends traffic to a server, and has the kernel hurry.
  private static func startTraffic(_ stage: EngineStage, to server: String = "192.0.2.1") throws -> RunningProgram {
    try hurry(stage)
    return try RunningProgram([
      "ip", "netns", "exec", stage.namespace.near, "sh", "-c",
      "while :; do bash -c 'echo >/dev/udp/\(server)/\(port)'; sleep 0.05; done 2>/dev/null",
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
      let isSeen = try stage.run { stage.engine.reader.kernel.situation.networks.routers[neighbour]?.answered != nil }
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

  @Test func `if the router of IPv6 dies alone, a part answers, until both do`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      try stage.namespace.ipFar("address add fe80::1/64 dev eth0 nodad")
      try stage.namespace.ip("address add fe80::2/64 dev eth0 nodad")
      try stage.namespace.ip("address add 2001:db8::2/64 dev eth0 nodad")
      try stage.namespace.ip("route add default via fe80::1 dev eth0")
      let collector = stage.subscribe(.immediate)
      let isDual = try stage.run { collector.paths.last?.supportsIPv6 == true }
      try #require(isDual)
      let traffic = [try Self.startTraffic(stage), try Self.startTraffic(stage, to: "2001:db8:1::9")]
      defer { for program in traffic { program.kill() } }
      let areSeen = try stage.run {
        let routers = stage.engine.reader.kernel.situation.networks.routers
        return stage.engine.reader.neighbours.count == 2
          && stage.engine.reader.neighbours.allSatisfy { routers[$0]?.answered != nil }
      }
      try #require(areSeen)
      for (address, state) in [("fe80::1/64", "partial"), ("192.0.2.1/24", "unanswered")] {
        try stage.namespace.ipFar("address delete \(address) dev eth0")
        let isSeen = try stage.run { collector.paths.last?.validation.state.rawValue == state }
        try #require(isSeen, "\(state)")
        #expect(collector.paths.last?.status == .satisfied)
      }
      #expect(
        collector.paths.last?.validation.evidence.map(\.text) == [
          "the router 192.0.2.1 does not answer any more", "the router fe80::1%eth0 does not answer any more",
        ])
      try stage.namespace.ipFar("address add fe80::1/64 dev eth0 nodad")
      let isBack = try stage.run { collector.paths.last?.validation.state == .partial }
      try #require(isBack)
    }
  }

  @Test func `a router that dies below a tunnel leaves the tunnel unanswered`() async throws {
    try await EngineStage.run { stage in
      // The tunnel has packets of its own.
      try Self.hurry(stage)
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      try stage.namespace.ip("route add 203.0.113.5 via 192.0.2.1 dev eth0")
      try stage.namespace.ip("link add vpn0 type vxlan id 7 remote 203.0.113.5 dstport 4789")
      try stage.namespace.ip("address add 10.8.0.2/24 dev vpn0")
      try stage.namespace.ip("link set vpn0 up")
      try stage.namespace.ip("route replace default dev vpn0 metric 1")
      let collector = stage.subscribe(.immediate)
      let isTunnel = try stage.run { collector.paths.last?.usesTunnel == true }
      try #require(isTunnel)
      let traffic = try Self.startTraffic(stage, to: "203.0.113.5")
      defer { traffic.kill() }
      let neighbour = try #require(stage.engine.reader.neighbours.first)
      let isSeen = try stage.run { stage.engine.reader.kernel.situation.networks.routers[neighbour]?.answered != nil }
      try #require(isSeen)
      try stage.namespace.ipFar("address delete 192.0.2.1/24 dev eth0")
      let isUnanswered = try stage.run { collector.paths.last?.validation.state == .unanswered }
      try #require(isUnanswered)
      #expect(collector.paths.last?.status == .satisfied && collector.paths.last?.usesTunnel == true)
      #expect(collector.paths.last?.diagnosis?.code == .routerSilent)
      try stage.namespace.ipFar("address add 192.0.2.1/24 dev eth0")
      let isBack = try stage.run { collector.paths.last?.validation.state == .unknown }
      try #require(isBack)
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
      #expect(stage.engine.reader.kernel.situation.networks.routers[neighbour]?.answered == nil)
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
      let isSeen = try stage.run { stage.engine.reader.kernel.situation.networks.routers[neighbour]?.answered != nil }
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
      let isSeen = try stage.run { stage.engine.reader.kernel.situation.networks.routers[neighbour]?.answered != nil }
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
