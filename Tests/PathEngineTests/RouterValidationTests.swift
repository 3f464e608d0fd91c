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
  private static let router = "address add 192.0.2.1/24 dev eth0"
  private static let death = "address delete 192.0.2.1/24 dev eth0"

  @Test(arguments: [
    [],
    [
      "route add 203.0.113.5 via 192.0.2.1 dev eth0", "link add vpn0 type vxlan id 7 remote 203.0.113.5 dstport 4789",
      "address add 10.8.0.2/24 dev vpn0", "link set vpn0 up", "route replace default dev vpn0 metric 1",
    ],
  ])
  func `a router that dies, also below a tunnel, is unanswered by reading alone, and its return is seen at once`(
    tunnel: [String]
  ) async throws {
    try await EngineStage.run { stage in
      // The tunnel has packets of its own.
      try stage.hurry()
      try stage.namespace.ipFar(Self.router)
      for command in tunnel { try stage.namespace.ip(command) }
      let capture = try FrameCapture(stage.namespace)
      let collector = stage.subscribe(.immediate)
      try stage.require { collector.paths.last?.usesTunnel == !tunnel.isEmpty }
      let traffic = try stage.startTraffic(to: tunnel.isEmpty ? "192.0.2.1" : "203.0.113.5")
      defer { traffic.kill() }
      try stage.require { stage.haveAnswered(1) }
      #expect(collector.paths.allSatisfy { $0.validation == .unknown }, "a router that answers is no verdict")
      for _ in 0..<2 {
        try stage.namespace.ipFar(Self.death)
        try stage.require { collector.paths.last?.validation.state == .unanswered }
        let lost = try #require(collector.paths.last)
        #expect(lost.status == .satisfied && lost.usesTunnel == !tunnel.isEmpty)
        #expect(lost.changed == ["diagnosis", "validation"])
        #expect(lost.diagnosis?.code == .routerSilent && lost.diagnosis?.subject == "192.0.2.1")
        #expect(stage.engine.freshPath() == lost, "another look says the same")
        try stage.namespace.ipFar(Self.router)
        try stage.require { collector.paths.last?.validation.state == .unknown }
        #expect(collector.paths.last?.changed == ["diagnosis", "validation"])
      }
      #expect(collector.repetitions.isEmpty)
      #expect(!tunnel.isEmpty || capture.drain().allSatisfy { $0.destinationPort == EngineStage.trafficPort })
    }
  }

  @Test func `if the router of IPv6 dies alone, a part answers, until both do`() async throws {
    try await EngineStage.run { stage in
      for command in [Self.router, "address add fe80::1/64 dev eth0 nodad"] { try stage.namespace.ipFar(command) }
      for command in [
        "address add fe80::2/64 dev eth0 nodad", "address add 2001:db8::2/64 dev eth0 nodad",
        "route add default via fe80::1 dev eth0",
      ] {
        try stage.namespace.ip(command)
      }
      let collector = stage.subscribe(.immediate)
      try stage.require { collector.paths.last?.supportsIPv6 == true }
      let traffic = [try stage.startTraffic(), try stage.startTraffic(to: "2001:db8:1::9")]
      defer { for program in traffic { program.kill() } }
      try stage.require { stage.haveAnswered(2) }
      for (address, state) in [("fe80::1/64", PathValidation.State.partial), ("192.0.2.1/24", .unanswered)] {
        try stage.namespace.ipFar("address delete \(address) dev eth0")
        try stage.require { collector.paths.last?.validation.state == state }
        #expect(collector.paths.last?.status == .satisfied)
      }
      #expect(
        collector.paths.last?.validation.evidence.map(\.text) == [
          "the router 192.0.2.1 does not answer any more", "the router fe80::1%eth0 does not answer any more",
        ])
      try stage.namespace.ipFar("address add fe80::1/64 dev eth0 nodad")
      try stage.require { collector.paths.last?.validation.state == .partial }
    }
  }

  @Test func `a router that never answers is no alarm`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      let traffic = try stage.startTraffic()
      defer { traffic.kill() }
      // The kernel gives it up again and again.
      let events = stage.engine.counters.events
      try stage.require { stage.engine.counters.events > events + 3 }
      #expect(!stage.haveAnswered(1))
      #expect(collector.paths.count == 1)
      #expect(stage.engine.freshPath().validation == .unknown)
    }
  }

  @Test func `an entry that somebody deletes is no alarm, because nobody has asked the router in vain`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar(Self.router)
      let collector = stage.subscribe(.immediate)
      let traffic = try stage.startTraffic()
      try stage.require { stage.haveAnswered(1) }
      traffic.kill()
      let events = stage.engine.counters.events
      try stage.namespace.ip("neigh flush dev eth0")
      // The kernel says FAILED.
      try stage.require { stage.engine.counters.events > events }
      #expect(stage.engine.freshPath().validation == .unknown)
      #expect(collector.paths.allSatisfy { $0.validation == .unknown })
    }
  }

  @Test func `a cable that is pulled ends the verdict on the router behind it`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar(Self.router)
      let traffic = try stage.startTraffic()
      defer { traffic.kill() }
      try stage.require { stage.haveAnswered(1) }
      try stage.namespace.ipFar(Self.death)
      try stage.require { stage.engine.reader.path().validation.state == .unanswered }
      for (state, status) in [("down", NetworkPath.Status.unsatisfied), ("up", .satisfied)] {
        try stage.namespace.ipFar("link set eth0 \(state)")
        try stage.require { stage.engine.reader.path().status == status }
      }
      #expect(stage.engine.reader.path().validation == .unknown, "the cable may lead elsewhere now")
    }
  }

  @Test func `while a router answers, its traffic does not wake the engine`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.ipFar(Self.router)
      let traffic = try stage.startTraffic()
      defer { traffic.kill() }
      // The entry becomes reachable anew every other second, and other neighbours change a thousand times.
      try stage.require {
        let routers = stage.engine.reader.kernel.followedRouters
        return !routers.answering.isEmpty && routers.awaited.isEmpty
      }
      let events = stage.engine.counters.events
      try stage.namespace.batch(
        (0..<1_000).map { "neigh replace 192.0.2.\(10 + $0 % 200) lladdr 02:00:00:00:00:\($0 % 90 + 10) dev eth0" })
      try stage.run(for: .seconds(3))
      #expect(stage.engine.counters.events == events)
    }
  }
}

