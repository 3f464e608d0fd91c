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
          expected = try Self.freshPath(like: stage)
          return collector.paths.last?.withoutCause == expected
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

  @Test(.timeLimit(.minutes(2)))
  func `when a link is set down the route that takes over is found, without an IPv4 message`() async throws {
    try await EngineStage.run { stage in
      try stage.namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1")
      try stage.namespace.addCable("eth1")
      try stage.namespace.ip("address add 192.0.3.2/24 dev eth1")
      try stage.namespace.ip("route add default via 192.0.3.1 dev eth1 metric 200")
      let change = Change(
        command: "link set eth0 down",
        leadsTo: { $0.status == .satisfied && $0.interfaces.first?.name == "eth1" },
        undo: ["link set eth0 up", "route replace default via 192.0.2.1 dev eth0 metric 100"],
        leadsBackTo: { $0.interfaces.first?.name == "eth0" })
      let leftWith = try Self.repeated(change, on: stage)
      #expect(leftWith == nil)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `the routes that go with the last address are removed, without an IPv4 message`()
    async throws
  {
    try await EngineStage.run { stage in
      try stage.namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1")
      let change = Change(
        command: "address delete 192.0.2.2/24 dev eth0", leadsTo: { $0.status == .unsatisfied },
        undo: ["address add 192.0.2.2/24 dev eth0", "route add default via 192.0.2.1 dev eth0 metric 100"],
        leadsBackTo: { $0.status == .satisfied })
      let leftWith = try Self.repeated(change, on: stage)
      #expect(leftWith == nil)
    }
  }

  private struct Change {
    var command: String
    var leadsTo: (NetworkPath) -> Bool
    var undo: [String]
    var leadsBackTo: (NetworkPath) -> Bool
  }

  /// Routes that go with the link or its address: the kernel announces the change first, and then removes the routes
  /// one by one. It removes the oldest ones, among them the default route, last.
  private static let ballast = (0..<3_000).map {
    "route add 10.\($0 / 250).\($0 % 250).0/24 via 192.0.2.1 dev eth0 metric \(1_000 + $0)"
  }

  /// Makes and undoes the change many times while the loop runs.
  ///
  /// - Returns: `nil` if a subscriber always got the right path in time; otherwise its last path.
  private static func repeated(_ change: Change, on stage: EngineStage) throws -> String? {
    let collector = stage.subscribe(.immediate)
    try stage.namespace.batch(ballast)
    for round in 0..<25 {
      for (commands, isRight) in [
        ([change.command], change.leadsTo), (change.undo + ballast, change.leadsBackTo),
      ] {
        let running = try stage.namespace.start(batch: commands)
        // A subscriber that keeps a wrong path keeps it for good. So the deadline only has to outlast the commands and
        // the kernel's link watch, which is slow on a busy machine.
        let isLedThere = try stage.run(within: .seconds(15)) {
          !running.isRunning && collector.paths.last.map(isRight) == true
        }
        if !isLedThere {
          let left = collector.paths.last.map(String.init(describing:)) ?? "nothing"
          return "round \(round): left with \(left), while the kernel says \(stage.engine.freshPath())"
        }
      }
    }
    return nil
  }

  private static func freshPath(like stage: EngineStage) throws -> NetworkPath {
    let configuration = stage.engine.reader.configuration
    return try Kernel(probes: configuration.probes, receiveBuffer: nil, paths: configuration.paths)
      .evaluatedPath(after: stage.engine.reader.formerCarriers)
  }
}
