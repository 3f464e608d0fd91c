import KernelTestSupport
import PathConfiguration
import PathModel
import SystemIO
import Testing

@testable import PathDecisions
@testable import PathEngine

@Suite("Costs that change", .enabled(if: isRoot, Comment(rawValue: needsRoot)))
struct CostDeliveryTests {
  @Test func `a lease and its address for the sign-in reach subscribers, and settle as any change`() async throws {
    try await EngineStage.run { stage in
      let eager = stage.subscribe(.immediate)
      let patient = stage.subscribe(SettleTimes(.milliseconds(100)))
      try stage.writeLease("eth0", "192.0.2.2", isMetered: true)
      #expect(try stage.run { eager.paths.last?.isExpensive == true })
      #expect(eager.paths.last?.cost?.evidence.map(\.source) == [.lease])
      #expect(try stage.run { patient.paths.last?.isExpensive == true })
      try stage.writeLease("eth0", "192.0.2.2", isMetered: false)
      #expect(try stage.run { eager.paths.last?.isExpensive == false })
      for (portal, announced) in [
        ("https://portal.example/api", "https://portal.example/api"), ("file:///etc/passwd", nil),
        ("http://other.example/", "http://other.example/"),
      ] {
        try stage.writeLease("eth0", "192.0.2.2", isMetered: false, portal: portal)
        #expect(try stage.run { eager.paths.last?.validation.portal == announced })
        #expect(eager.paths.last?.changed == ["validation"] && eager.paths.last?.validation.state == .unknown)
      }
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

  @Test func `the costs and verdicts of a network manager reach all subscribers, and outlive a reconfiguration`()
    async throws
  {
    try await EngineStage.run { stage in
      let collector = stage.subscribe(.immediate)
      let verdict: [ExactText: DeviceConnectivity] = ["eth0": DeviceConnectivity(ipv4: .full)]
      stage.engine.setMetered(["eth0": .yes, "eth9": .no])
      #expect(try stage.run { collector.paths.last?.isExpensive == true })
      #expect(collector.paths.last?.cost?.confidence == .explicit)
      stage.engine.setMetered(["eth0": .yes], connectivity: verdict)
      #expect(try stage.run { collector.paths.last?.validation.state == .validated })
      #expect(collector.paths.last?.changed == ["validation"])
      try stage.engine.reconfigure(stage.engine.reader.configuration)
      let fresh = stage.engine.freshPath()
      #expect(fresh.isExpensive && fresh.validation.state == .validated)
      // The same facts again, or facts of other interfaces, are no update.
      for _ in 0..<2 { stage.engine.setMetered(["eth0": .yes], connectivity: verdict) }
      try stage.run(for: .milliseconds(50))
      #expect(collector.paths.map(\.isExpensive) == [false, true, true])
      stage.engine.setMetered([:])
      #expect(try stage.run { collector.paths.last?.isExpensive == false })
      #expect(collector.paths.last?.validation == .unknown)
      #expect(collector.paths.map(\.sequence) == [0, 1, 2, 3])
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
