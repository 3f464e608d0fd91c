import KernelTestSupport
import PathConfiguration
import PathModel
import SystemIO
import Testing

@testable import PathDecisions
@testable import PathEngine

@Suite("Costs that change", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct CostDeliveryTests {
  @Test func `a lease reaches subscribers, and settles as any change`() async throws {
    try await EngineStage.run { stage in
      let eager = stage.subscribe(.immediate)
      let patient = stage.subscribe(SettleTimes(.milliseconds(100)))
      try stage.writeLease("eth0", "192.0.2.2", isMetered: true)
      #expect(try stage.run { eager.paths.last?.isExpensive == true })
      #expect(eager.paths.last?.cost?.evidence.map(\.source) == [.lease])
      #expect(try stage.run { patient.paths.last?.isExpensive == true })
      try stage.writeLease("eth0", "192.0.2.2", isMetered: false)
      #expect(try stage.run { eager.paths.last?.isExpensive == false })
      #expect(eager.repetitions.isEmpty)
      // A lease of another address, of an earlier network, is no evidence.
      let count = eager.paths.count
      try stage.writeLease("eth0", "192.168.43.17", isMetered: true)
      #expect(!stage.engine.freshPath().isExpensive)
      try stage.namespace.ip("address add 192.168.43.17/24 dev eth0")
      #expect(try stage.run { eager.paths.last?.isExpensive == true })
      #expect(eager.paths.count > count)
    }
  }

  @Test func `the address for the sign-in reaches subscribers with the lease, and goes with it`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      try stage.writeLease("eth0", "192.0.2.2", isMetered: false, portal: "https://portal.example/api")
      #expect(try stage.run { collector.paths.last?.validation.portal == "https://portal.example/api" })
      #expect(collector.paths.last?.changed == ["validation"])
      #expect(collector.paths.last?.validation.state == .unknown)
      try stage.writeLease("eth0", "192.0.2.2", isMetered: false, portal: "file:///etc/passwd")
      #expect(try stage.run { collector.paths.last?.validation == .unknown })
      try stage.writeLease("eth0", "192.0.2.2", isMetered: false, portal: "http://other.example/")
      #expect(try stage.run { collector.paths.last?.validation.portal == "http://other.example/" })
      #expect(collector.repetitions.isEmpty)
    }
  }

  @Test func `a network manager's verdicts reach subscribers, and outlive a reconfiguration`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      stage.engine.setMetered([:], connectivity: ["eth0": DeviceConnectivity(ipv4: .full)])
      #expect(try stage.run { collector.paths.last?.validation.state == .validated })
      #expect(collector.paths.last?.changed == ["validation"])
      try stage.engine.reconfigure(stage.engine.reader.configuration)
      #expect(stage.engine.freshPath().validation.state == .validated)
      stage.engine.setMetered([:], connectivity: ["eth0": DeviceConnectivity(ipv4: .full)])
      try stage.run(for: .milliseconds(50))
      #expect(collector.paths.count == 2)
      stage.engine.setMetered([:])
      #expect(try stage.run { collector.paths.last?.validation == .unknown })
    }
  }

  @Test func `a fresh answer has a lease that was just written`() async throws {
    try await EngineStage.run { stage in
      try stage.writeLease("eth0", "192.0.2.2", isMetered: true)
      // The directory is new, too: it is watched from the first evaluation on.
      _ = stage.engine.freshPath()
      #expect(stage.engine.freshPath().isExpensive)
      try stage.writeLease("eth0", "192.0.2.2", isMetered: false)
      #expect(!stage.engine.freshPath().isExpensive)
    }
  }

  @Test func `the costs of a network manager reach all subscribers, and outlive a reconfiguration`()
    async throws
  {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      stage.engine.setMetered(["eth0": .yes, "eth9": .no])
      #expect(try stage.run { collector.paths.last?.isExpensive == true })
      #expect(collector.paths.last?.cost?.confidence == .explicit)
      try stage.engine.reconfigure(stage.engine.reader.configuration)
      #expect(stage.engine.freshPath().isExpensive)
      #expect(collector.paths.map(\.isExpensive) == [false, true])
      // The same facts again, or facts of other interfaces, are no update.
      stage.engine.setMetered(["eth0": .yes])
      stage.engine.setMetered(["eth0": .yes])
      try stage.run(for: .milliseconds(50))
      #expect(collector.paths.count == 2)
      stage.engine.setMetered([:])
      #expect(try stage.run { collector.paths.last?.isExpensive == false })
      #expect(collector.paths.map(\.sequence) == [0, 1, 2])
    }
  }

  @Test func `rules apply from a reconfiguration on`() async throws {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      var configuration = stage.engine.reader.configuration
      let file = try ConfigurationFile(
        parsing: "[Match]\nName=eth*\nDriver=!x\n[Path]\nConstrained=yes\nType=cellular\n", path: "x.conf")
      configuration.rules = InterfaceRules([file.rule].compactMap(\.self))
      try stage.engine.reconfigure(configuration)
      #expect(collector.paths.last?.isConstrained == true)
      #expect(collector.paths.last?.interfaceType == .cellular)
      #expect(collector.paths.last?.isExpensive == true)
      configuration.rules = InterfaceRules()
      try stage.engine.reconfigure(configuration)
      #expect(collector.paths.last?.isExpensive == false)
      #expect(collector.paths.count == 3)
    }
  }
}
