import KernelPath
import KernelTestSupport
import PathDecisions
import PathModel
import PathTestSupport
import ProcessTestSupport
import Testing

@testable import PathEngine

@Suite("Fresh answers", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct FreshAnswerTests {
  @Test(.timeLimit(.minutes(3)), arguments: [RandomOperations.seed])
  func `after every operation the answer is that of a fresh kernel`(seed: UInt64) async throws {
    try await EngineStage.run { stage in
      var operations = RandomOperations(seed: seed)
      try stage.namespace.batch(operations.preparation(in: stage.namespace))
      for number in 0..<250 {
        // A cached answer is allowed only a while after the last message.
        if number % 50 == 49 { try stage.run(for: .milliseconds(1_200)) }
        let isFar = number % 5 == 4
        let command = isFar ? operations.nextFar(in: stage.namespace) : operations.next(in: stage.namespace)
        // Answers are requested all the time, so that one of them came just before the operation.
        let commands = try stage.namespace.start(batch: [command], inFar: isFar)
        while commands.isRunning { _ = stage.engine.freshPath() }
        let answer = stage.engine.freshPath().caused(by: nil)
        let again = stage.engine.freshPath().caused(by: nil)
        let kernel = try stage.kernelPath()
        guard ![answer, again].contains(kernel) else { continue }
        // The kernel announces a carrier up to a second later, and moves the routes only then: both sides have to wait.
        // It also makes an IPv6 address usable in a task of its own, a moment before the message about that.
        let isTold = try stage.run {
          try Self.announced(stage.engine.reader.kernel) == Self.announced(stage.freshKernel())
        }
        let later = stage.engine.freshPath().caused(by: nil)
        let kernelLater = try stage.kernelPath()
        guard !isTold || later != kernelLater else { continue }
        Issue.record(
          """
          seed \(seed), \(number): \(command): not as the kernel says in \(kernel.fieldsChanged(since: answer)), then in \
          \(kernelLater.fieldsChanged(since: later)): \(later.interfaces) instead of \(kernelLater.interfaces)
          """)
        return
      }
    }
  }

  @Test func `an answer just after a change that only a link message announces is fresh`()
    async throws
  {
    try await EngineStage.run { stage in
      try stage.namespace.setParameter("net.ipv6.conf.all.disable_ipv6=1")
      try stage.run(for: .milliseconds(1_200))
      for round in 0..<20 {
        let commands = try stage.namespace.start(batch: ["link set eth0 \(round % 2 == 0 ? "down" : "up")"])
        while commands.isRunning { _ = stage.engine.freshPath() }
        let answer = stage.engine.freshPath().caused(by: nil)
        let kernel = try stage.kernelPath()
        let isRight = try answer == kernel || stage.engine.freshPath().caused(by: nil) == stage.kernelPath()
        #expect(isRight)
        if round % 2 == 0 { #expect(answer.status == .unsatisfied) }
      }
    }
  }

  @Test func `an answer that finds a change comes before the deliveries of it`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      let before = collector.paths.count
      try stage.namespace.ip("route del default")
      #expect(stage.engine.freshPath().status == .unsatisfied)
      #expect(collector.paths.count == before)
      #expect(try stage.run { collector.paths.last?.status == .unsatisfied })
    }
  }

  @Test func `a change of the resolver configuration is in the next answer`() async throws {
    try await EngineStage.run { stage in
      for round in 0..<10 {
        try stage.writeResolver(round % 2 == 0 ? "# nobody\n" : "nameserver 192.0.2.53\n")
        #expect(stage.engine.freshPath().supportsDNS == (round % 2 == 1))
      }
    }
  }

  /// The links that are up, with the known state of their carriers and the addresses that programs can use.
  private static func announced(_ kernel: Kernel) -> [String] {
    kernel.state.interfaces.filter { $0.link.flags.contains(.up) }.map {
      "\($0.link.index) \(String(describing: $0.link.hasCarrier)) \($0.link.operationalState) \($0.usableAddresses)"
    }
  }
}
