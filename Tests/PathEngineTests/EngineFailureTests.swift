import Glibc
import KernelPath
import KernelTestSupport
import PathModel
import ProcessTestSupport
import SystemIO
import Testing

@testable import PathEngine

/// Our own failure is never "offline".
@Suite("When the kernel cannot be asked", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct EngineFailureTests {
  @Test func `the path is stale, keeps its status, and is known again without another event`() async throws {
    try await EngineStage.run { stage in
      let sockets = try #require(NetlinkSockets())
      try stage.namespace.ip("rule add pref 100 uidrange 65534-65534 lookup main")
      let (collector, other) = (stage.subscribe(.immediate), try stage.subscribe(user: 65_534))
      #expect(stage.engine.reader.followedClasses == 1)
      do {
        let broken = BrokenDescriptor(sockets.queryDescriptor)
        try stage.namespace.ip("route delete default")
        #expect(try stage.run { collector.paths.count == 2 })
        #expect(collector.paths.last?.knowledge == .stale)
        #expect(collector.paths.last?.status == .satisfied)
        #expect(collector.paths.last?.changed == ["knowledge"])
        #expect(other.paths.map(\.knowledge) == [.known, .stale], "that of another class of users, too")
        #expect(stage.engine.reader.failure != nil)
        #expect(stage.engine.reader.explained().steps.contains { $0.contains("cannot") })
        _ = consume broken
      }
      #expect(try stage.run { collector.paths.last?.knowledge == .known })
      #expect(collector.paths.last?.status == .unsatisfied)
      #expect(stage.engine.reader.failure == nil)
      #expect(collector.repetitions.isEmpty)
    }
  }

  @Test func `a file that could not be read is read again without a change of it, and is named until then`()
    async throws
  {
    try await EngineStage.run { stage in
      let lease = try #require(FileLease(on: stage.resolverPath))
      // A change of the file's mode makes the engine read it.
      #expect(unsafe chmod(stage.resolverPath, 0o600) == 0)
      let isNamed = try stage.run { stage.engine.reader.notes.contains { $0.contains("open \(stage.resolverPath)") } }
      #expect(isNamed)
      lease.end()
      #expect(try stage.run(within: .seconds(60)) { stage.engine.reader.notes.isEmpty })
    }
  }

  @Test func `an event socket that keeps overrunning lets the loop sleep in its pause, and is read again afterwards`()
    async throws
  {
    try await EngineStage.run(receiveBuffer: 4_096) { stage in
      let collector = stage.subscribe(.immediate)
      let flood = (0..<100).flatMap {
        ["address add 198.51.100.\($0)/32 dev eth0", "address delete 198.51.100.\($0)/32 dev eth0"]
      }
      var mostRounds = 0
      for _ in 0..<10 {
        // The error of the latest overrun is not read.
        try stage.namespace.batch(flood)
        let end = MonotonicInstant.now.advanced(by: .milliseconds(50))
        var rounds = 0
        while MonotonicInstant.now < end {
          try stage.loop.runOnce(until: end)
          rounds += 1
        }
        mostRounds = max(mostRounds, rounds)
      }
      #expect(stage.engine.counters.overruns > 1)
      #expect(mostRounds < 100)
      // After this time all second looks are over: only a message can lead to the next evaluation.
      try stage.run(for: .seconds(2))
      try stage.namespace.ip("route delete default")
      #expect(try stage.run { collector.paths.last?.status == .unsatisfied })
    }
  }

  @Test func `a fresh path is stale while links and addresses could not be read`() async throws {
    try await EngineStage.run(receiveBuffer: 4_096) { stage in
      let sockets = try #require(NetlinkSockets())
      try stage.namespace.batch((0..<200).map { "address add 198.51.100.\($0)/32 dev eth0" })
      let broken = BrokenDescriptor(sockets.queryDescriptor)
      #expect(stage.engine.freshPath().knowledge == .stale)
      #expect(stage.engine.freshPath().knowledge == .stale)
      _ = consume broken
      #expect(stage.engine.freshPath().knowledge == .known)
    }
  }

  @Test func `the path to a host is the present one, and no other while the kernel cannot be asked`() async throws {
    try await EngineStage.run { stage in
      let sockets = try #require(NetlinkSockets())
      let host = IPAddress(ipv4: 0xcb00_7101)
      #expect(stage.engine.reader.explained(to: host).path.status == .satisfied)
      // No message announces the route, which covers no sample address.
      try stage.namespace.ip("route add unreachable 203.0.113.0/24")
      #expect(stage.engine.reader.explained(to: host).path.status == .unsatisfied)
      #expect(stage.engine.freshPath().status == .satisfied)
      let broken = BrokenDescriptor(sockets.queryDescriptor)
      let path = stage.engine.reader.explained(to: host).path
      #expect(path.knowledge != .known)
      #expect(path.status != .satisfied)
      _ = consume broken
    }
  }

  @Test func `a reader lacks watches as long as the directory of a file cannot be watched`() throws {
    let directory = try ScratchDirectory()
    var configuration = PathReader.Configuration()
    configuration.paths.resolver = directory("resolv.conf")
    configuration.paths.upstreamResolver = directory("upstream.conf")
    let reader = try directory.withoutReading { try PathReader(configuration, isFollowing: true) }
    #expect(reader.lacksWatches)
    reader.kernel.updateResolver()
    #expect(!reader.lacksWatches)
  }
}
