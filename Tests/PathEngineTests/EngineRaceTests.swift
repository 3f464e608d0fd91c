import KernelPath
import KernelTestSupport
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

@testable import PathEngine

/// The engine evaluates while the kernel is still busy with the change, and must not keep the state of that moment.
@Suite("Changes while the engine looks", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct EngineRaceTests {
  @Test(.timeLimit(.minutes(5)), arguments: [RandomOperations.seed])
  func `after random changes a subscriber has the path of a fresh kernel`(seed: UInt64) async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      var operations = RandomOperations(seed: seed)
      try stage.namespace.batch(operations.preparation(in: stage.namespace))
      for burst in 0..<60 {
        let near = (0..<20).map { _ in operations.next(in: stage.namespace) }
        let far = (0..<3).map { _ in operations.nextFar(in: stage.namespace) }
        let commands = try stage.namespace.start(batch: near)
        _ = try stage.run(within: .seconds(20)) { !commands.isRunning }
        try stage.namespace.batch(far, inFar: true)
        var expected: NetworkPath?
        let isTrue = try stage.run(within: .seconds(20)) {
          expected = try stage.kernelPath()
          return collector.paths.last?.caused(by: nil) == expected
        }
        #expect(collector.repetitions.isEmpty)
        guard !isTrue else { continue }
        Issue.record(
          """
          seed \(seed), burst \(burst): the subscriber has \(String(describing: collector.paths.last)), a fresh kernel \
          \(String(describing: expected)), after \(far)
          \(near.joined(separator: "\n"))
          """)
        return
      }
    }
  }

  @Test(
    .timeLimit(.minutes(4)),
    arguments: [
      ("link set eth0 down", "link set eth0 up"),
      ("address delete 192.0.2.2/24 dev eth0", "address add 192.0.2.2/24 dev eth0"),
    ])
  func `when the routes of a link go, the one that takes over is found, without an IPv4 message`(
    change: String, undo: String
  ) async throws {
    try await EngineStage.run { stage in
      try stage.namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1")
      try stage.namespace.addCable("eth1")
      try stage.namespace.ip("address add 192.0.3.2/24 dev eth1")
      try stage.namespace.ip("route add default via 192.0.3.1 dev eth1 metric 200")
      try stage.namespace.batch(Self.ballast)
      let collector = stage.subscribe(.immediate)
      let restored = [undo, "route replace default via 192.0.2.1 dev eth0 metric 100"] + Self.ballast
      for round in 0..<50 {
        let (commands, name) = round % 2 == 0 ? ([change], "eth1") : (restored, "eth0")
        let running = try stage.namespace.start(batch: commands)
        // A subscriber that keeps a wrong path keeps it for good. So the deadline only has to outlast the commands and
        // the kernel's link watch, which is slow on a busy machine.
        let isLedThere = try stage.run(within: .seconds(15)) {
          let path = collector.paths.last
          return !running.isRunning && path?.status == .satisfied && path?.interfaces.first?.name == name
        }
        try #require(isLedThere, "round \(round): \(collector.paths.last ?? .unknown), not \(stage.engine.freshPath())")
      }
    }
  }

  /// Routes that go with the link or its address: the kernel announces the change first, and then removes the routes
  /// one by one. It removes the oldest ones, among them the default route, last.
  private static let ballast = (0..<3_000).map {
    "route add 10.\($0 / 250).\($0 % 250).0/24 via 192.0.2.1 dev eth0 metric \(1_000 + $0)"
  }
}
