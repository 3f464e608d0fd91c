import PathDecisions
import PathModel
import PathTestSupport
import Testing

@Suite("Scenarios on the kernel in memory")
struct FakeKernelScenarioTests {
  @Test(arguments: ScenarioTable.all)
  func `the path meets the expectation of each step`(_ scenario: PathCase) throws {
    #expect(try MemoryNetwork.play(scenario).differences.isEmpty)
  }

  @Test(arguments: ScenarioTable.multipath, 0..<8)
  func `it is the same whichever leg a hash chooses for each probe`(_ scenario: PathCase, _ hash: Int) throws {
    var interfaces: [IPAddress: Int32] = [:]
    for probes in [ProbeAddresses.standard.ipv4, ProbeAddresses.standard.ipv6] {
      #expect(probes.count == 3)
      for (number, probe) in probes.enumerated() { interfaces[probe] = hash >> number & 1 == 0 ? 10 : 11 }
    }
    #expect(try MemoryNetwork.play(scenario, hashedInterfaces: interfaces).differences.isEmpty)
  }

  @Test func `no two scenarios have the same name, and all are there`() throws {
    let names = try ScenarioTable.parsed().map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 43)
    #expect(ScenarioTable.multipath.count == 4)
  }
}