extension EngineStage {
  fileprivate static let trafficPort: UInt16 = 9

  /// Runs the loop until the condition holds, which it has to.
  fileprivate func require(sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool) throws {
    let holds = try run(until: condition)
    try #require(holds, sourceLocation: sourceLocation)
  }

  /// Whether there are so many routers, and each has answered.
  fileprivate func haveAnswered(_ count: Int) -> Bool {
    let neighbours = engine.reader.neighbours
    return neighbours.count == count
      && neighbours.allSatisfy { engine.reader.kernel.situation.networks.routers[$0]?.answered != nil }
  }

  /// Has the kernel give up a router twice within about 2 s of traffic. Entries that answered before keep their times.
  fileprivate func hurry() throws {
    try namespace.setParameters(
      ["ipv4", "ipv6"].flatMap { family in
        ["base_reachable_time_ms=500", "delay_first_probe_time=1", "retrans_time_ms=100"]
          .map { "net.\(family).neigh.eth0.\($0)" }
      })
  }

  /// Sends traffic to a server, and has the kernel hurry.
  fileprivate func startTraffic(to server: String = "192.0.2.1") throws -> RunningProgram {
    try hurry()
    return try RunningProgram([
      "ip", "netns", "exec", namespace.near, "sh", "-c",
      "while :; do bash -c 'echo >/dev/udp/\(server)/\(Self.trafficPort)'; sleep 0.05; done 2>/dev/null",
    ])
  }
}
