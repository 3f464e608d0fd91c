import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Scenarios on the kernel in memory")
struct FakeKernelScenarioTests {
  @Test(arguments: ScenarioTable.all)
  func `the path meets the expectation of each step`(_ scenario: Scenario) throws {
    try play(scenario)
  }

  @Test(arguments: ScenarioTable.multipath, 0..<8)
  func `it is the same whichever leg a hash chooses for each probe`(_ scenario: Scenario, _ hash: Int) throws {
    var interfaces: [IPAddress: Int32] = [:]
    for probes in [ProbeAddresses.standard.ipv4, ProbeAddresses.standard.ipv6] {
      #expect(probes.count == 3)
      for (number, probe) in probes.enumerated() { interfaces[probe] = hash >> number & 1 == 0 ? 10 : 11 }
    }
    try play(scenario, hashedInterfaces: interfaces)
  }

  private func play(_ scenario: Scenario, hashedInterfaces: [IPAddress: Int32] = [:]) throws {
    var kernel = FakeKernel()
    kernel.hashedInterfaces = hashedInterfaces
    for (number, step) in scenario.steps.enumerated() {
      kernel.apply(step)
      guard case .expect(let expected) = step else { continue }
      let seen = Expectation(of: try kernel.evaluate().path)
      #expect(seen == expected, "step \(number)")
    }
  }

  @Test func `no two scenarios have the same name, and each ends with an expectation`() {
    let names = ScenarioTable.all.map(\.description)
    #expect(Set(names).count == names.count)
    #expect(ScenarioTable.all.count >= 15)
    for scenario in ScenarioTable.all {
      guard case .expect = scenario.steps.last else {
        Issue.record("'\(scenario)' does not end with an expectation")
        continue
      }
    }
  }
}
